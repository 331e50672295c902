// A set of bytes as ranges.
#pragma once
#include <eagle/graph/Plane.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace eagle::graph {

class Bytes {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // [first, second)

    // The bytes of an extent; nothing where it has more than `most_rows` rows.
    static std::optional<Bytes> of(const Extent& extent);
    static constexpr std::uint64_t most_rows = 65536;

    void add(const Range& range);
    void add(const Bytes& other);
    Bytes common_with(const Bytes& other) const;
    bool holds(const Range& range) const;
    // The first range of `wanted` that is not here.
    std::optional<Range> missing(const Bytes& wanted) const;
    const std::vector<Range>& ranges() const { return ranges_; }

  private:
    std::vector<Range> ranges_;  // ascending, with gaps between them
};

}  // namespace eagle::graph
