// The part of NVML that tells how many devices there are, without the driver being started. Like the real one, it knows
// nothing of CUDA_VISIBLE_DEVICES.
#include <cstdio>
#include <cstring>

#include "State.h"

namespace {

constexpr int success = 0, invalid_argument = 2, not_found = 6;

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
    auto index = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device) - 1);
    std::snprintf(text, length, "GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea%02x", index);
    return success;
}
