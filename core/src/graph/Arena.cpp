#include <eagle/GraphAnalysis.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "graph/Sharing.h"
#include "graph/Text.h"

namespace eagle {

using namespace graph;

namespace {

struct Block {
    std::uint32_t life = 0;
    std::uint64_t bytes = 0;  // rounded up to the alignment
    std::uint64_t offset = 0;
    bool kept = false;
};

std::uint64_t rounded(std::uint64_t bytes, const Plane& plane) {
    if (bytes > ~std::uint64_t{0} / 4)
        refuse<OutOfMemory>(plane.where, plane_text(plane) + " takes " + bytes_text(bytes) +
                                             ", more than memory can have; it needs a smaller shape");
    return (bytes + ArenaPlan::alignment - 1) / ArenaPlan::alignment * ArenaPlan::alignment;
}

// The smallest gap between `taken` that holds `bytes`; behind them all where there is none. Of equal gaps the lowest.
std::uint64_t best_fit(std::vector<std::pair<std::uint64_t, std::uint64_t>>& taken, std::uint64_t bytes) {
    std::sort(taken.begin(), taken.end());
    std::uint64_t end = 0, best = ArenaPlan::nowhere, best_size = ArenaPlan::nowhere;
    for (const auto& [begin, after] : taken) {
        if (begin > end && begin - end >= bytes && begin - end < best_size) {
            best = end;
            best_size = begin - end;
        }
        end = std::max(end, after);
    }
    return best == ArenaPlan::nowhere ? end : best;
}

std::vector<Block> place(std::vector<Block> blocks, const Sharing& sharing, std::span<const Lifetime> lifetimes) {
    // Large blocks first: small ones fill what they leave.
    std::sort(blocks.begin(), blocks.end(), [&](const Block& a, const Block& b) {
        return std::tuple{b.bytes, lifetimes[a.life].plane} < std::tuple{a.bytes, lifetimes[b.life].plane};
    });
    std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        taken.clear();
        for (std::size_t j = 0; j < i; ++j)
            if (blocks[i].kept || blocks[j].kept || !sharing.may_share(blocks[i].life, blocks[j].life))
                taken.emplace_back(blocks[j].offset, blocks[j].offset + blocks[j].bytes);
        blocks[i].offset = best_fit(taken, blocks[i].bytes);
    }
    return blocks;
}

}  // namespace

ArenaPlan plan_arena(const GraphDescription& description, const GraphAnalysis& analysis,
                     std::span<const std::uint64_t> bytes) {
    const auto planes = description.planes();
    if (!bytes.empty() && bytes.size() != planes.size())
        refuse<InvalidArgument>(description.where(), "the arena of graph " + in_quotes(description.name()) +
                                                         " was given the bytes of " + std::to_string(bytes.size()) +
                                                         " planes; it needs one number for each of its " +
                                                         std::to_string(planes.size()));
    ArenaPlan plan;
    plan.offsets.assign(planes.size(), ArenaPlan::nowhere);
    std::vector<Block> blocks;
    for (std::uint32_t life = 0; life < analysis.lifetimes.size(); ++life) {
        const Plane& plane = planes[analysis.lifetimes[life].plane];
        const std::uint64_t size = rounded(bytes.empty() ? plane.bytes : bytes[plane.root], plane);
        plan.without_sharing += size;
        if (size != 0) blocks.push_back({life, size, 0, plane.kept});
    }
    const Sharing sharing(description, analysis);
    for (const Block& block : place(std::move(blocks), sharing, analysis.lifetimes)) {
        plan.offsets[analysis.lifetimes[block.life].plane] = block.offset;
        plan.bytes = std::max(plan.bytes, block.offset + block.bytes);
    }
    for (std::uint32_t p = 0; p < planes.size(); ++p)
        if (planes[p].scratch && planes[p].root != p && plan.offsets[planes[p].root] != ArenaPlan::nowhere)
            plan.offsets[p] = plan.offsets[planes[p].root] + planes[p].offset;
    return plan;
}

}  // namespace eagle
