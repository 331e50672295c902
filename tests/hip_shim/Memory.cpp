// Memory, copies, fills.
#include "Shim.h"

namespace eagle::hip::abi {

namespace {

CUdeviceptr cuda(const void* address) { return reinterpret_cast<CUdeviceptr>(address); }

}  // namespace

hipError_t hipMallocAsync(void** address, std::size_t bytes, hipStream_t stream) {
    SHIM_RETURN(cuMemAllocAsync, 11020, reinterpret_cast<CUdeviceptr*>(address), bytes,
                reinterpret_cast<CUstream>(stream));
}

hipError_t hipFreeAsync(void* address, hipStream_t stream) {
    SHIM_RETURN(cuMemFreeAsync, 11020, cuda(address), reinterpret_cast<CUstream>(stream));
}

hipError_t hipHostMalloc(void** address, std::size_t bytes, unsigned flags) {
    SHIM_RETURN(cuMemHostAlloc, 2020, address, bytes, flags);
}

hipError_t hipHostFree(void* address) { SHIM_RETURN(cuMemFreeHost, 2000, address); }

hipError_t hipMemcpyAsync(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
    if (kind != hipMemcpyDefault) return hip_shim::last_error() = hipErrorInvalidValue;
    SHIM_RETURN(cuMemcpyAsync, 4000, cuda(dst), cuda(src), bytes, reinterpret_cast<CUstream>(stream));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, std::size_t count, hipStream_t stream) {
    SHIM_RETURN(cuMemsetD8Async, 3020, cuda(dst), value, count, reinterpret_cast<CUstream>(stream));
}

// Of plain memory some runtimes say that it is not registered, others that the address is no valid value.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* address) {
    const hip_shim::OnDevice on;
    if (on.trouble) return hip_shim::result(on.trouble);
    const auto ask = CUDA_FUNCTION(cuPointerGetAttribute, 4000);
    *attributes = {};
    unsigned type = 0;
    const CUresult code = ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, cuda(address));
    if (code == CUDA_ERROR_INVALID_VALUE && HIP_SHIM_VERSION >= 7) return hipSuccess;
    if (code != CUDA_SUCCESS) return hip_shim::result(code);
    attributes->type = type == CU_MEMORYTYPE_HOST ? hipMemoryTypeHost : hipMemoryTypeDevice;
    ask(&attributes->isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, cuda(address));
    return hip_shim::result(ask(&attributes->device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, cuda(address)));
}

}  // namespace eagle::hip::abi
