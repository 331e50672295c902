// Do two strided views touch the same bytes?
#pragma once
#include <cstdint>

#include "Layout.h"

namespace eagle::marshal {

// The bytes of a strided view: elements of `item` bytes at origin + sum of index * stride, three axes, strides in
// bytes.
struct Footprint {
    std::uintptr_t origin = 0;
    std::int64_t item = 0;
    std::int64_t extent[3] = {1, 1, 1};
    std::int64_t stride[3] = {0, 0, 0};
    std::uintptr_t low = 0, high = 0;  // [low, high) encloses it all; equal when it is empty

    static Footprint of(const Reading& reading, const void* data, std::int64_t item);
};

// False only when no byte is shared. Views that interleave on a common lattice, such as two columns or two blocks of
// columns of one array, are told apart; other interleavings count as overlap.
bool overlap(const Footprint& a, const Footprint& b);
// Can two elements of the view share a byte? Conservative in the same way.
bool overlaps_itself(const Footprint& footprint);

}  // namespace eagle::marshal
