// The part of HIP's binary interface that this backend calls, as the runtimes of HIP 6 and HIP 7 have it.
//
// It is its own, so that no ROCm is needed to build, and because a header of HIP 5, which distributions still bring,
// has the same names with other values: nodes of graphs are numbered from 1 there, types of memory from 0. Every
// enumerator stands with its value, `name = value`: the tests compare them, and the structs, with AMD's own headers.
#pragma once
#include <cstddef>
#include <cstdint>

namespace eagle::hip::abi {

// ---- handles ----
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef void* hipDeviceptr_t;
typedef int hipDevice_t;
typedef void (*hipHostFn_t)(void* context);

// ---- enumerations: as wide as C makes them ----
enum hipError_t : unsigned {
    hipSuccess = 0,
    hipErrorInvalidValue = 1,
    hipErrorOutOfMemory = 2,
    hipErrorNotInitialized = 3,
    hipErrorDeinitialized = 4,
    hipErrorInsufficientDriver = 35,
    hipErrorNoDevice = 100,
    hipErrorInvalidDevice = 101,
    hipErrorInvalidImage = 200,
    hipErrorNoBinaryForGpu = 209,
    hipErrorInvalidKernelFile = 218,
    hipErrorSharedObjectInitFailed = 303,
    hipErrorInvalidHandle = 400,
    hipErrorNotFound = 500,
    hipErrorContextIsDestroyed = 709,
    hipErrorNotSupported = 801,
    hipErrorStreamCaptureInvalidated = 901,
    hipErrorStreamCaptureUnjoined = 904,
    hipErrorGraphExecUpdateFailure = 910,
};

enum hipMemcpyKind : unsigned { hipMemcpyDefault = 4 };

enum hipMemoryType : unsigned {
    hipMemoryTypeUnregistered = 0,
    hipMemoryTypeHost = 1,
    hipMemoryTypeDevice = 2,
    hipMemoryTypeManaged = 3,
};

enum hipStreamCaptureMode : unsigned { hipStreamCaptureModeThreadLocal = 1, hipStreamCaptureModeRelaxed = 2 };

enum hipStreamCaptureStatus : unsigned {
    hipStreamCaptureStatusNone = 0,
    hipStreamCaptureStatusActive = 1,
    hipStreamCaptureStatusInvalidated = 2,
};

enum hipGraphNodeType : unsigned {
    hipGraphNodeTypeKernel = 0,
    hipGraphNodeTypeMemcpy = 1,
    hipGraphNodeTypeMemset = 2,
    hipGraphNodeTypeHost = 3,
    hipGraphNodeTypeGraph = 4,
    hipGraphNodeTypeEmpty = 5,
};

enum hipGraphExecUpdateResult : unsigned { hipGraphExecUpdateSuccess = 0 };

enum hipDeviceAttribute_t : unsigned {
    hipDeviceAttributeClockRate = 5,
    hipDeviceAttributeComputeCapabilityMajor = 23,
    hipDeviceAttributeMaxRegistersPerBlock = 71,
    hipDeviceAttributeMaxRegistersPerMultiprocessor = 72,
    hipDeviceAttributeMaxSharedMemoryPerBlock = 74,
    hipDeviceAttributeSharedMemPerMultiprocessor = 76,
    hipDeviceAttributeMemoryBusWidth = 59,
    hipDeviceAttributeMemoryClockRate = 60,
    hipDeviceAttributeComputeCapabilityMinor = 61,
    hipDeviceAttributeMultiprocessorCount = 63,
    hipDeviceAttributeWarpSize = 87,
};

// ---- flags, which HIP has as macros ----
constexpr unsigned stream_non_blocking = 0x01;
constexpr unsigned event_without_timing = 0x2;
constexpr unsigned host_memory_portable = 0x1, host_memory_mapped = 0x2;
constexpr unsigned set_capture_dependencies = 0x1;

// ---- structs ----
struct dim3 {
    std::uint32_t x, y, z;
};

struct hipUUID_t {
    char bytes[16];
};

struct hipKernelNodeParams {
    dim3 blockDim;
    void** extra;
    void* func;
    dim3 gridDim;
    void** kernelParams;
    unsigned sharedMemBytes;
};

struct hipPointerAttribute_t {
    hipMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
    int isManaged;
    unsigned allocationFlags;
};

// ---- functions: Entry_<name> is the type of a pointer to it ----
#define HIP_ENTRY(returns, name, groups, parameters) typedef returns(*Entry_##name) parameters;
#include "runtime_entries.def"

}  // namespace eagle::hip::abi
