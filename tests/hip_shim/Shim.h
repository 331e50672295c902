// What the functions of the shim share: the CUDA driver behind them, and its calls.
#pragma once
#include <cudaTypedefs.h>
#include <hip_abi.h>

// The header gives some names anew to their newest form; here each is a name.
#undef cuDeviceGetUuid
#undef cuStreamDestroy
#undef cuMemAlloc
#undef cuModuleGetGlobal
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuGraphKernelNodeGetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate

// Every function that the backend calls, with the type that it calls it by.
namespace eagle::hip::abi {
#define HIP_ENTRY(returns, name, groups, parameters) \
    extern "C" __attribute__((visibility("default"))) returns name parameters;
#include <runtime_entries.def>
}  // namespace eagle::hip::abi

namespace hip_shim {

// A function of the driver, in the form of a version; null where the driver has none. The driver is the file that
// $HIP_SHIM_CUDA_DRIVER names, or libcuda.so.1.
void* find(const char* name, int version);

// The code of CUDA as one of HIP: where both have an error, their numbers agree. hipGetLastError gives it once more.
eagle::hip::abi::hipError_t result(CUresult code);
eagle::hip::abi::hipError_t& last_error();  // of this thread

// The thread's device of HIP is current for CUDA, for the time of a call: what was current before is so again.
class OnDevice {
  public:
    OnDevice();
    ~OnDevice();
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    CUresult trouble = CUDA_SUCCESS;

  private:
    CUcontext before_ = nullptr;
    bool knows_before_ = false;
};

int& device_of_thread();

}  // namespace hip_shim

// CUDA_FUNCTION(cuInit, 2000): a pointer to it.
#define CUDA_FUNCTION(name, version)                                                                               \
    ([] {                                                                                                          \
        static const auto of_driver = reinterpret_cast<PFN_##name##_v##version>(::hip_shim::find(#name, version)); \
        return of_driver;                                                                                          \
    }())
// The last statement of a function of HIP that is one of CUDA's.
#define SHIM_RETURN(name, version, ...)                                           \
    const auto function_of_driver = CUDA_FUNCTION(name, version);                 \
    if (!function_of_driver) return ::hip_shim::result(CUDA_ERROR_NOT_SUPPORTED); \
    const ::hip_shim::OnDevice on;                                                \
    return ::hip_shim::result(on.trouble ? on.trouble : function_of_driver(__VA_ARGS__))
