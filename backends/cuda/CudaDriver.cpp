// Devices, contexts, streams, events, memory.
#include "CudaDriver.h"

#include <cstring>

#include "Call.h"

namespace eagle::cuda {

using namespace gpu;

CudaDriver::CudaDriver(const Library& library) : library_(library), f_(library.functions) {
    if (!library.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, library.error);
    if (const CUresult code = CUDA_CALL(cuInit)(0); code != CUDA_SUCCESS) {
        try {
            fail_with("cuInit", code);
        } catch (const Failure& e) {  // whatever it is, there is nothing to use
            throw Failure(EAGLE_BACKEND_UNAVAILABLE, e.what());
        }
    }
    CUDA_CHECK(cuDeviceGetCount, &devices_);
    if (devices_ == 0)
        throw Failure(EAGLE_BACKEND_UNAVAILABLE, "NVIDIA's driver finds no device; nvidia-smi says more");
}

int CudaDriver::attribute(CUdevice_attribute which, int device) const {
    int value = 0;
    return CUDA_CALL(cuDeviceGetAttribute)(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

// Two transfers a clock of the memory; two operations a clock and lane in single precision, on the lanes that NVIDIA
// gives a multiprocessor of each architecture (CUDA C++ Programming Guide, "Arithmetic Instructions").
void CudaDriver::describe(int device, struct eagle_backend_device_props& full) {
    CUDA_CHECK(cuDeviceGetName, full.name, sizeof full.name, device);
    full.cc_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    full.cc_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    full.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    full.clock_rate_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
    full.memory_clock_rate_khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, device);
    full.memory_bus_width_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, device);
    full.regs_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, device);
    full.regs_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, device);
    full.warp_size = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
    full.shared_mem_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device);
    full.shared_mem_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, device);
    const int single_to_double = attribute(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, device);
    const bool has_half_the_lanes = full.cc_major == 7 || (full.cc_major == 8 && full.cc_minor == 0);
    const double lanes = has_half_the_lanes ? 64 : 128;
    full.peak_bytes_per_s = 2.0 * full.memory_clock_rate_khz * 1e3 * full.memory_bus_width_bits / 8;
    full.peak_flops_sp = 2.0 * lanes * full.sm_count * full.clock_rate_khz * 1e3;
    full.fp64_ratio = single_to_double > 0 ? 1.0 / single_to_double : 0;
    full.peak_flops_dp = full.peak_flops_sp * full.fp64_ratio;
    if (full.peak_bytes_per_s <= 0) return;
    full.ridge_flops_per_byte_sp = full.peak_flops_sp / full.peak_bytes_per_s;
    full.ridge_flops_per_byte_dp = full.peak_flops_dp / full.peak_bytes_per_s;
}

void CudaDriver::identify(int device, struct eagle_backend_sdk_device_identity& full) {
    CUuuid uuid{};
    CUDA_CHECK(cuDeviceGetUuid, &uuid, device);
    static_assert(sizeof full.uuid == sizeof uuid.bytes);
    std::memcpy(full.uuid, uuid.bytes, sizeof full.uuid);
    CUDA_CHECK(cuDeviceGetPCIBusId, full.pci_bus_id, sizeof full.pci_bus_id, device);
}

RawContext CudaDriver::context_of(int device) {
    std::lock_guard<std::mutex> lock(mutex_);
    CUcontext& context = contexts_[device];
    if (!context) {
        CUcontext retained = nullptr;
        CUDA_CHECK(cuDevicePrimaryCtxRetain, &retained, device);
        context = retained;
    }
    return number(context);
}

RawContext CudaDriver::current_context() {
    CUcontext context = nullptr;
    CUDA_CHECK(cuCtxGetCurrent, &context);
    return number(context);
}

void CudaDriver::make_current(RawContext context) { CUDA_CHECK(cuCtxSetCurrent, handle<CUcontext>(context)); }

int CudaDriver::device_of_current() {
    CUdevice device = 0;
    CUDA_CHECK(cuCtxGetDevice, &device);
    return device;
}

int CudaDriver::device_in_use() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [device, context] : contexts_) {
        if (context) return device;
    }
    return 0;
}

CUcontext CudaDriver::context_in_use() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [device, context] : contexts_) {
        if (context) return context;
    }
    return nullptr;
}

