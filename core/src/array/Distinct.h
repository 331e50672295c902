// Whether the elements of a view have a place each, as what is written must have.
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <span>

namespace eagle {

// Extents and strides (bytes, of any sign) that nest: ordered by size, each stride steps over all that the smaller ones
// reach, so that no two elements of `item` bytes share one. Other strides may keep elements apart as well.
bool strides_nest(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, std::uint64_t item);

// Exact; where the strides do not nest, as long in time and memory as a list of the elements.
bool elements_share_bytes(const ArrayView& view);

}  // namespace eagle
