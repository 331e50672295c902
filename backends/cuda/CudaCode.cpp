// Modules, launches, captures.
#include "Call.h"
#include "CudaDriver.h"

namespace eagle::cuda {

using namespace gpu;

namespace {

constexpr int of_shipped_code = 13000;
// CUDA C++ Programming Guide, "Shared Memory" of compute capabilities 7.0 and later: a kernel asks for more.
constexpr unsigned shared_without_asking = 48 * 1024;

// Codes of a driver that reads the image and finds nothing that it can run.
bool is_refused_code(CUresult code) {
    return code == CUDA_ERROR_INVALID_IMAGE || code == CUDA_ERROR_NO_BINARY_FOR_GPU || code == CUDA_ERROR_INVALID_PTX ||
           code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

// PTX is for the driver's compiler, which reads what toolkits up to its own age write; cubins have no such bound.
const char* cure_of(CUresult code, bool is_old) {
    if (is_old) return "code made with CUDA 13, as this backend's own, needs driver 580 or newer";
    if (code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        return "it is PTX of a toolkit newer than the driver; compile it for the card itself (such as sm_90), or "
               "install "
               "a newer driver";
    return "it must be PTX, a cubin or a fat binary that has code for this device";
}

}  // namespace

RawModule CudaDriver::load(const void* image) {
    CUmodule module = nullptr;
    const CUresult code = CUDA_CALL(cuModuleLoadData)(&module, image);
    if (code == CUDA_ERROR_OUT_OF_MEMORY) {
        throw Failure(EAGLE_BACKEND_SDK_OUT_OF_MEMORY, "the device has no memory for the module");
    }
    if (is_refused_code(code)) {
        const bool is_old = library_.version < of_shipped_code;
        throw Failure(is_old ? EAGLE_BACKEND_UNAVAILABLE : EAGLE_BACKEND_ERROR,
                      "the driver (CUDA " + version_text(library_.version) + ") does not take the device code (code " +
                          std::to_string(static_cast<int>(code)) + "); " + cure_of(code, is_old));
    }
    check("cuModuleLoadData", code);
    return number(module);
}

void CudaDriver::unload(RawModule module) { CUDA_CHECK(cuModuleUnload, handle<CUmodule>(module)); }

RawFunction CudaDriver::function(RawModule module, const char* name) {
    CUfunction function = nullptr;
    const CUresult code = CUDA_CALL(cuModuleGetFunction)(&function, handle<CUmodule>(module), name);
    if (code == CUDA_ERROR_NOT_FOUND) return 0;
    check("cuModuleGetFunction", code);
    return number(function);
}

std::optional<gpu::Driver::Global> CudaDriver::global(RawModule module, const char* name) {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    const CUresult code = CUDA_CALL(cuModuleGetGlobal)(&address, &bytes, handle<CUmodule>(module), name);
    if (code == CUDA_ERROR_NOT_FOUND) return {};
    check("cuModuleGetGlobal", code);
    return Global{address, bytes};
}

std::optional<std::vector<std::uint64_t>> CudaDriver::parameter_sizes(RawFunction function) {
    if (!f_.cuFuncGetParamInfo) return {};
    std::vector<std::uint64_t> sizes;
    for (;;) {
        std::size_t offset = 0, size = 0;
        const CUresult code = f_.cuFuncGetParamInfo(handle<CUfunction>(function), sizes.size(), &offset, &size);
        if (code == CUDA_ERROR_INVALID_VALUE) return sizes;  // there is no such parameter
        check("cuFuncGetParamInfo", code);
        sizes.push_back(size);
    }
}

void CudaDriver::launch(RawFunction function, const Shape& shape, RawStream stream, void** parameters) {
    if (shape.shared_bytes > shared_without_asking) {
        CUDA_CHECK(cuFuncSetAttribute, handle<CUfunction>(function), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   static_cast<int>(shape.shared_bytes));
    }
    CUDA_CHECK(cuLaunchKernel, handle<CUfunction>(function), shape.grid_x, shape.grid_y, shape.grid_z, shape.block_x,
               shape.block_y, shape.block_z, shape.shared_bytes, handle<CUstream>(stream), parameters, nullptr);
}

void CudaDriver::call_host(RawStream stream, void (*body)(void*), void* context) {
    CUDA_CHECK(cuLaunchHostFunc, handle<CUstream>(stream), body, context);
}

void CudaDriver::begin_capture(RawStream stream) {
    CUDA_CHECK(cuStreamBeginCapture, handle<CUstream>(stream), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
}

void CudaDriver::begin_capture_into(RawStream stream, RawGraph body) {
    CUDA_CHECK(cuStreamBeginCaptureToGraph, handle<CUstream>(stream), handle<CUgraph>(body), nullptr, nullptr, 0,
               CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
}

RawGraph CudaDriver::end_capture(RawStream stream) {
    CUgraph graph = nullptr;
    CUDA_CHECK(cuStreamEndCapture, handle<CUstream>(stream), &graph);
    if (!graph) throw Failure(EAGLE_BACKEND_ERROR, "the driver has ended the capture and gives no graph");
    return number(graph);
}

CaptureInfo CudaDriver::capture_info(RawStream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    const CUgraphNode* tip = nullptr;
    std::size_t count = 0;
    CUDA_CHECK(cuStreamGetCaptureInfo, handle<CUstream>(stream), &status, &id, &graph, &tip, &count);
    CaptureInfo info;
    if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE) info.state = CaptureInfo::active;
    if (status == CU_STREAM_CAPTURE_STATUS_INVALIDATED) info.state = CaptureInfo::invalid;
    if (info.state != CaptureInfo::active) return info;
    info.id = id;
    info.graph = number(graph);
    for (std::size_t i = 0; i < count; ++i) info.tip.push_back(number(tip[i]));
    return info;
}

void CudaDriver::set_tip(RawStream stream, RawNode node) {
    auto raw = handle<CUgraphNode>(node);
    CUDA_CHECK(cuStreamUpdateCaptureDependencies, handle<CUstream>(stream), &raw, 1,
               CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

int CudaDriver::relax_captures() noexcept {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (f_.cuThreadExchangeStreamCaptureMode) f_.cuThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

void CudaDriver::restore_captures(int before) noexcept {
    auto mode = static_cast<CUstreamCaptureMode>(before);
    if (f_.cuThreadExchangeStreamCaptureMode) f_.cuThreadExchangeStreamCaptureMode(&mode);
}

}  // namespace eagle::cuda
