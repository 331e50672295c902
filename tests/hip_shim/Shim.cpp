#include "Shim.h"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace hip_shim {

using namespace eagle::hip::abi;

static_assert(int{hipErrorInvalidValue} == int{CUDA_ERROR_INVALID_VALUE});
static_assert(int{hipErrorOutOfMemory} == int{CUDA_ERROR_OUT_OF_MEMORY});
static_assert(int{hipErrorNotInitialized} == int{CUDA_ERROR_NOT_INITIALIZED});
static_assert(int{hipErrorNoDevice} == int{CUDA_ERROR_NO_DEVICE});
static_assert(int{hipErrorInvalidImage} == int{CUDA_ERROR_INVALID_IMAGE});
static_assert(int{hipErrorNoBinaryForGpu} == int{CUDA_ERROR_NO_BINARY_FOR_GPU});
static_assert(int{hipErrorInvalidHandle} == int{CUDA_ERROR_INVALID_HANDLE});
static_assert(int{hipErrorNotFound} == int{CUDA_ERROR_NOT_FOUND});
static_assert(int{hipErrorNotSupported} == int{CUDA_ERROR_NOT_SUPPORTED});
static_assert(int{hipErrorStreamCaptureInvalidated} == int{CUDA_ERROR_STREAM_CAPTURE_INVALIDATED});
static_assert(int{hipErrorStreamCaptureUnjoined} == int{CUDA_ERROR_STREAM_CAPTURE_UNJOINED});
static_assert(int{hipErrorGraphExecUpdateFailure} == int{CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE});

void* find(const char* name, int version) {
    static const auto look_up = [] {
        const char* named = std::getenv("HIP_SHIM_CUDA_DRIVER");
        void* driver = dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        return reinterpret_cast<PFN_cuGetProcAddress_v12000>(driver ? dlsym(driver, "cuGetProcAddress_v2") : nullptr);
    }();
    void* found = nullptr;
    if (look_up) look_up(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
    return found;
}

hipError_t& last_error() {
    static thread_local hipError_t last = hipSuccess;
    return last;
}

hipError_t result(CUresult code) {
    if (code != CUDA_SUCCESS) last_error() = static_cast<hipError_t>(code);
    return static_cast<hipError_t>(code);
}

int& device_of_thread() {
    static thread_local int device = 0;
    return device;
}

namespace {

CUresult primary(int device, CUcontext& context) {
    static std::mutex& mutex = *new std::mutex;
    static auto& retained = *new std::map<int, CUcontext>;
    std::lock_guard<std::mutex> lock(mutex);
    context = retained[device];
    if (context) return CUDA_SUCCESS;
    const CUresult code = CUDA_FUNCTION(cuDevicePrimaryCtxRetain, 7000)(&context, device);
    if (code == CUDA_SUCCESS) retained[device] = context;
    return code;
}

}  // namespace

// HIP knows no such calls, so that one which fails by itself is none of HIP's: each is made again, also where several
// fail in a row.
template <class Call>
static CUresult again_where_it_fails(Call call) {
    CUresult code = call();
    for (int more = 15; more > 0 && code != CUDA_SUCCESS; --more) code = call();
    return code;
}

OnDevice::OnDevice() {
    CUcontext context = nullptr;
    trouble = again_where_it_fails([&] { return CUDA_FUNCTION(cuCtxGetCurrent, 4000)(&before_); });
    knows_before_ = trouble == CUDA_SUCCESS;
    if (trouble == CUDA_SUCCESS) trouble = again_where_it_fails([&] { return primary(device_of_thread(), context); });
    if (trouble != CUDA_SUCCESS || context == before_) return;
    trouble = again_where_it_fails([&] { return CUDA_FUNCTION(cuCtxSetCurrent, 4000)(context); });
}

OnDevice::~OnDevice() {
    if (knows_before_) CUDA_FUNCTION(cuCtxSetCurrent, 4000)(before_);
}

// The linker says which function is missing.
extern const void* const every_function[];
const void* const every_function[] = {
#define HIP_ENTRY(returns, name, groups, parameters) reinterpret_cast<const void*>(&name),
#include <runtime_entries.def>
};

}  // namespace hip_shim
