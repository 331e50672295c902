// The one device of kind cpu: this machine.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../common/host/Check.h"
#include "../common/host/CpuBudget.h"
#include "../common/host/Machine.h"
#include "../common/host/ProcessWide.h"

using namespace eagle::host;

namespace {

using DeviceProps = struct eagle_backend_device_props;

// Read once a process: the environment may change under a thread that reads it.
struct Calibration {
    std::string error;
    bool wanted = peaks_wanted(std::getenv("EAGLE_CPU_CALIBRATE"), error);
};

void add_peaks(DeviceProps& full, const Peaks& peaks) {
    full.peak_bytes_per_s = peaks.bytes_per_s;
    full.peak_flops_sp = peaks.flops_sp;
    full.peak_flops_dp = peaks.flops_dp;
    full.fp64_ratio = peaks.flops_dp / peaks.flops_sp;
    full.ridge_flops_per_byte_sp = peaks.flops_sp / peaks.bytes_per_s;
    full.ridge_flops_per_byte_dp = peaks.flops_dp / peaks.bytes_per_s;
}

// A CPU stands for a multiprocessor and its caches for the memory beside it.
DeviceProps props_of_this_machine() {
    const Machine& machine = Machine::of_process();
    DeviceProps full{};
    std::memcpy(full.name, machine.name.data(), std::min(machine.name.size(), sizeof full.name - 1));
    full.sm_count = CpuBudget::of_process().usable;
    full.clock_rate_khz = machine.clock_khz;
    full.warp_size = machine.lanes;
    full.shared_mem_per_block = machine.l1_bytes;
    full.shared_mem_per_sm = machine.l2_bytes;
    return full;
}

}  // namespace

std::uint32_t eagle_backend_sdk_version(void) { return EAGLE_BACKEND_SDK_VERSION; }

eagle_backend_status eagle_backend_sdk_device_count(int32_t* count) {
    return entry("eagle_backend_sdk_device_count", [&] {
        require_output(count, "count");
        *count = CpuBudget::of_process().error.empty() ? 1 : 0;
    });
}

eagle_backend_status eagle_backend_sdk_device_identity(int32_t device, struct eagle_backend_sdk_device_identity* out) {
    return entry("eagle_backend_sdk_device_identity", [&] {
        require_usable();
        require_device(device);
        struct eagle_backend_sdk_device_identity full{};
        write_output(out, full, "out");
    });
}

eagle_backend_status eagle_backend_device_props(int32_t device, struct eagle_backend_device_props* props) {
    return entry("eagle_backend_device_props", [&] {
        require_usable();
        require_device(device);
        require_output(props, "props");
        const Calibration& calibration = process_wide<Calibration>();
        if (!calibration.error.empty()) refuse(calibration.error);
        DeviceProps full = props_of_this_machine();
        if (calibration.wanted) add_peaks(full, Peaks::of_process());
        write_output(props, full, "props");
    });
}
