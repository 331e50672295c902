// Initialisation, devices and their primary contexts.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "Entry.h"

namespace fake_cuda {
namespace {

// The device that an entry of CUDA_VISIBLE_DEVICES names: the digits that it begins with, behind spaces, or the
// beginning of the UUID of one device alone (Nvml.cpp has them). -1: none.
int device_named(const std::string& entry) {
    const int devices = settings().devices;
    if (entry.compare(0, 4, "GPU-") != 0) {
        char* end = nullptr;
        const long index = std::strtol(entry.c_str(), &end, 10);
        return end == entry.c_str() || index < 0 || index >= devices ? -1 : static_cast<int>(index);
    }
    int found = -1;
    for (int i = 0; i < devices; ++i) {
        char uuid[48];
        std::snprintf(uuid, sizeof uuid, "GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea%02x", static_cast<unsigned>(i));
        if (std::strncmp(uuid, entry.c_str(), entry.size()) != 0) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

// As the driver does it: up to the first entry that names no device, and none at all of a list that repeats one.
int visible_devices() {
    const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!text) return settings().devices;
    std::set<int> visible;
    for (const char* at = text; *at;) {
        const std::size_t length = std::strcspn(at, ",");
        const int device = device_named(std::string(at, length));
        if (device < 0) break;
        if (!visible.insert(device).second) return 0;
        at += length + (at[length] == ',' ? 1 : 0);
    }
    return static_cast<int>(visible.size());
}

CUresult init(unsigned flags) {
    if (CUresult refused = enter("cuInit", Needs::nothing)) return refused;
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    State& s = state();
    Lock lock(s.mutex);
    if (s.is_forked) return CUDA_ERROR_NOT_INITIALIZED;
    if (s.is_initialised) return CUDA_SUCCESS;
    int devices = visible_devices();
    if (devices == 0) return CUDA_ERROR_NO_DEVICE;
    for (int i = 0; i < devices; ++i) {
        s.contexts.push_back(std::make_unique<CUctx_st>(CUctx_st{i, 0}));
        s.legacy.push_back(std::make_unique<CUstream_st>());
        s.legacy.back()->context = s.contexts.back().get();
    }
    s.is_initialised = true;
    return CUDA_SUCCESS;
}

CUresult driver_version(int* version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = settings().version;
    return CUDA_SUCCESS;
}

bool is_device(CUdevice device) { return device >= 0 && static_cast<std::size_t>(device) < state().contexts.size(); }

CUresult device_count(int* number) {
    FAKE_CUDA_ENTER(cuDeviceGetCount, driver);
    *number = static_cast<int>(state().contexts.size());
    return CUDA_SUCCESS;
}

CUresult device_get(CUdevice* device, int ordinal) {
    FAKE_CUDA_ENTER(cuDeviceGet, driver);
    if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult device_name(char* name, int length, CUdevice device) {
    FAKE_CUDA_ENTER(cuDeviceGetName, driver);
    if (!is_device(device) || length < 1) return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<std::size_t>(length), "fake-cuda (host memory, test only)");
    return CUDA_SUCCESS;
}

CUresult device_uuid(CUuuid* uuid, CUdevice device) {
    FAKE_CUDA_ENTER(cuDeviceGetUuid, driver);
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    std::memset(uuid->bytes, 0xEA, sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<char>(device);
    return CUDA_SUCCESS;
}

CUresult device_bus(char* text, int length, CUdevice device) {
    FAKE_CUDA_ENTER(cuDeviceGetPCIBusId, driver);
    if (!is_device(device) || length < 13) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", 0xf0 + device);
    return CUDA_SUCCESS;
}

CUresult device_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    FAKE_CUDA_ENTER(cuDeviceGetAttribute, driver);
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    static const std::map<int, int> values = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2000000},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 256},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 102400},
        {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
        {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    };
    auto found = values.find(attribute);
    *value = found == values.end() ? 0 : found->second;
    return CUDA_SUCCESS;
}

CUresult retain(CUcontext* context, CUdevice device) {
    FAKE_CUDA_ENTER(cuDevicePrimaryCtxRetain, driver);
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    Lock lock(state().mutex);
    *context = state().contexts[static_cast<std::size_t>(device)].get();
    ++(*context)->retained;
    return CUDA_SUCCESS;
}

CUresult release(CUdevice device) {
    FAKE_CUDA_ENTER_LATE(cuDevicePrimaryCtxRelease, driver);
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    Lock lock(state().mutex);
    CUctx_st& context = *state().contexts[static_cast<std::size_t>(device)];
    if (context.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    --context.retained;
    return late;
}

CUresult primary_state(CUdevice device, unsigned* flags, int* active) {
    FAKE_CUDA_ENTER(cuDevicePrimaryCtxGetState, driver);
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    Lock lock(state().mutex);
    *flags = 0;
    *active = state().contexts[static_cast<std::size_t>(device)]->retained > 0;
    return CUDA_SUCCESS;
}

CUresult set_current(CUcontext context) {
    FAKE_CUDA_ENTER_LATE(cuCtxSetCurrent, driver);
    current_context = context;
    return late;
}

CUresult get_current(CUcontext* context) {
    FAKE_CUDA_ENTER(cuCtxGetCurrent, driver);
    *context = current_context;
    return CUDA_SUCCESS;
}

CUresult device_of_context(CUdevice* device) {
    FAKE_CUDA_ENTER(cuCtxGetDevice, context);
    *device = current_context->device;
    return CUDA_SUCCESS;
}

CUresult synchronize_context() {
    FAKE_CUDA_ENTER(cuCtxSynchronize, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    wait_for_all(lock, current_context->device);
    return CUDA_SUCCESS;
}

// The names of those that the backend under test gives texts for; the rest by their number.
CUresult error_name(CUresult error, const char** text) {
    static const std::map<int, const char*> names = {
        {CUDA_SUCCESS, "CUDA_SUCCESS"},
        {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
        {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
        {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
        {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE"},
        {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE"},
        {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
        {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
        {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
        {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
        {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
        {CUDA_ERROR_NOT_PERMITTED, "CUDA_ERROR_NOT_PERMITTED"},
        {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED"},
        {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"},
    };
    static thread_local char number[40];
    auto found = names.find(error);
    std::snprintf(number, sizeof number, "CUDA_ERROR_%d", static_cast<int>(error));
    *text = found == names.end() ? number : found->second;
    return CUDA_SUCCESS;
}

CUresult error_text(CUresult error, const char** text) { return error_name(error, text); }

}  // namespace

std::vector<Entry> device_entries() {
    return {
        FAKE_CUDA_ENTRY(cuInit, 2000, init),
        FAKE_CUDA_ENTRY(cuDriverGetVersion, 2020, driver_version),
        FAKE_CUDA_ENTRY(cuDeviceGetCount, 2000, device_count),
        FAKE_CUDA_ENTRY(cuDeviceGet, 2000, device_get),
        FAKE_CUDA_ENTRY(cuDeviceGetName, 2000, device_name),
        FAKE_CUDA_ENTRY(cuDeviceGetUuid, 11040, device_uuid),
        FAKE_CUDA_ENTRY(cuDeviceGetPCIBusId, 4010, device_bus),
        FAKE_CUDA_ENTRY(cuDeviceGetAttribute, 2000, device_attribute),
        FAKE_CUDA_ENTRY(cuDevicePrimaryCtxRetain, 7000, retain),
        FAKE_CUDA_ENTRY(cuDevicePrimaryCtxRelease, 11000, release),
        FAKE_CUDA_ENTRY(cuDevicePrimaryCtxGetState, 7000, primary_state),
        FAKE_CUDA_ENTRY(cuCtxSetCurrent, 4000, set_current),
        FAKE_CUDA_ENTRY(cuCtxGetCurrent, 4000, get_current),
        FAKE_CUDA_ENTRY(cuCtxGetDevice, 2000, device_of_context),
        FAKE_CUDA_ENTRY(cuCtxSynchronize, 2000, synchronize_context),
        FAKE_CUDA_ENTRY(cuGetErrorName, 6000, error_name),
        FAKE_CUDA_ENTRY(cuGetErrorString, 6000, error_text),
    };
}

}  // namespace fake_cuda
