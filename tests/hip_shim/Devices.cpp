// Devices, errors.
#include <cstdio>
#include <map>

#include "Shim.h"

namespace eagle::hip::abi {

using namespace hip_shim;

hipError_t hipInit(unsigned flags) {
    const auto init = CUDA_FUNCTION(cuInit, 2000);
    return init ? result(init(flags)) : (last_error() = hipErrorNoDevice);
}

const char* hipGetErrorName(hipError_t error) {
    static const std::map<hipError_t, const char*> names = {
        {hipErrorInvalidValue, "hipErrorInvalidValue"},
        {hipErrorOutOfMemory, "hipErrorOutOfMemory"},
        {hipErrorNotInitialized, "hipErrorNotInitialized"},
        {hipErrorNoDevice, "hipErrorNoDevice"},
        {hipErrorInvalidDevice, "hipErrorInvalidDevice"},
        {hipErrorInvalidImage, "hipErrorInvalidImage"},
        {hipErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu"},
        {hipErrorInvalidHandle, "hipErrorInvalidHandle"},
        {hipErrorNotFound, "hipErrorNotFound"},
        {hipErrorNotSupported, "hipErrorNotSupported"},
    };
    const auto found = names.find(error);
    return found == names.end() ? "hipErrorUnknown" : found->second;
}

hipError_t hipGetLastError() {
    const hipError_t last = last_error();
    last_error() = hipSuccess;
    return last;
}

hipError_t hipGetDeviceCount(int* count) { return result(CUDA_FUNCTION(cuDeviceGetCount, 2000)(count)); }

hipError_t hipGetDevice(int* device) {
    *device = device_of_thread();
    int count = 0;
    return hipGetDeviceCount(&count);  // of a runtime that has not begun, or that a fork has ended, an error
}

hipError_t hipSetDevice(int device) {
    static const int count = [] {
        int found = 0;
        hipGetDeviceCount(&found);
        return found;
    }();
    if (device < 0 || device >= count) return last_error() = hipErrorInvalidDevice;
    device_of_thread() = device;
    return hipSuccess;
}

// The label comes before the card that the driver drives.
hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
    char behind[128] = "";
    const CUresult code = CUDA_FUNCTION(cuDeviceGetName, 2000)(behind, sizeof behind, device);
    std::snprintf(name, static_cast<std::size_t>(length), "HIP host logic over a shim; never run on AMD hardware (%s)",
                  behind);
    return result(code);
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
    static const std::map<hipDeviceAttribute_t, CUdevice_attribute> of_cuda = {
        {hipDeviceAttributeClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
        {hipDeviceAttributeComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
        {hipDeviceAttributeComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
        {hipDeviceAttributeMaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
        {hipDeviceAttributeMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
        {hipDeviceAttributeMaxSharedMemoryPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
        {hipDeviceAttributeSharedMemPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
        {hipDeviceAttributeMemoryBusWidth, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
        {hipDeviceAttributeMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
        {hipDeviceAttributeMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {hipDeviceAttributeWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    };
    const auto found = of_cuda.find(attribute);
    if (found == of_cuda.end()) return last_error() = hipErrorInvalidValue;
    return result(CUDA_FUNCTION(cuDeviceGetAttribute, 2000)(value, found->second, device));
}

hipError_t hipDeviceGetUuid(hipUUID_t* uuid, hipDevice_t device) {
    return result(CUDA_FUNCTION(cuDeviceGetUuid, 11040)(reinterpret_cast<CUuuid*>(uuid), device));
}

hipError_t hipDeviceGetPCIBusId(char* text, int length, int device) {
    return result(CUDA_FUNCTION(cuDeviceGetPCIBusId, 4010)(text, length, device));
}

}  // namespace eagle::hip::abi
