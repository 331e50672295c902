#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/History.h"

namespace eagle::graph {
namespace {

class Footprints final : public History {
  public:
    explicit Footprints(std::span<const Extent> extents) : meets_(meeting(extents)), states_(extents.size()) {
        covered_.resize(extents.size());
        for (std::uint32_t e = 0; e < extents.size(); ++e) {
            meets_[e].push_back(e);
            for (std::uint32_t other : meets_[e])
                if (covers(extents[e], extents[other])) covered_[e].push_back(other);
        }
    }

    void touch(TouchId id, std::uint32_t extent, bool, bool writes, const Conflict& conflict) override {
        for (std::uint32_t other : meets_[extent]) {
            const State& state = states_[other];
            if (state.writer != no_touch) conflict(state.writer, true);
            if (writes)
                for (TouchId reader : state.readers) conflict(reader, false);
        }
        if (!writes) {
            states_[extent].readers.push_back(id);
            return;
        }
        // Whoever comes later and meets what is covered here meets this writer too.
        for (std::uint32_t other : covered_[extent]) states_[other] = {};
        states_[extent].writer = id;
    }

  private:
    struct State {
        TouchId writer = no_touch;
        std::vector<TouchId> readers;
    };
    std::vector<std::vector<std::uint32_t>> meets_, covered_;
    std::vector<State> states_;
};

struct Interval {
    std::uint64_t begin, end;
    std::uint32_t extent;
};

// Extents as intervals modulo `modulus`; rows whose stride is a multiple of it stay where they are. Two extents whose
// intervals are apart have no byte in common.
void add_residues(std::vector<Interval>& out, const Extent& e, std::uint32_t number, std::uint64_t modulus) {
    std::uint64_t span = e.run;
    for (std::int32_t i = 0; i < e.ndim; ++i) {
        const auto& rows = e.rows[static_cast<std::size_t>(i)];
        if (rows.stride % modulus != 0) span += rows.stride * (rows.count - 1);
    }
    if (span >= modulus) {
        out.push_back({0, modulus, number});
        return;
    }
    const std::uint64_t begin = e.begin % modulus;
    out.push_back({begin, std::min(begin + span, modulus), number});
    if (begin + span > modulus) out.push_back({0, begin + span - modulus, number});
}

// Pairs of intervals that overlap, each extent pair perhaps twice.
template <class Pair>
void overlapping(std::vector<Interval> intervals, Pair pair) {
    std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < intervals.size(); ++i)
        for (std::size_t j = i + 1; j < intervals.size() && intervals[j].begin < intervals[i].end; ++j)
            if (intervals[i].extent != intervals[j].extent) pair(intervals[i].extent, intervals[j].extent);
}

std::size_t pairs_of(const std::vector<Interval>& intervals) {
    std::size_t n = 0;
    overlapping(intervals, [&](auto, auto) { ++n; });
    return n;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> meeting(std::span<const Extent> extents) {
    std::vector<Interval> ranges, residues;
    std::uint64_t modulus = 0;
    for (std::uint32_t e = 0; e < extents.size(); ++e) {
        ranges.push_back({extents[e].begin, extents[e].end(), e});
        if (extents[e].ndim != 0) modulus = std::gcd(modulus, extents[e].rows[0].stride);
    }
    if (modulus != 0)
        for (std::uint32_t e = 0; e < extents.size(); ++e) add_residues(residues, extents[e], e, modulus);
    // Columns of one array lie in one range and in residues of their own; blocks of rows the other way round.
    const bool by_residue = modulus != 0 && (extents.size() < 64 || pairs_of(residues) < pairs_of(ranges));
    std::vector<std::vector<std::uint32_t>> meets(extents.size());
    overlapping(by_residue ? residues : ranges, [&](std::uint32_t a, std::uint32_t b) {
        if (!touches(extents[a], extents[b])) return;
        meets[a].push_back(b);
        meets[b].push_back(a);
    });
    for (auto& of : meets) {
        std::sort(of.begin(), of.end());
        of.erase(std::unique(of.begin(), of.end()), of.end());
    }
    return meets;
}

std::unique_ptr<History> footprint_history(std::span<const Extent> extents) {
    return std::make_unique<Footprints>(extents);
}

}  // namespace eagle::graph
