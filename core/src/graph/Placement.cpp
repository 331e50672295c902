#include "graph/Placement.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "graph/FreeList.h"

namespace eagle::graph {
namespace {

std::uint64_t end_of(const std::vector<Block>& blocks) {
    std::uint64_t end = 0;
    for (const Block& block : blocks) end = std::max(end, block.offset + block.bytes);
    return end;
}

// Most bytes that are alive at one moment at which none of them may share: no placement takes less.
std::uint64_t alive_at_once(const std::vector<Block>& blocks, const std::vector<bool>& exclusive) {
    std::vector<std::uint64_t> begins(exclusive.size(), 0), ends(exclusive.size(), 0);
    for (const Block& block : blocks) {
        begins[block.span.first] += block.bytes;
        ends[block.span.last] += block.bytes;
    }
    std::uint64_t alive = 0, most = 0;
    for (std::size_t moment = 0; moment < exclusive.size(); ++moment) {
        alive += begins[moment];
        if (exclusive[moment]) most = std::max(most, alive);
        alive -= ends[moment];
    }
    return most;
}

// Puts blocks down as their spans begin, where others were whose spans have ended.
void place_in_order_of_time(std::vector<Block>& blocks) {
    std::vector<std::uint32_t> by_first(blocks.size()), by_last;
    for (std::uint32_t i = 0; i < blocks.size(); ++i) by_first[i] = i;
    by_last = by_first;
    std::sort(by_first.begin(), by_first.end(), [&](std::uint32_t i, std::uint32_t j) {
        const Block &a = blocks[i], &b = blocks[j];
        return std::tuple{a.span.first, b.bytes, a.plane} < std::tuple{b.span.first, a.bytes, b.plane};
    });
    std::sort(by_last.begin(), by_last.end(),
              [&](std::uint32_t i, std::uint32_t j) { return blocks[i].span.last < blocks[j].span.last; });
    FreeList free;
    std::size_t ended = 0;
    for (std::uint32_t i : by_first) {
        for (; blocks[by_last[ended]].span.last < blocks[i].span.first; ++ended)
            free.give_back(blocks[by_last[ended]].offset, blocks[by_last[ended]].bytes);
        blocks[i].offset = free.take(blocks[i].bytes);
    }
}

// Blocks that have their place, found by the moments at which they are alive.
class Placed {
  public:
    explicit Placed(const std::vector<Block>& blocks) : by_first_(blocks.size()), leaf_(blocks.size()) {
        for (std::uint32_t i = 0; i < blocks.size(); ++i) by_first_[i] = i;
        std::sort(by_first_.begin(), by_first_.end(),
                  [&](std::uint32_t i, std::uint32_t j) { return blocks[i].span.first < blocks[j].span.first; });
        while (leaves_ < blocks.size()) leaves_ *= 2;
        for (std::uint32_t at = 0; at < blocks.size(); ++at) {
            leaf_[by_first_[at]] = at;
            firsts_.push_back(blocks[by_first_[at]].span.first);
        }
        end_.resize(2 * leaves_, 0);
    }
    void add(std::uint32_t block, const Span& span) {
        for (std::size_t at = leaves_ + leaf_[block]; at != 0; at /= 2)
            end_[at] = std::max(end_[at], std::uint64_t{span.last} + 1);
    }
    template <class Visit>
    void each_that_meets(const Span& span, const Visit& visit) const {
        const auto begun = std::upper_bound(firsts_.begin(), firsts_.end(), span.last) - firsts_.begin();
        descend(1, 0, leaves_, static_cast<std::size_t>(begun), span.first, visit);
    }

  private:
    template <class Visit>
    void descend(std::size_t at, std::size_t low, std::size_t high, std::size_t begun, std::uint64_t first,
                 const Visit& visit) const {
        if (low >= begun || end_[at] <= first) return;
        if (high - low == 1) return visit(by_first_[low]);
        const std::size_t middle = (low + high) / 2;
        descend(2 * at, low, middle, begun, first, visit);
        descend(2 * at + 1, middle, high, begun, first, visit);
    }

    std::vector<std::uint32_t> by_first_, leaf_, firsts_;
    std::size_t leaves_ = 1;
    std::vector<std::uint64_t> end_;  // the latest moment below, plus 1; 0 where none has its place
};

// The bytes that one block must leave alone. Blocks that share bytes mostly begin at one offset, so that there are far
// fewer offsets than blocks.
class Taken {
  public:
    struct At {
        std::uint64_t offset = 0, end = 0;
        bool marked = false;
    };
    std::uint32_t at(std::uint64_t offset) {
        const auto [known, fresh] = known_.try_emplace(offset, static_cast<std::uint32_t>(ats_.size()));
        if (fresh) ats_.push_back({offset});
        return known->second;
    }
    void mark(std::uint32_t at, std::uint64_t bytes) {
        At& mine = ats_[at];
        if (!mine.marked) marked_.push_back(at);
        mine.end = std::max(mine.marked ? mine.end : 0, mine.offset + bytes);
        mine.marked = true;
    }
    // The smallest gap between what is marked that holds `bytes`; behind it all where there is none. Of equal gaps the
    // lowest. Takes the marks away.
    std::uint64_t best_fit(std::uint64_t bytes) {
        std::sort(marked_.begin(), marked_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return ats_[a].offset < ats_[b].offset; });
        constexpr std::uint64_t nowhere = ArenaPlan::nowhere;
        std::uint64_t end = 0, best = nowhere, best_size = nowhere;
        for (std::uint32_t at : marked_) {
            At& next = ats_[at];
            if (next.offset > end && next.offset - end >= bytes && next.offset - end < best_size) {
                best = end;
                best_size = next.offset - end;
            }
            end = std::max(end, next.end);
            next.marked = false;
        }
        marked_.clear();
        return best == nowhere ? end : best;
    }

  private:
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
    std::vector<At> ats_;
    std::vector<std::uint32_t> marked_;
};

// Large blocks first: small ones fill what they leave.
void place_in_order_of_size(std::vector<Block>& blocks, const Sharing& sharing) {
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
        return std::tuple{b.bytes, a.plane} < std::tuple{a.bytes, b.plane};
    });
    Placed placed(blocks);
    Taken taken;
    std::vector<std::uint32_t> at(blocks.size());
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        Block& mine = blocks[i];
        placed.each_that_meets(mine.span, [&](std::uint32_t j) {
            const Block& other = blocks[j];
            if (mine.kept || other.kept || !sharing.may_share(mine.life, other.life)) taken.mark(at[j], other.bytes);
        });
        mine.offset = taken.best_fit(mine.bytes);
        at[i] = taken.at(mine.offset);
        placed.add(i, mine.span);
    }
}

}  // namespace

std::uint64_t place(std::vector<Block>& blocks, const Sharing& sharing) {
    if (blocks.empty()) return 0;
    place_in_order_of_time(blocks);
    const std::uint64_t in_time = end_of(blocks);
    if (in_time == alive_at_once(blocks, sharing.exclusive())) return in_time;
    std::vector<Block> by_size = blocks;
    place_in_order_of_size(by_size, sharing);
    const std::uint64_t in_size = end_of(by_size);
    if (in_time < in_size) return in_time;
    blocks = std::move(by_size);
    return in_size;
}

}  // namespace eagle::graph
