#include "graph/Bytes.h"

#include <algorithm>

namespace eagle::graph {

std::optional<Bytes> Bytes::of(const Extent& extent) {
    Bytes bytes;
    if (extent.empty()) return bytes;
    std::uint64_t rows = 1;
    for (std::int32_t i = 0; i < extent.ndim; ++i)
        if (__builtin_mul_overflow(rows, extent.rows[static_cast<std::size_t>(i)].count, &rows) || rows > most_rows)
            return std::nullopt;
    std::vector<std::uint64_t> begins{extent.begin};
    for (std::int32_t i = 0; i < extent.ndim; ++i) {
        const Extent::Rows& of = extent.rows[static_cast<std::size_t>(i)];
        std::vector<std::uint64_t> next;
        for (const std::uint64_t begin : begins)
            for (std::uint64_t k = 0; k < of.count; ++k) next.push_back(begin + k * of.stride);
        begins = std::move(next);
    }
    std::sort(begins.begin(), begins.end());
    for (const std::uint64_t begin : begins) {
        if (!bytes.ranges_.empty() && begin <= bytes.ranges_.back().second)
            bytes.ranges_.back().second = std::max(bytes.ranges_.back().second, begin + extent.run);
        else
            bytes.ranges_.emplace_back(begin, begin + extent.run);
    }
    return bytes;
}

void Bytes::add(const Range& range) {
    if (range.first >= range.second || holds(range)) return;
    Range joined = range;
    const auto from = std::lower_bound(ranges_.begin(), ranges_.end(), range.first,
                                       [](const Range& r, std::uint64_t at) { return r.second < at; });
    auto to = from;
    for (; to != ranges_.end() && to->first <= range.second; ++to) {
        joined.first = std::min(joined.first, to->first);
        joined.second = std::max(joined.second, to->second);
    }
    ranges_.insert(ranges_.erase(from, to), joined);
}

void Bytes::add(const Bytes& other) {
    if (ranges_.empty()) {
        ranges_ = other.ranges_;
        return;
    }
    if (other.ranges_.size() <= 2) {
        for (const Range& range : other.ranges_) add(range);
        return;
    }
    std::vector<Range> all;
    std::merge(ranges_.begin(), ranges_.end(), other.ranges_.begin(), other.ranges_.end(), std::back_inserter(all));
    ranges_.clear();
    for (const Range& range : all) {
        if (!ranges_.empty() && range.first <= ranges_.back().second)
            ranges_.back().second = std::max(ranges_.back().second, range.second);
        else
            ranges_.push_back(range);
    }
}

Bytes Bytes::common_with(const Bytes& other) const {
    Bytes common;
    for (auto a = ranges_.begin(), b = other.ranges_.begin(); a != ranges_.end() && b != other.ranges_.end();) {
        const std::uint64_t from = std::max(a->first, b->first), to = std::min(a->second, b->second);
        if (from < to) common.ranges_.emplace_back(from, to);
        a->second < b->second ? ++a : ++b;
    }
    return common;
}

bool Bytes::holds(const Range& range) const {
    const auto at = std::upper_bound(ranges_.begin(), ranges_.end(), range.first,
                                     [](std::uint64_t begin, const Range& r) { return begin < r.second; });
    return at != ranges_.end() && at->first <= range.first && range.second <= at->second;
}

std::optional<Bytes::Range> Bytes::missing(const Bytes& wanted) const {
    for (const Range& range : wanted.ranges_) {
        if (holds(range)) continue;
        std::uint64_t from = range.first;
        for (const Range& here : ranges_) {
            if (here.second <= from) continue;
            if (here.first > from) return Range{from, std::min(range.second, here.first)};
            from = here.second;
            if (from >= range.second) break;
        }
        return Range{from, range.second};
    }
    return std::nullopt;
}

}  // namespace eagle::graph
