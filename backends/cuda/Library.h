// libcuda.so.1: opened at first use, its functions found one by one. Opening it starts nothing: that is cuInit, which
// waits for the first handle.
#pragma once
#include <cudaTypedefs.h>

#include <cstdint>
#include <string>

// The header gives some names anew to their newest form; here each is a name.
#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuMemAlloc
#undef cuMemFree
#undef cuModuleGetGlobal
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuGraphAddNode
#undef cuGraphInstantiate
#undef cuGraphKernelNodeGetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate

namespace eagle::cuda {

// Null where the driver has no such form of a function.
struct Functions {
#define CUDA_ENTRY(name, version, groups) PFN_##name##_v##version name = nullptr;
#include "driver_entries.def"
};

struct Library {
    std::string file;   // that was asked for
    std::string error;  // why it cannot be used; "" where it can
    int version = 0;    // 12040 = CUDA 12.4
    Functions functions;

    static const Library& of_process();
    // Capability bits of the functions that are there, and of the driver's version; without a driver those that one can
    // have.
    std::uint64_t capabilities() const;
};

std::string version_text(int version);  // "12.4"

}  // namespace eagle::cuda
