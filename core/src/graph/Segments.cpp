#include <algorithm>
#include <utility>

#include "graph/History.h"

namespace eagle::graph {
namespace {

struct Segment {
    TouchId writer = no_touch;
    std::vector<TouchId> readers;  // since the writer
};

class Segments final : public History {
  public:
    explicit Segments(std::span<const Extent> extents) : extents_(extents.begin(), extents.end()) {
        std::uint64_t low = ~std::uint64_t{0}, high = 0;
        for (const Extent& e : extents_) {
            low = std::min(low, e.begin);
            high = std::max(high, e.end());
        }
        segments_[low] = {};
        segments_[high] = {};  // the end of the last one
    }

    void touch(TouchId id, std::uint32_t extent, bool, bool writes, const Conflict& conflict) override {
        const std::uint64_t begin = extents_[extent].begin, end = extents_[extent].end();
        const auto first = split(begin), last = split(end);
        for (auto at = first; at != last; ++at) {
            if (at->second.writer != no_touch) conflict(at->second.writer, true);
            if (writes)
                for (TouchId reader : at->second.readers) conflict(reader, false);
            else
                at->second.readers.push_back(id);
        }
        if (!writes) return;
        first->second = {id, {}};
        segments_.erase(std::next(first), last);
    }

  private:
    using Map = std::map<std::uint64_t, Segment>;

    Map::iterator split(std::uint64_t at) {
        const auto after = segments_.lower_bound(at);
        if (after != segments_.end() && after->first == at) return after;
        return segments_.emplace_hint(after, at, std::prev(after)->second);
    }

    std::vector<Extent> extents_;
    Map segments_;
};

}  // namespace

std::unique_ptr<History> segment_history(std::span<const Extent> extents) {
    return std::make_unique<Segments>(extents);
}

}  // namespace eagle::graph
