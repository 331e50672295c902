#include "DeviceMemory.h"

#include <eagle/seam/eagle_backend.h>

#include <cstring>

#include "HostMemory.h"
#include "Kind.h"

namespace eagle::host {

std::uint64_t DeviceMemory::allocate(std::int32_t, std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 256;
    return HostMemory::of_process().allocate(bytes, alignment);
}

void DeviceMemory::require_owned(std::uint64_t address) const { HostMemory::of_process().require_owned(address); }
void DeviceMemory::free(std::uint64_t address) { HostMemory::of_process().free(address); }
std::int32_t DeviceMemory::residency(std::int32_t, std::uint64_t) const { return EAGLE_BACKEND_RESIDENCY_HOST; }
std::int32_t DeviceMemory::device_of(std::uint64_t) const { return -1; }
void DeviceMemory::require_reachable(std::int32_t, std::uint64_t, std::uint64_t, const char*) const {}
void DeviceMemory::require_copy(std::int32_t, std::uint64_t, std::uint64_t, std::uint64_t, std::int32_t) const {}
void DeviceMemory::require_argument(std::int32_t, std::uint64_t, std::int64_t) const {}

void require_arguments(std::int32_t device, void* const* params, const std::uint64_t* sizes, std::int64_t count) {
    constexpr std::uint64_t pointer = sizeof(std::uint64_t), view = 32, vector_view = 40;
    if (!sizes || !this_kind.has_own_memory) return;
    const DeviceMemory& memory = this_kind.memory();
    for (std::int64_t i = 0; i < count; ++i) {
        if (sizes[i] != pointer && sizes[i] != view && sizes[i] != vector_view) continue;
        std::uint64_t value = 0;
        std::memcpy(&value, params[i], sizeof value);
        memory.require_argument(device, value, i);
    }
}

}  // namespace eagle::host
