// Moves the kept samples of every plane to the front, in place and in order, the dropped ones behind them.
#pragma once
#include <cstdint>
#include <vector>

namespace eagle::host {

struct ReorderPlane {
    void* data;
    std::uint32_t elem_bytes;  // 1, 2, 4, 8 or 16; data is aligned to it
};

struct ReorderCall {
    std::vector<ReorderPlane> planes;    // n elements each
    const std::uint8_t* mask = nullptr;  // one of the planes
    bool mask_is_drop = false;
    std::int64_t n = 0;
    std::int32_t *perm = nullptr, *inv = nullptr, *index_map = nullptr;  // n each
    std::uint32_t *count = nullptr, *span = nullptr, *fire = nullptr;    // fire may be null
    void* scratch = nullptr;                                             // reorder_scratch_bytes, at any address
};

// `widest`: the most bytes of an element of the planes.
std::uint64_t reorder_scratch_bytes(std::int64_t n, std::uint32_t widest);
// Returns when it is done; allocates nothing.
void run_reorder(const ReorderCall& call);
// perm, inv and (where it is not null) index_map become the identity, *count and *span n. Nothing else is read.
void run_reset(const ReorderCall& call);

}  // namespace eagle::host
