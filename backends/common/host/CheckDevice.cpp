#include "Check.h"
#include "CpuBudget.h"
#include "Kind.h"

namespace eagle::host {

std::int32_t require_device(std::int32_t device) {
    if (device >= -1 && device < this_kind.devices) return device < 0 ? 0 : device;
    refuse("device is " + std::to_string(device) + "; kind " + this_kind.name + " has devices 0 to " +
           std::to_string(this_kind.devices - 1) + " (and -1 is the current one)");
}

void require_usable() {
    const CpuBudget& budget = CpuBudget::of_process();
    if (!budget.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, budget.error);
}

}  // namespace eagle::host
