#include "Call.h"

#include <utility>

#include "../common/gpu/Driver.h"

namespace eagle::cuda {
namespace {

eagle_backend_status status_of(CUresult code) {
    switch (code) {
        case CUDA_ERROR_INVALID_HANDLE:
        case CUDA_ERROR_CONTEXT_IS_DESTROYED:
            return EAGLE_BACKEND_BAD_HANDLE;
        case CUDA_ERROR_NOT_INITIALIZED:
        case CUDA_ERROR_DEINITIALIZED:
        case CUDA_ERROR_NO_DEVICE:
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
            return EAGLE_BACKEND_UNAVAILABLE;
        case CUDA_ERROR_NOT_SUPPORTED:
            return EAGLE_BACKEND_UNSUPPORTED;
        default:
            return EAGLE_BACKEND_ERROR;
    }
}

// What to do where the driver's name of an error does not say it.
const char* advice_for(CUresult code) {
    switch (code) {
        case CUDA_ERROR_NOT_INITIALIZED:
            return "; a process that was forked after CUDA was used cannot use it: start it by exec, or use CUDA in "
                   "the "
                   "child alone";
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
            return "; the kernel's part of the driver is of another version: restart the machine";
        case CUDA_ERROR_SYSTEM_NOT_READY:
            return "; a service that the devices need is not up yet: where they are joined by NVSwitch that is "
                   "nvidia-fabricmanager";
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
            return "; a kernel of this or of earlier work did it, and this process cannot use the device any more: "
                   "start it again";
        case CUDA_ERROR_OUT_OF_MEMORY:
            return "; free some memory of the device";
        case CUDA_ERROR_INVALID_HANDLE:
            return "; the stream, or what else was named by a raw handle, is none of CUDA's or is gone: name one that "
                   "lives";
        case CUDA_ERROR_NOT_PERMITTED:
            return "; a function of the host that a stream or a graph calls may not use the device: do that before or "
                   "after it";
        case CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
            return "; a stream came into the capture and did not come back to its origin";
        case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
            return "; a call that no capture survives was made meanwhile";
        default:
            return "";
    }
}

}  // namespace

void fail_without(const char* name, int since) {
    const Library& library = Library::of_process();
    throw host::Failure(EAGLE_BACKEND_UNAVAILABLE, "the driver (" + library.file + ", CUDA " +
                                                       version_text(library.version) + ") has no " + name +
                                                       " of CUDA " + version_text(since) + "; install a newer driver");
}

void fail_with(const char* name, CUresult code) {
    const Functions& f = Library::of_process().functions;
    const char* text = nullptr;
    if (!f.cuGetErrorName || f.cuGetErrorName(code, &text) != CUDA_SUCCESS || !text) text = "an error";
    std::string words =
        std::string(name) + " gave " + text + " (" + std::to_string(static_cast<int>(code)) + ")" + advice_for(code);
    if (code == CUDA_ERROR_NOT_PERMITTED) throw gpu::NotPermitted(status_of(code), std::move(words));
    throw host::Failure(status_of(code), std::move(words));
}

}  // namespace eagle::cuda
