// A launch through the seam.
#pragma once
#include <eagle/Backend.h>
#include <eagle/Exec.h>

#include <cstddef>
#include <cstdint>

namespace eagle::lowering {

struct KernelCall {
    std::uint64_t function = 0;
    Partition part;
    std::uint32_t block = 256, grid = 0, shared_bytes = 0, max_parallel = 0;
    const void* const* params = nullptr;  // addresses of the arguments, which are copied
    const std::uint64_t* sizes = nullptr;
    std::size_t count = 0;

    void put(const Backend& backend, std::int32_t device, std::uint64_t stream) const;
};

}  // namespace eagle::lowering
