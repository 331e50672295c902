// Devices, streams, events, memory.
#include "HipDriver.h"

#include <cstring>

#include "Call.h"

namespace eagle::hip {

using namespace gpu;
using namespace abi;

HipDriver::HipDriver(const Library& library) : f_(library.functions) {
    if (!library.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, library.error);
    if (const hipError_t code = HIP_CALL(hipInit, 0); code != hipSuccess) {
        try {
            fail_with("hipInit", code);
        } catch (const Failure& e) {  // whatever it is, there is nothing to use
            throw Failure(EAGLE_BACKEND_UNAVAILABLE, e.what());
        }
    }
    HIP_CHECK(hipGetDeviceCount, &devices_);
    if (devices_ == 0) {
        throw Failure(EAGLE_BACKEND_UNAVAILABLE, "ROCm finds no device that it supports; rocminfo says more");
    }
}

int HipDriver::attribute(hipDeviceAttribute_t which, int device) const {
    int value = 0;
    return HIP_CALL(hipDeviceGetAttribute, &value, which, device) == hipSuccess ? value : 0;
}

// What HIP calls a multiprocessor is a compute unit of 64 lanes where wavefronts have 64, and a pair of such units
// where they have 32; each lane does two operations a clock. Memory of the former, HBM, transfers twice a clock of the
// memory, of the latter, GDDR6, sixteen times. HIP does not tell the ratio of double precision: those fields stay 0.
void HipDriver::describe(int device, struct eagle_backend_device_props& full) {
    HIP_CHECK(hipDeviceGetName, full.name, sizeof full.name, device);
    full.cc_major = attribute(hipDeviceAttributeComputeCapabilityMajor, device);
    full.cc_minor = attribute(hipDeviceAttributeComputeCapabilityMinor, device);
    full.sm_count = attribute(hipDeviceAttributeMultiprocessorCount, device);
    full.clock_rate_khz = attribute(hipDeviceAttributeClockRate, device);
    full.memory_clock_rate_khz = attribute(hipDeviceAttributeMemoryClockRate, device);
    full.memory_bus_width_bits = attribute(hipDeviceAttributeMemoryBusWidth, device);
    full.regs_per_block = attribute(hipDeviceAttributeMaxRegistersPerBlock, device);
    full.regs_per_sm = attribute(hipDeviceAttributeMaxRegistersPerMultiprocessor, device);
    full.warp_size = attribute(hipDeviceAttributeWarpSize, device);
    full.shared_mem_per_block = attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device);
    full.shared_mem_per_sm = attribute(hipDeviceAttributeSharedMemPerMultiprocessor, device);
    const bool is_wide = full.warp_size == 64;
    const double lanes = is_wide ? 64 : 128, transfers = is_wide ? 2 : 16;
    full.peak_bytes_per_s = transfers * full.memory_clock_rate_khz * 1e3 * full.memory_bus_width_bits / 8;
    full.peak_flops_sp = 2.0 * lanes * full.sm_count * full.clock_rate_khz * 1e3;
    if (full.peak_bytes_per_s > 0) full.ridge_flops_per_byte_sp = full.peak_flops_sp / full.peak_bytes_per_s;
}

void HipDriver::identify(int device, struct eagle_backend_sdk_device_identity& full) {
    hipUUID_t uuid{};
    HIP_CHECK(hipDeviceGetUuid, &uuid, device);
    static_assert(sizeof full.uuid == sizeof uuid.bytes);
    std::memcpy(full.uuid, uuid.bytes, sizeof full.uuid);
    HIP_CHECK(hipDeviceGetPCIBusId, full.pci_bus_id, sizeof full.pci_bus_id, device);
}

// A device's number and 1: 0 would be none.
RawContext HipDriver::context_of(int device) { return static_cast<RawContext>(device) + 1; }

RawContext HipDriver::current_context() { return context_of(device_of_current()); }

void HipDriver::make_current(RawContext context) { HIP_CHECK(hipSetDevice, static_cast<int>(context) - 1); }

int HipDriver::device_of_current() {
    int device = 0;
    HIP_CHECK(hipGetDevice, &device);
    return device;
}

