// Memory that a caller lends for the time of a call, at any address: what is asked for includes the room to align it.
#pragma once
#include <cstdint>

namespace eagle::host {

constexpr std::uint64_t scratch_alignment = 16;

inline void* aligned_scratch(void* scratch) {
    auto address = reinterpret_cast<std::uint64_t>(scratch);
    return reinterpret_cast<void*>((address + scratch_alignment - 1) / scratch_alignment * scratch_alignment);
}

}  // namespace eagle::host
