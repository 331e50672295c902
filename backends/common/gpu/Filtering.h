// Compaction, reorder and reset as kernels on a stream: nothing is allocated, and nothing is read by the host.
#pragma once
#include "../host/Compact.h"
#include "../host/Reorder.h"
#include "Kernels.h"

namespace eagle::gpu {

std::uint64_t compact_scratch_bytes(std::int64_t n);
std::uint64_t reorder_scratch_bytes(std::int64_t n, std::uint32_t widest);

// With the device current; addresses are the device's. Throw Failure.
void put_compact(const host::CompactCall& call, int device, RawStream stream);
void put_reorder(const host::ReorderCall& call, int device, RawStream stream);
void put_reset(const host::ReorderCall& call, int device, RawStream stream);

}  // namespace eagle::gpu
