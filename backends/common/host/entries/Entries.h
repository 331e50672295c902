// What the entries of the seam know of this engine.
#pragma once
#include "../Branches.h"
#include "../Capture.h"
#include "../Check.h"
#include "../Conditional.h"
#include "../GraphHandles.h"
#include "../Guard.h"
#include "../GuardDesc.h"
#include "../Kind.h"
#include "../Launcher.h"

namespace eagle::host {

template <class T>
using HandlesOf = GraphHandles<T>;

inline void require_usable_device() { require_usable(); }

inline std::uint64_t groups_of_kind() {
    return EAGLE_BACKEND_CAP_STREAM | EAGLE_BACKEND_CAP_CAPTURER | EAGLE_BACKEND_CAP_CAPTURED | EAGLE_BACKEND_CAP_FORK |
           EAGLE_BACKEND_CAP_CONDITIONAL | EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE |
           EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH | EAGLE_BACKEND_CAP_ATTRIBUTION | EAGLE_BACKEND_CAP_GRAPH |
           EAGLE_BACKEND_CAP_LAUNCHER | EAGLE_BACKEND_CAP_EXEC | EAGLE_BACKEND_CAP_DEVICE | EAGLE_BACKEND_CAP_INTEROP |
           EAGLE_BACKEND_CAP_FILTERING;
}
inline std::vector<std::int32_t> types_of_kind() { return {this_kind.dlpack_type}; }

// No device is current on a thread.
class OnDeviceOf {
  public:
    template <class T>
    explicit OnDeviceOf(const T&) {}
};

inline std::int32_t device_of(std::int32_t device, std::uint64_t = 0) { return require_device(device); }

}  // namespace eagle::host

namespace eagle {
namespace engine = host;
}
#include "../../entries/EntryHandles.h"

namespace eagle::host {

using namespace entries;

// A stream that captures take; throws Failure (INVALID_ARGUMENT, BAD_HANDLE).
inline void require_capturable(std::uint64_t stream, std::int32_t device, const char* field) {
    if (stream == 0) refuse_legacy(field, stream);
    Streams::of_process().of_raw(stream, device);
}
// Of a stream that captures take; `device` is what the call asked for.
inline int device_of_origin(std::uint64_t origin, int) { return Streams::of_process().of_raw(origin).device; }

inline std::unique_ptr<Capturer> make_capturer(const eagle_backend_capturer_desc& d, std::int32_t) {
    return std::make_unique<Capturer>(d.stream);
}
inline std::unique_ptr<Branches> make_branches(const eagle_backend_fork_desc& d, std::int32_t) {
    return std::make_unique<Branches>(d.origin, d.branch_count, d.waits);
}
inline std::unique_ptr<Conditional> make_conditional(const Guard& guard, std::uint64_t origin, std::int32_t) {
    return std::make_unique<Conditional>(guard, origin);
}

// The cells of the guard can be read on the device; throws Failure.
void require_conditional(const Guard& guard, std::int32_t device);

}  // namespace eagle::host
