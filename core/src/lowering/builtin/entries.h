// What eagle's own kernels take: one argument each, by value.
#pragma once
#include <cstdint>

namespace eagle::builtin {

// One unit a sample: sample i writes pattern to to + i * size.
struct Fill {
    static constexpr const char* entry = "eagle_builtin_fill";
    std::uint64_t to;
    std::uint64_t size;  // 1, 2, 4, 8 or 16
    alignas(8) unsigned char pattern[16];
};

// Sample i takes element index[i] (int32) of `from` as its element of `to`; the two lie apart.
struct Gather {
    static constexpr const char* entry = "eagle_builtin_gather";
    std::uint64_t from, to, index;
    std::uint64_t size;  // of an element: 1, 2, 4, 8 or 16 bytes
};

// Folds: sum 0, max 1, min 2, all 3, product 4. Types: float64 0, float32 1, int64 2, int32 3, uint32 4, bool 5.
// One block a sample: sample b folds the elements [b * block, (b + 1) * block) of n, counted in row-major order, one
// after the other from the identity, into element b of `to`.
// A card launches it in blocks of `threads`.
struct Reduce {
    static constexpr const char* entry = "eagle_builtin_reduce";
    static constexpr std::uint32_t threads = 32;
    std::uint64_t from, to;
    std::int64_t n, block;
    std::int32_t fold, from_type, to_type;
    std::int32_t ndim;  // 0: dense
    std::int64_t shape[8];
    std::int64_t strides[8];  // bytes
};

}  // namespace eagle::builtin
