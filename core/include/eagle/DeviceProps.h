// What a device says of itself.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <cstdint>
#include <string>

namespace eagle {

// Clocks in kHz, memory in bytes. A number that a kind has not is 0.
struct DeviceProps {
    std::string kind, name;
    std::int32_t device = 0;
    std::int32_t cc_major = 0, cc_minor = 0;  // compute capability
    std::int32_t sm_count = 0;                // multiprocessors, or the threads of a host
    std::int32_t clock_rate_khz = 0, memory_clock_rate_khz = 0, memory_bus_width_bits = 0;
    std::int32_t regs_per_block = 0, regs_per_sm = 0;
    std::int32_t warp_size = 0;
    std::int64_t shared_mem_per_block = 0, shared_mem_per_sm = 0;
    double peak_bytes_per_s = 0, peak_flops_sp = 0, peak_flops_dp = 0;
    double fp64_ratio = 0;  // of the peaks, double to single precision
    double ridge_flops_per_byte_sp = 0, ridge_flops_per_byte_dp = 0;
};

// Throws BackendUnavailable when the backend has no group `device` or no usable device, InvalidArgument for a number
// that it has not.
EAGLE_API DeviceProps device_props(const Backend& backend, std::int32_t device = 0);

}  // namespace eagle
