// Planes as the seam moves them: rows of one element a sample.
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <vector>

namespace eagle::active {

struct Row {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;  // of one sample: 1, 2, 4, 8 or 16
    friend bool operator==(const Row&, const Row&) = default;
};

// The rows of a plane of n samples. Throws LayoutError for a plane that has no such rows, BufferRefused for one that
// may not be written.
std::vector<Row> rows_of(const ArrayView& plane, std::int64_t n);

}  // namespace eagle::active
