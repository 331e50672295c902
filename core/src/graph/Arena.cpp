#include <eagle/GraphAnalysis.h>

#include <algorithm>
#include <utility>

#include "graph/Placement.h"
#include "graph/Sharing.h"
#include "graph/Text.h"

namespace eagle {

using namespace graph;

namespace {

std::uint64_t rounded(std::uint64_t bytes, const Plane& plane) {
    if (bytes > ~std::uint64_t{0} / 4)
        refuse<OutOfMemory>(plane.where, plane_text(plane) + " takes " + bytes_text(bytes) +
                                             ", more than memory can have; it needs a smaller shape");
    return (bytes + ArenaPlan::alignment - 1) / ArenaPlan::alignment * ArenaPlan::alignment;
}

Span span_of(std::uint32_t life, const Plane& plane, const Sharing& sharing) {
    return plane.kept ? Span{0, static_cast<std::uint32_t>(sharing.exclusive().size() - 1)} : sharing.span(life);
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
    const Sharing sharing(description, analysis);
    std::vector<Block> blocks;
    for (std::uint32_t life = 0; life < analysis.lifetimes.size(); ++life) {
        const std::uint32_t p = analysis.lifetimes[life].plane;
        const std::uint64_t size = rounded(bytes.empty() ? planes[p].bytes : bytes[planes[p].root], planes[p]);
        plan.without_sharing += size;
        if (size != 0) blocks.push_back({life, p, size, planes[p].kept, span_of(life, planes[p], sharing)});
    }
    plan.bytes = place(blocks, sharing);
    for (const Block& block : blocks) plan.offsets[block.plane] = block.offset;
    for (std::uint32_t p = 0; p < planes.size(); ++p)
        if (planes[p].scratch && planes[p].root != p && plan.offsets[planes[p].root] != ArenaPlan::nowhere)
            plan.offsets[p] = plan.offsets[planes[p].root] + planes[p].offset;
    return plan;
}

}  // namespace eagle
