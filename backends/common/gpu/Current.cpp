#include "Current.h"

#include <utility>

#include "../host/Check.h"
#include "Streams.h"

namespace eagle::gpu {

Current::Current(int device) : before_(driver().current_context()) {
    const RawContext wanted = driver().context_of(device);
    if (wanted == before_) return;
    has_changed_ = true;
    try {
        driver().make_current(wanted);
    } catch (...) {
        driver().make_current(before_);
        throw;
    }
}

Current::Current(Current&& other) noexcept
    : before_(other.before_), has_changed_(std::exchange(other.has_changed_, false)) {}

std::optional<Current> current_if_possible(int device) noexcept {
    for (int attempt = 0; attempt < 2; ++attempt) {
        try {
            return std::optional<Current>(std::in_place, device);
        } catch (...) {  // the second attempt's is lost
        }
    }
    return {};
}

// The driver also reports here what went wrong earlier; the context is the caller's again all the same.
Current::~Current() {
    if (!has_changed_) return;
    try {
        driver().make_current(before_);
    } catch (const Failure&) {
    }
}

int device_of(std::int32_t device, RawStream stream) {
    Driver& d = driver();
    const int devices = d.device_count();
    if (device < -1 || device >= devices) {
        host::refuse("device is " + std::to_string(device) + "; kind " + this_kind.name + " has devices 0 to " +
                     std::to_string(devices - 1) + " (and -1 is that of the stream, or the current one)");
    }
    if (is_default(stream)) {
        if (device >= 0) return device;
        return d.current_context() ? d.device_of_current() : 0;
    }
    const int own = Streams::of_process().device_of(stream);
    const int of_stream = own >= 0 ? own : d.device_of_stream(stream);
    if (device >= 0 && device != of_stream) {
        host::refuse("device is " + std::to_string(device) + ", and the stream belongs to device " +
                     std::to_string(of_stream) + "; pass a stream of the device, or device -1");
    }
    return of_stream;
}

}  // namespace eagle::gpu
