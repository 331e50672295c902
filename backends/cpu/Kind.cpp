// Kind cpu: this machine is its one device, and host memory is device memory.
#include "../common/host/Kind.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../common/host/Check.h"
#include "../common/host/CpuBudget.h"
#include "../common/host/DeviceMemory.h"
#include "../common/host/Machine.h"
#include "../common/host/ProcessWide.h"

namespace eagle::host {
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
void describe(DeviceProps& full) {
    const Calibration& calibration = process_wide<Calibration>();
    if (!calibration.error.empty()) refuse(calibration.error);
    const Machine& machine = Machine::of_process();
    std::memcpy(full.name, machine.name.data(), std::min(machine.name.size(), sizeof full.name - 1));
    full.sm_count = CpuBudget::of_process().usable;
    full.clock_rate_khz = machine.clock_khz;
    full.warp_size = machine.lanes;
    full.shared_mem_per_block = machine.l1_bytes;
    full.shared_mem_per_sm = machine.l2_bytes;
    if (calibration.wanted) add_peaks(full, Peaks::of_process());
}

}  // namespace

constinit const Kind this_kind = {
    "cpu", EAGLE_HOST_CODE, 1, 1, "EAGLE_CPU_SCHEDULE", false, &describe, false, &process_wide<DeviceMemory>, nullptr,
};

}  // namespace eagle::host