int CudaDriver::device_of_stream(RawStream stream) {
    CUcontext context = nullptr, before = handle<CUcontext>(current_context());
    CUresult asked = CUDA_CALL(cuStreamGetCtx)(handle<CUstream>(stream), &context);
    const CUcontext any = before ? nullptr : context_in_use();
    if (asked == CUDA_ERROR_INVALID_CONTEXT && any) {
        // Any context will do to ask, and none is made for it.
        CUDA_CHECK(cuCtxSetCurrent, any);
        asked = CUDA_CALL(cuStreamGetCtx)(handle<CUstream>(stream), &context);
        CUDA_CHECK(cuCtxSetCurrent, before);
    }
    check("cuStreamGetCtx", asked);
    {
        std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& [device, known] : contexts_) {
            if (known == context) return device;
        }
    }
    CUdevice device = 0;
    CUDA_CHECK(cuCtxSetCurrent, context);
    const CUresult code = CUDA_CALL(cuCtxGetDevice)(&device);
    CUDA_CHECK(cuCtxSetCurrent, before);
    check("cuCtxGetDevice", code);
    return device;
}

RawStream CudaDriver::create_stream(bool is_blocking) {
    CUstream stream = nullptr;
    CUDA_CHECK(cuStreamCreate, &stream, is_blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
    return number(stream);
}

void CudaDriver::destroy_stream(RawStream stream) { CUDA_CHECK(cuStreamDestroy, handle<CUstream>(stream)); }

bool CudaDriver::is_blocking(RawStream stream) {
    unsigned flags = CU_STREAM_NON_BLOCKING;
    if (f_.cuStreamGetFlags) CUDA_CHECK(cuStreamGetFlags, handle<CUstream>(stream), &flags);
    return (flags & CU_STREAM_NON_BLOCKING) == 0;
}

void CudaDriver::synchronize(RawStream stream) { CUDA_CHECK(cuStreamSynchronize, handle<CUstream>(stream)); }

RawEvent CudaDriver::create_event() {
    CUevent event = nullptr;
    CUDA_CHECK(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
    return number(event);
}

void CudaDriver::record(RawEvent event, RawStream stream) {
    CUDA_CHECK(cuEventRecord, handle<CUevent>(event), handle<CUstream>(stream));
}

void CudaDriver::wait(RawStream stream, RawEvent event) {
    CUDA_CHECK(cuStreamWaitEvent, handle<CUstream>(stream), handle<CUevent>(event), CU_EVENT_WAIT_DEFAULT);
}

std::uint64_t CudaDriver::allocate(std::uint64_t bytes, RawStream stream) {
    CUdeviceptr address = 0;
    const CUresult code = CUDA_CALL(cuMemAllocAsync)(&address, bytes, handle<CUstream>(stream));
    if (code == CUDA_ERROR_OUT_OF_MEMORY) {
        throw Failure(EAGLE_BACKEND_SDK_OUT_OF_MEMORY,
                      "cannot allocate " + std::to_string(bytes) + " bytes; the device has no memory for them");
    }
    check("cuMemAllocAsync", code);
    return address;
}

void CudaDriver::free(std::uint64_t address, RawStream stream) {
    CUDA_CHECK(cuMemFreeAsync, address, handle<CUstream>(stream));
}

std::uint64_t CudaDriver::allocate_host(std::uint64_t bytes) {
    void* address = nullptr;
    const CUresult code =
        CUDA_CALL(cuMemHostAlloc)(&address, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (code == CUDA_ERROR_OUT_OF_MEMORY) {
        throw Failure(EAGLE_BACKEND_ERROR, "cannot allocate " + std::to_string(bytes) +
                                               " bytes; the system has no memory for them that could be page-locked");
    }
    check("cuMemHostAlloc", code);
    return number(address);
}

void CudaDriver::free_host(std::uint64_t address) { CUDA_CHECK(cuMemFreeHost, handle<void*>(address)); }

void CudaDriver::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, RawStream stream) {
    CUDA_CHECK(cuMemcpyAsync, dst, src, bytes, handle<CUstream>(stream));
}

void CudaDriver::fill(std::uint64_t dst, unsigned char value, std::uint64_t bytes, RawStream stream) {
    CUDA_CHECK(cuMemsetD8Async, dst, value, bytes, handle<CUstream>(stream));
}

// An address that the driver knows nothing of is plain memory of the host.
std::int32_t CudaDriver::residency(std::uint64_t address, int device) {
    auto ask = CUDA_CALL(cuPointerGetAttribute);
    unsigned type = 0;
    const CUresult code = ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
    if (code == CUDA_ERROR_INVALID_VALUE) return EAGLE_BACKEND_RESIDENCY_PAGEABLE;
    check("cuPointerGetAttribute", code);
    int is_managed = 0, ordinal = device;
    check("cuPointerGetAttribute", ask(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    if (is_managed) return EAGLE_BACKEND_RESIDENCY_MANAGED;
    if (type == CU_MEMORYTYPE_HOST) return EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED;
    check("cuPointerGetAttribute", ask(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
    return ordinal == device ? EAGLE_BACKEND_RESIDENCY_DEVICE : EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE;
}

}  // namespace eagle::cuda
