// Order between streams, events and memory.
#include <thread>

#include "Driver.h"

namespace driver {
namespace {

using Stream = Driver;

struct Gate {
    std::atomic<bool> is_open{false};
    static void wait(void* gate) {
        while (!static_cast<Gate*>(gate)->is_open) std::this_thread::yield();
    }
};

TEST_F(Stream, DoesItsWorkInOrder) {
    CUdeviceptr x = words(64, 0);
    EXPECT_DONE(cuMemsetD32Async(x, 5, 64, a));
    EXPECT_DONE(add(x, 2, a));
    EXPECT_DONE(cuStreamSynchronize(a));
    EXPECT_EQ(at(x)[0], 7u);
    EXPECT_EQ(at(x)[63], 7u);
}

TEST_F(Stream, WaitsForAnEventOfAnother) {
    CUdeviceptr x = words(64, 0), y = words(64, 0);
    CUevent event = nullptr;
    EXPECT_DONE(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    Gate gate;
    EXPECT_DONE(cuLaunchHostFunc(a, &Gate::wait, &gate));
    EXPECT_DONE(add(x, 3, a));
    EXPECT_DONE(cuEventRecord(event, a));
    EXPECT_DONE(cuStreamWaitEvent(b, event, 0));
    EXPECT_DONE(cuMemcpyAsync(y, x, 64 * sizeof(unsigned), b));
    EXPECT_CODE(cuEventQuery(event), CUDA_ERROR_NOT_READY);
    EXPECT_CODE(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
    gate.is_open = true;
    EXPECT_DONE(cuStreamSynchronize(b));
    EXPECT_EQ(at(y)[17], 3u);
    EXPECT_DONE(cuEventSynchronize(event));
    EXPECT_DONE(cuEventDestroy(event));
}

TEST_F(Stream, LegacyStreamWaitsForBlockingStreamsAlone) {
    CUstream blocking = nullptr;
    EXPECT_DONE(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    Gate gate, other;
    EXPECT_DONE(cuLaunchHostFunc(b, &Gate::wait, &other));
    EXPECT_DONE(cuLaunchHostFunc(blocking, &Gate::wait, &gate));
    CUdeviceptr x = words(64, 0);
    EXPECT_DONE(add(x, 1, nullptr));
    EXPECT_CODE(cuStreamQuery(nullptr), CUDA_ERROR_NOT_READY);
    gate.is_open = true;
    EXPECT_DONE(cuStreamSynchronize(CU_STREAM_LEGACY));
    EXPECT_EQ(at(x)[0], 1u);
    EXPECT_CODE(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
    other.is_open = true;
    EXPECT_DONE(cuStreamDestroy(blocking));
    EXPECT_DONE(cuStreamSynchronize(b));
}

TEST_F(Stream, HostFunctionMayNotCallTheDriver) {
    static CUresult found;
    EXPECT_DONE(cuLaunchHostFunc(a, [](void* stream) { found = cuStreamQuery(static_cast<CUstream>(stream)); }, b));
    EXPECT_DONE(cuStreamSynchronize(a));
    EXPECT_CODE(found, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(Stream, FreshMemoryIsFilledWithARecognisableByte) {
    CUdeviceptr x = 0;
    EXPECT_DONE(cuMemAllocAsync(&x, 8, a));
    EXPECT_EQ(at(x)[1], 0xCDCDCDCDu);
    EXPECT_DONE(cuMemFreeAsync(x, a));
    EXPECT_DONE(cuStreamSynchronize(a));
    EXPECT_CODE(cuMemFreeAsync(x, a), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Stream, AddressesAreKnownByWhatTheyPointTo) {
    CUdeviceptr x = words(4, 0);
    void* pinned = nullptr;
    EXPECT_DONE(cuMemHostAlloc(&pinned, 16, 0));
    unsigned type = 0, of_host = 0;
    EXPECT_DONE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + 8));
    EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
    EXPECT_DONE(
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(pinned) + 15));
    EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_HOST));
    EXPECT_CODE(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&of_host)),
                CUDA_ERROR_INVALID_VALUE);
    EXPECT_DONE(cuMemFreeHost(pinned));
}

}  // namespace
}  // namespace driver
