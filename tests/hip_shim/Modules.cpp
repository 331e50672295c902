// Modules, launches.
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "Shim.h"

namespace eagle::hip::abi {

namespace {

std::string content_of(const char* variable) {
    const char* named = std::getenv(variable);
    std::ifstream file(named ? named : "", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool is_code_object(const void* image) {
    if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return false;
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    constexpr std::uint16_t amdgpu = 224;
    return header.e_machine == amdgpu;
}

// In place of code for AMD's processors: a fat binary of CUDA with the same kernels. A bundle is the backend's, a code
// object libeagle's.
const void* image_of_cuda(const void* image) {
    constexpr std::string_view bundle = "__CLANG_OFFLOAD_BUNDLE__";
    static const std::string& of_backend = *new std::string(content_of("HIP_SHIM_FATBIN"));
    static const std::string& of_eagle = *new std::string(content_of("HIP_SHIM_BUILTIN"));
    if (std::memcmp(image, bundle.data(), bundle.size()) == 0) return of_backend.data();
    return is_code_object(image) ? of_eagle.data() : image;
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
