// How the axes of an array count components and samples.
#pragma once
#include <eagle/marshal/ArrayView.h>
#include <eagle/marshal/Signature.h>

#include <cstdint>

namespace eagle::marshal {

// An array read as rows x cols components of `samples` samples. Strides in bytes.
struct Reading {
    std::int64_t samples = 1;
    std::int64_t rows = 1, cols = 1;
    std::int64_t row_stride = 0, col_stride = 0, sample_stride = 0;
    bool one = false;            // a value of the plane's per-sample shape, not a batch
    bool samples_first = false;  // the array's first axis counts samples

    std::int64_t components() const { return rows * cols; }
    bool empty() const { return samples == 0 || rows == 0 || cols == 0; }
};

// Why an array cannot be read in place through the block of its plane.
enum class Obstacle : std::uint8_t { none, samples_first, zero_stride, negative_stride, split_components, unaligned };

// The one reading of a sample plane. `axis` decides between two; throws LayoutError when none or both fit.
Reading read_plane(const Signature& signature, const Parameter& parameter, const ArrayView& view, SamplesAxis axis);
// A table: one dimension of any stride, or several dense ones read as one. `samples` is the number of elements.
Reading read_table(const Signature& signature, const Parameter& parameter, const ArrayView& view);

// Axes of extent 1 get the stride of a dense array, since nothing moves along them. `item` is the size of an element.
void settle_strides(Reading& reading, std::int64_t item);
// Expects settled strides.
Obstacle obstacle(const Reading& reading, const void* data, std::int64_t item);
const char* obstacle_text(Obstacle obstacle);

}  // namespace eagle::marshal
