// The rules of captures, by the codes that the driver's documentation gives for them.
#include <thread>

#include "Driver.h"

namespace driver {
namespace {

class Capture : public Driver {
  protected:
    void SetUp() override {
        Driver::SetUp();
        x = words(64, 0);
        EXPECT_DONE(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    }
    void TearDown() override {
        EXPECT_DONE(cuEventDestroy(event));
        Driver::TearDown();
    }
    void begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
        EXPECT_DONE(cuStreamBeginCapture(a, mode));
    }
    void expect_end(CUresult code) {
        CUgraph graph = nullptr;
        EXPECT_CODE(cuStreamEndCapture(a, &graph), code);
        EXPECT_EQ(graph != nullptr, code == CUDA_SUCCESS);
        if (graph) {
            EXPECT_DONE(cuGraphDestroy(graph));
        }
    }

    CUdeviceptr x = 0;
    CUevent event = nullptr;
};

TEST_F(Capture, NeitherTheLegacyStreamNorACapturedOneIsCaptured) {
    EXPECT_CODE(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    begin();
    EXPECT_CODE(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
    expect_end(CUDA_SUCCESS);
    expect_end(CUDA_ERROR_ILLEGAL_STATE);
}

TEST_F(Capture, EndsWithAnErrorWhenABranchIsNotJoined) {
    begin();
    EXPECT_DONE(cuEventRecord(event, a));
    EXPECT_DONE(cuStreamWaitEvent(b, event, 0));
    EXPECT_DONE(add(x, 1, b));
    expect_end(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    EXPECT_DONE(add(x, 1, b));  // b is no part of a capture any more
    EXPECT_DONE(cuStreamSynchronize(b));
    EXPECT_EQ(at(x)[0], 1u);
}

TEST_F(Capture, OfOneThatIsOverOnlyTheStateIsTold) {
    begin();
    EXPECT_CODE(cuStreamSynchronize(a), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    EXPECT_DONE(cuStreamGetCaptureInfo(a, &status, &id, &graph, nullptr, nullptr, nullptr));
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_EQ(id, 0u);
    EXPECT_EQ(graph, nullptr);
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, ABranchIsEndedByItsOriginAlone) {
    begin();
    EXPECT_DONE(cuEventRecord(event, a));
    EXPECT_DONE(cuStreamWaitEvent(b, event, 0));
    CUgraph graph = nullptr;
    EXPECT_CODE(cuStreamEndCapture(b, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    expect_end(CUDA_SUCCESS);
}

TEST_F(Capture, AnotherThreadDoesNotEndIt) {
    begin();
    std::thread([&] {
        CUgraph graph = nullptr;
        EXPECT_DONE(cuCtxSetCurrent(context));
        EXPECT_CODE(cuStreamEndCapture(a, &graph), CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    }).join();
    expect_end(CUDA_SUCCESS);
}

TEST_F(Capture, ASynchronizeInvalidatesIt) {
    begin();
    EXPECT_CODE(cuStreamSynchronize(a), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_CODE(add(x, 1, a), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, AnAllocationInvalidatesItUnlessTheThreadIsRelaxed) {
    CUdeviceptr y = 0;
    begin();
    auto mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    EXPECT_DONE(cuThreadExchangeStreamCaptureMode(&mode));
    EXPECT_DONE(cuMemAlloc(&y, 4));
    EXPECT_DONE(cuThreadExchangeStreamCaptureMode(&mode));
    EXPECT_CODE(cuMemFree(y), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_DONE(cuMemFree(y));
}

TEST_F(Capture, AThreadLocalOneLeavesOtherThreadsAlone) {
    begin();
    std::thread([&] {
        CUdeviceptr y = 0;
        EXPECT_DONE(cuCtxSetCurrent(context));
        EXPECT_DONE(cuMemAlloc(&y, 4));
        EXPECT_DONE(cuMemFree(y));
    }).join();
    expect_end(CUDA_SUCCESS);
    begin(CU_STREAM_CAPTURE_MODE_GLOBAL);
    std::thread([&] {
        CUdeviceptr y = 0;
        EXPECT_DONE(cuCtxSetCurrent(context));
        EXPECT_CODE(cuMemAlloc(&y, 4), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }).join();
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, TheLegacyStreamBesideABlockingOneInvalidatesIt) {
    CUstream blocking = nullptr;
    CUgraph graph = nullptr;
    EXPECT_DONE(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    EXPECT_DONE(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    EXPECT_CODE(add(x, 1, nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    EXPECT_CODE(cuStreamEndCapture(blocking, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_DONE(cuStreamDestroy(blocking));
    begin();
    EXPECT_DONE(add(x, 1, nullptr));  // a does not order itself against it
    expect_end(CUDA_SUCCESS);
}

TEST_F(Capture, WorkOutsideIsNotWaitedFor) {
    EXPECT_DONE(cuEventRecord(event, b));
    begin();
    EXPECT_CODE(cuStreamWaitEvent(a, event, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, TwoAreNotMerged) {
    CUgraph graph = nullptr;
    begin();
    EXPECT_DONE(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    EXPECT_DONE(cuEventRecord(event, a));
    EXPECT_CODE(cuStreamWaitEvent(b, event, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
    EXPECT_CODE(cuStreamEndCapture(b, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    expect_end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(Capture, ItsEventsAreOfNoUseOutside) {
    begin();
    EXPECT_DONE(cuEventRecord(event, a));
    EXPECT_CODE(cuEventQuery(event), CUDA_ERROR_CAPTURED_EVENT);
    expect_end(CUDA_SUCCESS);
    EXPECT_CODE(cuStreamWaitEvent(b, event, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
}

}  // namespace
}  // namespace driver
