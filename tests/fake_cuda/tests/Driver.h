// The fake driver through its table of functions, for tests.
#pragma once
#include <cuda.h>
#include <cudaTypedefs.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace driver {

// Null where the driver of this process has no such form of the function.
void* address_of(const char* name, int version);
void* symbol_of(const char* name);  // of the library itself

#define DRIVER(name, version) \
    inline const auto name = reinterpret_cast<PFN_##name##_v##version>(address_of(#name, version))
// The header defines some names anew for their newest form; here each is the form that is asked for.
#undef cuGetProcAddress
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuMemAlloc
#undef cuMemFree
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuGraphAddNode
#undef cuGraphGetEdges
#undef cuGraphKernelNodeGetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate
#undef cuDevicePrimaryCtxRelease
#undef cuModuleGetGlobal
#undef cuStreamBeginCapture
DRIVER(cuInit, 2000);
DRIVER(cuDeviceGetCount, 2000);
DRIVER(cuDeviceGetName, 2000);
DRIVER(cuDevicePrimaryCtxRetain, 7000);
DRIVER(cuDevicePrimaryCtxRelease, 11000);
DRIVER(cuCtxSetCurrent, 4000);
DRIVER(cuCtxSynchronize, 2000);
DRIVER(cuStreamCreate, 2000);
DRIVER(cuStreamDestroy, 4000);
DRIVER(cuStreamSynchronize, 2000);
DRIVER(cuStreamQuery, 2000);
DRIVER(cuStreamWaitEvent, 3020);
DRIVER(cuEventCreate, 2000);
DRIVER(cuEventDestroy, 4000);
DRIVER(cuEventRecord, 2000);
DRIVER(cuEventQuery, 2000);
DRIVER(cuEventSynchronize, 2000);
DRIVER(cuMemAlloc, 3020);
DRIVER(cuMemFree, 3020);
DRIVER(cuMemHostAlloc, 2020);
DRIVER(cuMemFreeHost, 2000);
DRIVER(cuMemAllocAsync, 11020);
DRIVER(cuMemFreeAsync, 11020);
DRIVER(cuMemcpyAsync, 4000);
DRIVER(cuMemsetD8Async, 3020);
DRIVER(cuMemsetD32Async, 3020);
DRIVER(cuPointerGetAttribute, 4000);
DRIVER(cuModuleLoadData, 2000);
DRIVER(cuModuleUnload, 2000);
DRIVER(cuModuleGetFunction, 2000);
DRIVER(cuModuleGetGlobal, 3020);
DRIVER(cuLaunchKernel, 4000);
DRIVER(cuLaunchHostFunc, 10000);
DRIVER(cuStreamBeginCapture, 10010);
DRIVER(cuStreamBeginCaptureToGraph, 12030);
DRIVER(cuStreamEndCapture, 10000);
DRIVER(cuStreamIsCapturing, 10000);
DRIVER(cuStreamGetCaptureInfo, 12030);
DRIVER(cuStreamUpdateCaptureDependencies, 12030);
DRIVER(cuThreadExchangeStreamCaptureMode, 10010);
DRIVER(cuGraphCreate, 10000);
DRIVER(cuGraphDestroy, 10000);
DRIVER(cuGraphAddNode, 12030);
DRIVER(cuGraphGetNodes, 10000);
DRIVER(cuGraphGetEdges, 12030);
DRIVER(cuGraphConditionalHandleCreate, 12030);
DRIVER(cuGraphInstantiateWithFlags, 11040);
DRIVER(cuGraphExecDestroy, 10000);
DRIVER(cuGraphNodeSetEnabled, 11060);
DRIVER(cuGraphExecUpdate, 12000);
DRIVER(cuGraphLaunch, 10000);
#undef DRIVER

#define EXPECT_CODE(call, code) EXPECT_EQ(static_cast<int>(call), static_cast<int>(code))
#define EXPECT_DONE(call) EXPECT_CODE(call, CUDA_SUCCESS)

// A test with the driver started, the first device's context current, two streams and the test kernels.
class Driver : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;
    CUdeviceptr words(std::size_t count, unsigned value);  // device memory; freed at the end
    unsigned* at(CUdeviceptr address) { return reinterpret_cast<unsigned*>(address); }
    CUfunction function(const char* name);
    CUresult launch(const char* name, CUstream stream, unsigned threads, std::vector<void*> parameters);
    CUresult add(CUdeviceptr& x, unsigned value, CUstream stream);  // value to each of the first 64 words

    CUcontext context = nullptr;
    CUstream a = nullptr, b = nullptr;
    CUmodule module = nullptr;

  private:
    std::vector<CUdeviceptr> memory_;
};

}  // namespace driver
