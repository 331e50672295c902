#include "Call.h"

namespace eagle::hip {

using namespace abi;

namespace {

eagle_backend_status status_of(hipError_t code) {
    switch (code) {
        case hipErrorInvalidHandle:
        case hipErrorContextIsDestroyed:
            return EAGLE_BACKEND_BAD_HANDLE;
        case hipErrorNotInitialized:
        case hipErrorDeinitialized:
        case hipErrorInsufficientDriver:
        case hipErrorNoDevice:
            return EAGLE_BACKEND_UNAVAILABLE;
        case hipErrorNotSupported:
            return EAGLE_BACKEND_UNSUPPORTED;
        default:
            return EAGLE_BACKEND_ERROR;
    }
}

// What to do where the runtime's name of an error does not say it.
const char* advice_for(hipError_t code) {
    switch (code) {
        case hipErrorNotInitialized:
            return "; a process that was forked after HIP was used cannot use it: start it by exec, or use HIP in the "
                   "child alone";
        case hipErrorInsufficientDriver:
            return "; the kernel's amdgpu module is older than this ROCm: bring it up to date";
        case hipErrorOutOfMemory:
            return "; free some memory of the device";
        case hipErrorInvalidHandle:
            return "; the stream, or what else was named by a raw handle, is none of HIP's or is gone: name one that "
                   "lives";
        case hipErrorStreamCaptureUnjoined:
            return "; a stream came into the capture and did not come back to its origin";
        case hipErrorStreamCaptureInvalidated:
            return "; a call that no capture survives was made meanwhile";
        default:
            return "";
    }
}

}  // namespace

void fail_without(const char* name) {
    const Library& library = Library::of_process();
    throw host::Failure(EAGLE_BACKEND_UNAVAILABLE, "the runtime (" + library.file + ", HIP " +
                                                       std::to_string(library.version) + ") has no " + name +
                                                       "; install a newer ROCm");
}

void fail_with(const char* name, hipError_t code) {
    const Functions& f = Library::of_process().functions;
    const char* text = f.hipGetErrorName ? f.hipGetErrorName(code) : nullptr;
    throw host::Failure(status_of(code), std::string(name) + " gave " + (text ? text : "an error") + " (" +
                                             std::to_string(static_cast<unsigned>(code)) + ")" + advice_for(code));
}

hipError_t taken(hipError_t code) {
    const Functions& f = Library::of_process().functions;
    if (code != hipSuccess && f.hipGetLastError) f.hipGetLastError();
    return code;
}

}  // namespace eagle::hip
