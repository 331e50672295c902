#include "Check.h"

#include "CpuBudget.h"
#include "Kind.h"

namespace eagle::host {
namespace {

std::string hex(std::uint32_t bits) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[bits & 15u]);
        bits >>= 4;
    } while (bits);
    return "0x" + digits;
}

}  // namespace

void refuse(std::string text) { throw Failure(EAGLE_BACKEND_INVALID_ARGUMENT, std::move(text)); }

void require_flags(std::uint32_t found, std::uint32_t known, const char* what) {
    if ((found & ~known) == 0) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, std::string(what) + " has flags " + hex(found) + ", of which " +
                                                 hex(found & ~known) + " is unknown here; known bits are " +
                                                 hex(known));
}

std::int32_t require_device(std::int32_t device) {
    if (device >= -1 && device < this_kind.devices) return device < 0 ? 0 : device;
    refuse("device is " + std::to_string(device) + "; kind " + this_kind.name + " has devices 0 to " +
           std::to_string(this_kind.devices - 1) + " (and -1 is the current one)");
}

void require_usable() {
    const CpuBudget& budget = CpuBudget::of_process();
    if (!budget.error.empty()) throw Failure(EAGLE_BACKEND_UNAVAILABLE, budget.error);
}

void require_output(const void* pointer, const char* name) {
    if (!pointer) refuse(std::string(name) + " is null; pass the address of the result");
}

}  // namespace eagle::host
