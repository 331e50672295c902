// Checks of the arrays that compaction, reorder and reset are given.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "Check.h"

namespace eagle::host {

inline void require_samples(std::int64_t n) {
    if (n < 0) refuse("desc->n is " + std::to_string(n) + "; it must be 0 or more");
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (n <= most) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, "desc->n is " + std::to_string(n) +
                                                 "; sample numbers have 32 bits here, so it must be at most " +
                                                 std::to_string(most) + "; work on parts of the samples");
}

inline void require_aligned(std::uint64_t address, const std::string& name, std::uint32_t alignment) {
    if (address % alignment == 0) return;
    refuse(name + " lies " + std::to_string(address % alignment) + " bytes past a multiple of " +
           std::to_string(alignment) + "; it must be aligned to its elements");
}

template <class T>
T* array_at(std::uint64_t address, const std::string& name) {
    if (address == 0) refuse(name + " is null; pass the address of its memory");
    require_aligned(address, name, alignof(T));
    return reinterpret_cast<T*>(address);
}

// An array of n elements, which may be null where n is 0.
template <class T>
T* samples_at(std::uint64_t address, const std::string& name, std::int64_t n) {
    return n == 0 ? reinterpret_cast<T*>(address) : array_at<T>(address, name);
}

}  // namespace eagle::host
