// Modules, launches.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "Shim.h"

namespace eagle::hip::abi {

namespace {

// In place of code objects for AMD's processors: a fat binary of CUDA with the same kernels.
const void* image_of_cuda(const void* image) {
    static const std::string& bundle = *new std::string("__CLANG_OFFLOAD_BUNDLE__");
    if (std::memcmp(image, bundle.data(), bundle.size()) != 0) return image;
    static const std::string& fat_binary = *[] {
        const char* named = std::getenv("HIP_SHIM_FATBIN");
        std::ifstream file(named ? named : "", std::ios::binary);
        return new std::string{std::istreambuf_iterator<char>(file), {}};
    }();
    return fat_binary.data();
}

}  // namespace

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
    SHIM_RETURN(cuModuleLoadData, 2000, reinterpret_cast<CUmodule*>(module), image_of_cuda(image));
}

hipError_t hipModuleUnload(hipModule_t module) {
    SHIM_RETURN(cuModuleUnload, 2000, reinterpret_cast<CUmodule>(module));
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
    SHIM_RETURN(cuModuleGetFunction, 2000, reinterpret_cast<CUfunction*>(function), reinterpret_cast<CUmodule>(module),
                name);
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, std::size_t* bytes, hipModule_t module, const char* name) {
    SHIM_RETURN(cuModuleGetGlobal, 3020, reinterpret_cast<CUdeviceptr*>(address), bytes,
                reinterpret_cast<CUmodule>(module), name);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void** parameters, void** extra) {
    SHIM_RETURN(cuLaunchKernel, 4000, reinterpret_cast<CUfunction>(function), grid_x, grid_y, grid_z, block_x, block_y,
                block_z, shared_bytes, reinterpret_cast<CUstream>(stream), parameters, extra);
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* context) {
    SHIM_RETURN(cuLaunchHostFunc, 10000, reinterpret_cast<CUstream>(stream), function, context);
}

}  // namespace eagle::hip::abi
