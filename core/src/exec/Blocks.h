// Argument blocks read back: docs/artifacts.md, "The sidecar".
#pragma once
#include <eagle/Plan.h>
#include <eagle/marshal/Pack.h>

#include <cstddef>
#include <cstdint>

namespace eagle::exec {

struct ScalarBlock {
    std::uint64_t data, samples, stride;
    std::int32_t device_type, device_id;
};
struct VectorBlock {
    std::uint64_t data, samples, comp_stride, sample_stride;
    std::int32_t device_type, device_id;
};
static_assert(sizeof(ScalarBlock) == 32 && sizeof(VectorBlock) == 40);

// What a kernel sees of a plane: components by samples, with the samples last.
ArrayView view_of_block(const Parameter& parameter, const void* block, std::size_t size);
// The same of argument `index` of a v2 kernel.
ArrayView view_of_block(const Parameter& parameter, const marshal::Packed& packed, std::size_t index);

// The number of a uniform: a double, or a std::int64_t.
Value number_in_block(const Parameter& parameter, const void* block);

}  // namespace eagle::exec
