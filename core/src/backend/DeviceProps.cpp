#include <eagle/DeviceProps.h>

#include <algorithm>

#include "backend/Entry.h"

namespace eagle {

DeviceProps device_props(const Backend& backend, std::int32_t device) {
    backend.require(Group::device);
    struct eagle_backend_device_props props{};
    props.struct_size = sizeof props;
    backend.check(backend.table().device_props(device, &props), "device_props");
    DeviceProps out;
    out.kind = backend.kind();
    out.name.assign(props.name, std::find(props.name, props.name + sizeof props.name, '\0'));
    out.device = device;
    out.cc_major = props.cc_major;
    out.cc_minor = props.cc_minor;
    out.sm_count = props.sm_count;
    out.clock_rate_khz = props.clock_rate_khz;
    out.memory_clock_rate_khz = props.memory_clock_rate_khz;
    out.memory_bus_width_bits = props.memory_bus_width_bits;
    out.regs_per_block = props.regs_per_block;
    out.regs_per_sm = props.regs_per_sm;
    out.warp_size = props.warp_size;
    out.shared_mem_per_block = props.shared_mem_per_block;
    out.shared_mem_per_sm = props.shared_mem_per_sm;
    out.peak_bytes_per_s = props.peak_bytes_per_s;
    out.peak_flops_sp = props.peak_flops_sp;
    out.peak_flops_dp = props.peak_flops_dp;
    out.fp64_ratio = props.fp64_ratio;
    out.ridge_flops_per_byte_sp = props.ridge_flops_per_byte_sp;
    out.ridge_flops_per_byte_dp = props.ridge_flops_per_byte_dp;
    return out;
}

}  // namespace eagle
