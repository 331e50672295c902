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

#include "ranks/Exchanges.h"

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

// Rank r's samples of every plane are parts[r]; afterwards all samples are there on every rank.
void gather(const RankPartition::State& ranks, Exchanges& exchanges, std::span<const Rows> planes,
            std::span<const Partition> parts);

}  // namespace eagle::ranks
