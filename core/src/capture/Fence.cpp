#include <eagle/Fence.h>

#include "backend/Entry.h"

namespace eagle {
namespace {

// The seam takes stream codes of DLPack, of which 0 is none for most types; the default stream is what no stream means.
std::int64_t code_of(std::uint64_t raw) {
    return raw == 0 ? EAGLE_BACKEND_STREAM_NONE : static_cast<std::int64_t>(raw);
}

}  // namespace

void fence(const Backend& backend, std::int32_t device, std::uint64_t producer, std::uint64_t consumer) {
    backend.require(Group::interop);
    if (backend.device_types().empty())
        throw BackendUnavailable("eagle: the backend '" + backend.kind() + "' (" + backend.path().string() +
                                 ") serves no DLPack device type; a fence needs one to say which device it is on");
    backend.check(backend.table().fence(backend.device_types().front(), device, code_of(producer), code_of(consumer)),
                  "fence");
}

void hand_over(const Backend& backend, std::int32_t device_type, std::int32_t device, std::int64_t code) {
    backend.require(Group::interop);
    backend.check(backend.table().fence(device_type, device, EAGLE_BACKEND_STREAM_NONE, code), "fence");
}

std::int64_t fence_events_made(const Backend& backend) {
    backend.require(Group::interop);
    std::int64_t count = 0;
    backend.check(backend.table().event_pool_created(&count), "event_pool_created");
    return count;
}

}  // namespace eagle
