// Kind sim: two devices that are simulated on this machine's processors.
#include "../../../backends/common/host/Kind.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "../../../backends/common/host/CpuBudget.h"
#include "../../../backends/common/host/Machine.h"
#include "../../../backends/common/host/ProcessWide.h"
#include "Memory.h"
#include "StreamThreads.h"

namespace eagle::host {
namespace {

constexpr std::int32_t dlpack_extension_device = 12;

void describe(struct eagle_backend_device_props& full) {
    const std::string name = "simulated device " + std::to_string(full.device) + " on " + Machine::of_process().name;
    std::memcpy(full.name, name.data(), std::min(name.size(), sizeof full.name - 1));
    full.sm_count = CpuBudget::of_process().usable;
}

DeviceMemory& memory() { return process_wide<sim_device::Memory>(); }
StreamRunner* runner() { return &process_wide<sim_device::StreamThreads>(); }

}  // namespace

// Its kernels are this machine's own code.
constinit const Kind this_kind = {
    "sim",
    EAGLE_HOST_CODE " (simulated device)",
    dlpack_extension_device,
    sim_device::devices,
    "EAGLE_SIM_SCHEDULE",
    true,
    &describe,
    true,
    &memory,
    &runner,
};

}  // namespace eagle::host
