// Modules, launches, captures.
#include <cstring>
#include <limits>

#include "Call.h"
#include "HipDriver.h"

namespace eagle::hip {

using namespace gpu;
using namespace abi;

namespace {

// The runtime finds an image's end by reading on, so that only images of a known beginning are given to it.
bool is_device_code(const void* image) {
    auto begins_with = [&](const char* text) {
        return std::strncmp(static_cast<const char*>(image), text, std::strlen(text)) == 0;
    };
    return begins_with("\177ELF") || begins_with("__CLANG_OFFLOAD_BUNDLE__") || begins_with("CCOB");
}

// Codes of a runtime that reads the image and finds nothing that it can run.
bool is_refused_code(hipError_t code) {
    return code == hipErrorInvalidImage || code == hipErrorNoBinaryForGpu || code == hipErrorInvalidKernelFile ||
           code == hipErrorSharedObjectInitFailed;
}

// HIP counts the threads of a grid in 32 bits.
void require_size(const Shape& shape) {
    const std::uint64_t threads = std::uint64_t{shape.grid_x} * shape.block_x;
    if (threads <= std::numeric_limits<std::uint32_t>::max()) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, "the launch is of " + std::to_string(shape.grid_x) + " blocks of " +
                                                 std::to_string(shape.block_x) +
                                                 " threads; on HIP a grid has at most 2^32 - 1 threads: take parts");
}

}  // namespace

RawModule HipDriver::load(const void* image) {
    hipModule_t module = nullptr;
    const hipError_t code = is_device_code(image) ? HIP_CALL(hipModuleLoadData, &module, image) : hipErrorInvalidImage;
    if (code == hipErrorOutOfMemory) {
        throw Failure(EAGLE_BACKEND_SDK_OUT_OF_MEMORY, "the device has no memory for the module");
    }
    if (is_refused_code(code)) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "the runtime does not take the device code (code " + std::to_string(static_cast<unsigned>(code)) +
                          "); it must be a code object, or a bundle of them, that has one for this "
                          "device's architecture");
    }
    check("hipModuleLoadData", code);
    return number(module);
}

void HipDriver::unload(RawModule module) { HIP_CHECK(hipModuleUnload, handle<hipModule_t>(module)); }

RawFunction HipDriver::function(RawModule module, const char* name) {
    hipFunction_t function = nullptr;
    const hipError_t code = HIP_CALL(hipModuleGetFunction, &function, handle<hipModule_t>(module), name);
    if (code == hipErrorNotFound) return 0;
    check("hipModuleGetFunction", code);
    return number(function);
}

std::optional<gpu::Driver::Global> HipDriver::global(RawModule module, const char* name) {
    hipDeviceptr_t address = nullptr;
    std::size_t bytes = 0;
    const hipError_t code = HIP_CALL(hipModuleGetGlobal, &address, &bytes, handle<hipModule_t>(module), name);
    if (code == hipErrorNotFound) return {};
    check("hipModuleGetGlobal", code);
    return Global{number(address), bytes};
}

void HipDriver::launch(RawFunction function, const Shape& shape, RawStream stream, void** parameters) {
    require_size(shape);
    HIP_CHECK(hipModuleLaunchKernel, handle<hipFunction_t>(function), shape.grid_x, shape.grid_y, shape.grid_z,
              shape.block_x, shape.block_y, shape.block_z, shape.shared_bytes, stream_of(stream), parameters, nullptr);
}

void HipDriver::call_host(RawStream stream, void (*body)(void*), void* context) {
    HIP_CHECK(hipLaunchHostFunc, stream_of(stream), body, context);
}

void HipDriver::begin_capture(RawStream stream) {
    HIP_CHECK(hipStreamBeginCapture, stream_of(stream), hipStreamCaptureModeThreadLocal);
}

RawGraph HipDriver::end_capture(RawStream stream) {
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipStreamEndCapture, stream_of(stream), &graph);
    if (!graph) throw Failure(EAGLE_BACKEND_ERROR, "the runtime has ended the capture and gives no graph");
    return number(graph);
}

CaptureInfo HipDriver::capture_info(RawStream stream) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    unsigned long long id = 0;
    hipGraph_t graph = nullptr;
    const hipGraphNode_t* tip = nullptr;
    std::size_t count = 0;
    HIP_CHECK(hipStreamGetCaptureInfo_v2, stream_of(stream), &status, &id, &graph, &tip, &count);
    CaptureInfo info;
    info.id = id;
    info.graph = number(graph);
    if (status == hipStreamCaptureStatusActive) info.state = CaptureInfo::active;
    if (status == hipStreamCaptureStatusInvalidated) info.state = CaptureInfo::invalid;
    if (info.state != CaptureInfo::active) return info;
    for (std::size_t i = 0; i < count; ++i) info.tip.push_back(number(tip[i]));
    return info;
}

void HipDriver::set_tip(RawStream stream, RawNode node) {
    auto raw = handle<hipGraphNode_t>(node);
    HIP_CHECK(hipStreamUpdateCaptureDependencies, stream_of(stream), &raw, 1, set_capture_dependencies);
}

int HipDriver::relax_captures() noexcept {
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    if (f_.hipThreadExchangeStreamCaptureMode) f_.hipThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

void HipDriver::restore_captures(int before) noexcept {
    auto mode = static_cast<hipStreamCaptureMode>(before);
    if (f_.hipThreadExchangeStreamCaptureMode) f_.hipThreadExchangeStreamCaptureMode(&mode);
}

}  // namespace eagle::hip
