// Kind hip: AMD's devices.
#include "../common/gpu/Kind.h"

#include "DeviceCode.h"
#include "HipDriver.h"
#include "Kfd.h"

namespace eagle::hip {
namespace {

constexpr std::int32_t dlpack_rocm = 10, dlpack_rocm_host = 11;

using host::Failure;

void require_runtime() {
    const Library& library = Library::of_process();
    if (!library.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, library.error);
}

std::uint64_t capabilities() {
    const std::uint64_t groups = Library::of_process().capabilities();
    return device_code() ? groups : groups & ~std::uint64_t{EAGLE_BACKEND_CAP_FILTERING};
}

// The DLPack specification of __dlpack__(stream=) for ROCm: 0 is the default stream, and CUDA's 1 and 2 are not taken.
gpu::RawStream stream_of_code(std::int64_t code, const char* argument) {
    constexpr gpu::RawStream default_stream = 0;
    constexpr std::int64_t last_of_cuda = 2;
    if (code == EAGLE_BACKEND_STREAM_NONE || code == 0) return default_stream;
    if (code == -1) return gpu::no_ordering;
    if (code > last_of_cuda) return static_cast<gpu::RawStream>(code);
    throw Failure(
        EAGLE_BACKEND_INTEROP,
        std::string(argument) + " is " + std::to_string(code) +
            "; for ROCm it must be none given or 0 (the default stream), -1 (no ordering) or a stream; 1 and 2 "
            "are CUDA's");
}

}  // namespace
}  // namespace eagle::hip

// Of build_info; the words go when a card has run it.
#define EAGLE_HIP_BUILT EAGLE_HIP_ARCHS " (never run on AMD hardware)"
static_assert(sizeof EAGLE_HIP_BUILT <= sizeof eagle_backend_build_info::archs);

const eagle::gpu::Kind eagle::gpu::this_kind = {
    "hip",
    EAGLE_HIP_BUILT,
    {eagle::hip::dlpack_rocm, eagle::hip::dlpack_rocm_host},
    &eagle::hip::capabilities,
    &eagle::hip::require_runtime,
    &eagle::hip::visible_devices,
    []() -> eagle::gpu::Driver& {
        return eagle::gpu::started<eagle::hip::HipDriver>(eagle::hip::Library::of_process());
    },
    &eagle::hip::device_code,
    &eagle::hip::stream_of_code,
};
