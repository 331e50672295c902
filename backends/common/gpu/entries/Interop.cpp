// The group interop, and where memory lies.
#include <algorithm>

#include "../Capture.h"
#include "../Streams.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

std::string served() {
    std::string all;
    for (std::int32_t type : this_kind.dlpack_types) all += (all.empty() ? "" : ", ") + std::to_string(type);
    return all;
}

void fence(std::int32_t type, std::int32_t device_id, std::int64_t producer, std::int64_t consumer) {
    const auto& types = this_kind.dlpack_types;
    if (std::find(types.begin(), types.end(), type) == types.end()) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED, "dl_device_type is " + std::to_string(type) + "; kind " +
                                                     this_kind.name + " serves the DLPack types " + served());
    }
    require_usable();
    const int device = device_of(device_id);
    const RawStream from = this_kind.stream_of_code(producer, "producer");
    const RawStream to = this_kind.stream_of_code(consumer, "consumer");
    if (from == no_ordering || to == no_ordering || from == to) return;
    const Current current(device);
    require_no_capture(from, "a fence of");
    require_no_capture(to, "a fence of");
    require_apart_from_captures(from, device);
    require_apart_from_captures(to, device);
    // The stream that waits has what it waits for once the call is back, so the event is free again.
    const RawEvent event = events_of_fences().take(device);
    try {
        driver().record(event, from);
        driver().wait(to, event);
    } catch (...) {
        events_of_fences().give_back(device, event);
        throw;
    }
    events_of_fences().give_back(device, event);
}

}  // namespace

eagle_backend_status eagle_backend_fence(int32_t dl_device_type, int32_t device_id, int64_t producer,
                                         int64_t consumer) {
    return entry("eagle_backend_fence", [&] { fence(dl_device_type, device_id, producer, consumer); });
}

eagle_backend_status eagle_backend_event_pool_created(int64_t* count) {
    return entry("eagle_backend_event_pool_created", [&] {
        require_output(count, "count");
        *count = events_of_fences().created();
    });
}

eagle_backend_status eagle_backend_pointer_residency(int32_t device, uint64_t ptr, int32_t* cls) {
    return entry("eagle_backend_pointer_residency", [&] {
        require_usable();
        const int which = device_of(device);
        require_output(cls, "cls");
        if (ptr == 0) refuse("ptr is null; pass an address of memory");
        const Current current(which);
        *cls = driver().residency(ptr, which);
    });
}
