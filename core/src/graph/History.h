// Who touched which bytes last: from it follow the pairs of nodes that must be in order.
#pragma once
#include <eagle/graph/Plane.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace eagle::graph {

// One touch of an extent, by a number that the caller counts upwards.
using TouchId = std::uint32_t;
inline constexpr TouchId no_touch = 0xffffffff;

// A conflict: `before` wrote (before_writes) or read bytes that the touch at hand reads or writes.
using Conflict = std::function<void(TouchId before, bool before_writes)>;

// Extents that lie together. Every pair of touches that conflict is reported, or follows from pairs that are.
class History {
  public:
    virtual ~History() = default;
    // `extent` is a number of the extents the history was made for.
    virtual void touch(TouchId id, std::uint32_t extent, bool reads, bool writes, const Conflict& conflict) = 0;
};

// Contiguous ranges: a map of segments, each with its last writer and the readers since. O(log n) a touch, and one step
// for each segment it meets; a write leaves one.
std::unique_ptr<History> segment_history(std::span<const Extent> extents);
// Any extents: the last writer of each and its readers since, and which extents meet which.
std::unique_ptr<History> footprint_history(std::span<const Extent> extents);

// For each extent the others that it meets, exactly.
std::vector<std::vector<std::uint32_t>> meeting(std::span<const Extent> extents);

}  // namespace eagle::graph
