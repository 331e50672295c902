// What the entries of the seam know of this engine.
#pragma once
#include "../../host/Check.h"
#include "../../host/Guard.h"
#include "../../host/GuardDesc.h"
#include "../Branches.h"
#include "../Capture.h"
#include "../Conditional.h"
#include "../Current.h"
#include "../Launcher.h"
#include "../Objects.h"

namespace eagle::gpu {

using host::Guard;
using host::guard_of;
using host::ok;
using host::read_desc;
using host::refuse;
using host::require_flags;
using host::require_output;
using host::write_output;

// Every entry of this engine also gives back what an earlier one could not: before, as streams that memory is given
// back on may go here, and behind, as a capture may end here.
template <class Body>
eagle_backend_status entry(const char* call, Body&& body,
                           eagle_backend_status no_memory = EAGLE_BACKEND_ERROR) noexcept {
    give_back_kept();
    const eagle_backend_status status = host::entry(call, body, no_memory);
    give_back_kept();
    return status;
}

template <class T>
using HandlesOf = Objects<T>;

// A usable device is there; throws Failure (UNAVAILABLE).
inline void require_usable() { driver(); }

// The same, without the driver being started.
inline void require_usable_device() { probe(); }

inline std::uint64_t groups_of_kind() { return this_kind.capabilities(); }
inline std::vector<std::int32_t> types_of_kind() { return this_kind.dlpack_types; }

// For the time of a call, the device of its object is current.
class OnDeviceOf {
  public:
    template <class T>
    explicit OnDeviceOf(const T& object) : current_(object.device()) {}

  private:
    Current current_;
};

}  // namespace eagle::gpu

namespace eagle {
namespace engine = gpu;
}
#include "../../entries/EntryHandles.h"

namespace eagle::gpu {

using namespace entries;

// A stream that captures take; throws Failure (INVALID_ARGUMENT).
inline void require_capturable(std::uint64_t stream, std::int32_t, const char* field) {
    if (stream < 2) refuse_legacy(field, stream);
}
// Of a stream that captures take, for which `device` was found.
inline int device_of_origin(std::uint64_t, int device) { return device; }

inline std::unique_ptr<Capturer> make_capturer(const eagle_backend_capturer_desc& d, int device) {
    return std::make_unique<Capturer>(d.stream, device);
}
inline std::unique_ptr<Branches> make_branches(const eagle_backend_fork_desc& d, int device) {
    return std::make_unique<Branches>(d.origin, device, d.branch_count, d.waits);
}
inline std::unique_ptr<Conditional> make_conditional(const Guard& guard, std::uint64_t origin, int device) {
    return std::make_unique<Conditional>(guard, origin, device);
}

// The driver has the node of such a guard; throws Failure (UNAVAILABLE, UNSUPPORTED).
void require_conditional(const Guard& guard, int device);

}  // namespace eagle::gpu
