// Planes of which each rank has its own samples.
#pragma once
#include <eagle/Exec.h>
#include <eagle/Ranks.h>
#include <eagle/marshal/ArrayView.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace eagle::ranks {

// A plane as rows of one element a sample. Where the components of a sample lie side by side, they are one element.
struct Rows {
    std::vector<std::byte*> begins;
    std::int64_t samples = 0, stride = 0, item = 0;  // stride and item in bytes
    std::int32_t device_type = 1, device_id = 0;
};

// Samples along the last axis, or the first where the view says so. Throws BufferRefused for a plane that is read-only,
// LayoutError for one without axes, and for one of a device whose samples do not lie one after the other; `what` is
// what the plane is called.
Rows rows_of(const ArrayView& plane, const std::string& what);

// Rank r's samples are parts[r]; afterwards all samples are there on every rank. What fails on this rank alone is
// raised when the exchange is over; who calls tells the others.
void gather(const RankPartition::State& ranks, const Rows& rows, std::span<const Partition> parts);

}  // namespace eagle::ranks
