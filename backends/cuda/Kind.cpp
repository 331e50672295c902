// Kind cuda: NVIDIA's devices.
#include "../common/gpu/Kind.h"

#include "CudaDriver.h"
#include "DeviceCode.h"
#include "Nvml.h"

namespace eagle::cuda {
namespace {

constexpr int oldest_version = 12010;
constexpr std::int32_t dlpack_cuda = 2, dlpack_cuda_host = 3, dlpack_cuda_managed = 13;

using host::Failure;

void require_driver() {
    const Library& library = Library::of_process();
    if (!library.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, library.error);
    if (library.version >= oldest_version) return;
    throw Failure(EAGLE_BACKEND_UNAVAILABLE, library.file + " is of CUDA " + version_text(library.version) +
                                                 "; at least " + version_text(oldest_version) +
                                                 " is needed, and driver 580 or newer for all that is here");
}

// The DLPack specification of __dlpack__(stream=): 1 is the legacy default stream, 2 the thread's own; 0 could be
// either.
gpu::RawStream stream_of_code(std::int64_t code, const char* argument) {
    constexpr gpu::RawStream legacy = 1;
    if (code == EAGLE_BACKEND_STREAM_NONE) return legacy;
    if (code == -1) return gpu::no_ordering;
    if (code > 0) return static_cast<gpu::RawStream>(code);
    throw Failure(EAGLE_BACKEND_INTEROP,
                  std::string(argument) + " is " + std::to_string(code) +
                      "; for CUDA it must be none given or 1 (the legacy default stream), 2 (the thread's own), -1 (no "
                      "ordering) or a stream");
}

}  // namespace
}  // namespace eagle::cuda

const eagle::gpu::Kind eagle::gpu::this_kind = {
    "cuda",
    EAGLE_CUDA_ARCHS,
    {eagle::cuda::dlpack_cuda, eagle::cuda::dlpack_cuda_host, eagle::cuda::dlpack_cuda_managed},
    [] { return eagle::cuda::Library::of_process().capabilities(); },
    &eagle::cuda::require_driver,
    &eagle::cuda::visible_devices,
    []() -> eagle::gpu::Driver& {
        return eagle::gpu::started<eagle::cuda::CudaDriver>(eagle::cuda::Library::of_process());
    },
    [] { return static_cast<const void*>(eagle_cuda_device_code); },
    &eagle::cuda::stream_of_code,
};