int HipDriver::device_of_stream(RawStream stream) {
    hipDevice_t device = 0;
    HIP_CHECK(hipStreamGetDevice, stream_of(stream), &device);
    return device;
}

RawStream HipDriver::create_stream(bool is_blocking) {
    hipStream_t stream = nullptr;
    HIP_CHECK(hipStreamCreateWithFlags, &stream, is_blocking ? 0u : stream_non_blocking);
    return number(stream);
}

void HipDriver::destroy_stream(RawStream stream) { HIP_CHECK(hipStreamDestroy, stream_of(stream)); }

void HipDriver::synchronize(RawStream stream) { HIP_CHECK(hipStreamSynchronize, stream_of(stream)); }

RawEvent HipDriver::create_event() {
    hipEvent_t event = nullptr;
    HIP_CHECK(hipEventCreateWithFlags, &event, event_without_timing);
    return number(event);
}

void HipDriver::record(RawEvent event, RawStream stream) {
    HIP_CHECK(hipEventRecord, handle<hipEvent_t>(event), stream_of(stream));
}

void HipDriver::wait(RawStream stream, RawEvent event) {
    HIP_CHECK(hipStreamWaitEvent, stream_of(stream), handle<hipEvent_t>(event), 0);
}

std::uint64_t HipDriver::allocate(std::uint64_t bytes, RawStream stream) {
    void* address = nullptr;
    const hipError_t code = HIP_CALL(hipMallocAsync, &address, bytes, stream_of(stream));
    if (code == hipErrorOutOfMemory) {
        throw Failure(EAGLE_BACKEND_SDK_OUT_OF_MEMORY,
                      "cannot allocate " + std::to_string(bytes) + " bytes; the device has no memory for them");
    }
    check("hipMallocAsync", code);
    return number(address);
}

void HipDriver::free(std::uint64_t address, RawStream stream) {
    HIP_CHECK(hipFreeAsync, handle<void*>(address), stream_of(stream));
}

std::uint64_t HipDriver::allocate_host(std::uint64_t bytes) {
    void* address = nullptr;
    const hipError_t code = HIP_CALL(hipHostMalloc, &address, bytes, host_memory_portable | host_memory_mapped);
    if (code == hipErrorOutOfMemory) {
        throw Failure(EAGLE_BACKEND_ERROR, "cannot allocate " + std::to_string(bytes) +
                                               " bytes; the system has no memory for them that could be page-locked");
    }
    check("hipHostMalloc", code);
    return number(address);
}

void HipDriver::free_host(std::uint64_t address) { HIP_CHECK(hipHostFree, handle<void*>(address)); }

void HipDriver::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, RawStream stream) {
    HIP_CHECK(hipMemcpyAsync, handle<void*>(dst), handle<const void*>(src), bytes, hipMemcpyDefault, stream_of(stream));
}

void HipDriver::fill(std::uint64_t dst, unsigned char value, std::uint64_t bytes, RawStream stream) {
    HIP_CHECK(hipMemsetD8Async, handle<hipDeviceptr_t>(dst), value, bytes, stream_of(stream));
}

// An address that the runtime knows nothing of is plain memory of the host; some versions say so by an error.
std::int32_t HipDriver::residency(std::uint64_t address, int device) {
    hipPointerAttribute_t found{};
    const hipError_t code = HIP_CALL(hipPointerGetAttributes, &found, handle<const void*>(address));
    if (code == hipErrorInvalidValue) return EAGLE_BACKEND_RESIDENCY_PAGEABLE;
    check("hipPointerGetAttributes", code);
    if (found.isManaged || found.type == hipMemoryTypeManaged) return EAGLE_BACKEND_RESIDENCY_MANAGED;
    if (found.type == hipMemoryTypeUnregistered) return EAGLE_BACKEND_RESIDENCY_PAGEABLE;
    if (found.type == hipMemoryTypeHost) return EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED;
    return found.device == device ? EAGLE_BACKEND_RESIDENCY_DEVICE : EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE;
}

}  // namespace eagle::hip
