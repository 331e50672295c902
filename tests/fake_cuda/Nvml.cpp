// $FAKE_CUDA_SLICES cuts device 0 into that many slices (multi-instance GPUs).
//
// The part of NVML that tells how many devices there are, without the driver being started. Like the real one, it knows
// nothing of CUDA_VISIBLE_DEVICES.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "State.h"

namespace {

constexpr int success = 0, invalid_argument = 2, not_supported = 3, not_found = 6;
constexpr std::uintptr_t slices_from = 0x1000;

unsigned slices() {
    const char* text = std::getenv("FAKE_CUDA_SLICES");
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

}  // namespace

#define FAKE_NVML_API extern "C" __attribute__((visibility("default"))) int

FAKE_NVML_API nvmlInit_v2() { return success; }
FAKE_NVML_API nvmlShutdown() { return success; }

FAKE_NVML_API nvmlDeviceGetCount_v2(unsigned* count) {
    if (!count) return invalid_argument;
    *count = static_cast<unsigned>(fake_cuda::settings().devices);
    return success;
}

FAKE_NVML_API nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    if (!device || index >= static_cast<unsigned>(fake_cuda::settings().devices)) return not_found;
    *device = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);
    return success;
}

FAKE_NVML_API nvmlDeviceGetUUID(void* device, char* text, unsigned length) {
    if (!device || !text || length < 41) return invalid_argument;
    const auto number = reinterpret_cast<std::uintptr_t>(device);
    if (number >= slices_from) {
        std::snprintf(text, length, "MIG-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea%02x",
                      static_cast<unsigned>(number - slices_from));
        return success;
    }
    auto index = static_cast<unsigned>(number - 1);
    std::snprintf(text, length, "GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea%02x", index);
    return success;
}

FAKE_NVML_API nvmlDeviceGetMaxMigDeviceCount(void* device, unsigned* count) {
    if (!device || !count) return invalid_argument;
    *count = slices() > 0 ? 7 : 0;
    return success;
}

FAKE_NVML_API nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned index, void** slice) {
    if (!device || !slice) return invalid_argument;
    if (slices() == 0) return not_supported;
    if (reinterpret_cast<std::uintptr_t>(device) != 1 || index >= slices()) return not_found;
    *slice = reinterpret_cast<void*>(slices_from + index);
    return success;
}
