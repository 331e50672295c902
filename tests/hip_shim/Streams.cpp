// Streams, events, captures.
#include "Shim.h"

namespace eagle::hip::abi {

namespace {

CUstream cuda(hipStream_t stream) { return reinterpret_cast<CUstream>(stream); }
CUevent cuda(hipEvent_t event) { return reinterpret_cast<CUevent>(event); }

}  // namespace

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
    SHIM_RETURN(cuStreamCreate, 2000, reinterpret_cast<CUstream*>(stream), flags);
}

hipError_t hipStreamDestroy(hipStream_t stream) { SHIM_RETURN(cuStreamDestroy, 4000, cuda(stream)); }

hipError_t hipStreamSynchronize(hipStream_t stream) { SHIM_RETURN(cuStreamSynchronize, 2000, cuda(stream)); }

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
    SHIM_RETURN(cuStreamWaitEvent, 3020, cuda(stream), cuda(event), flags);
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
    const hip_shim::OnDevice on;
    if (on.trouble) return hip_shim::result(on.trouble);
    CUcontext of_stream = nullptr, before = nullptr;
    CUresult code = CUDA_FUNCTION(cuStreamGetCtx, 9020)(cuda(stream), &of_stream);
    if (code != CUDA_SUCCESS) return hip_shim::result(code);
    CUDA_FUNCTION(cuCtxGetCurrent, 4000)(&before);
    CUDA_FUNCTION(cuCtxSetCurrent, 4000)(of_stream);
    code = CUDA_FUNCTION(cuCtxGetDevice, 2000)(device);
    CUDA_FUNCTION(cuCtxSetCurrent, 4000)(before);
    return hip_shim::result(code);
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
    SHIM_RETURN(cuEventCreate, 2000, reinterpret_cast<CUevent*>(event), flags);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    SHIM_RETURN(cuEventRecord, 2000, cuda(event), cuda(stream));
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    SHIM_RETURN(cuStreamBeginCapture, 10010, cuda(stream), static_cast<CUstreamCaptureMode>(mode));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
    SHIM_RETURN(cuStreamEndCapture, 10000, cuda(stream), reinterpret_cast<CUgraph*>(graph));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** tip, std::size_t* count) {
    SHIM_RETURN(cuStreamGetCaptureInfo, 11030, cuda(stream), reinterpret_cast<CUstreamCaptureStatus*>(status),
                reinterpret_cast<cuuint64_t*>(id), reinterpret_cast<CUgraph*>(graph),
                reinterpret_cast<const CUgraphNode**>(tip), count);
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* nodes, std::size_t count,
                                              unsigned flags) {
    SHIM_RETURN(cuStreamUpdateCaptureDependencies, 11030, cuda(stream), reinterpret_cast<CUgraphNode*>(nodes), count,
                flags);
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
    SHIM_RETURN(cuThreadExchangeStreamCaptureMode, 10010, reinterpret_cast<CUstreamCaptureMode*>(mode));
}

}  // namespace eagle::hip::abi
