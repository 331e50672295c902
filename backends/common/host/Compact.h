// The kept samples of a mask, in ascending order, and whether it is worth moving them together.
#pragma once
#include <cstdint>

namespace eagle::host {

struct CompactCall {
    const std::uint8_t* mask = nullptr;  // n bytes
    bool mask_is_drop = false;
    std::int64_t n = 0;
    std::int32_t* index_map = nullptr;  // n; those past the kept ones stay as they are
    std::uint32_t* count = nullptr;
    void* scratch = nullptr;  // compact_scratch_bytes(n), at any address
    // Each may be null; fire reads span.
    std::uint32_t *live32 = nullptr, *fire = nullptr;
    const std::uint32_t* span = nullptr;
    float theta = 0;
};

std::uint64_t compact_scratch_bytes(std::int64_t n);
// Returns when it is done; allocates nothing.
void run_compact(const CompactCall& call);

}  // namespace eagle::host
