// The group interop, and where memory lies.
#include "../Capture.h"
#include "../Check.h"
#include "../DeviceMemory.h"

using namespace eagle::host;

namespace {

constexpr std::int64_t no_ordering = -1;

// DLPack gives these types no codes of their own; what remains are raw streams of this backend, which lie far from the
// codes that other types give a meaning.
void require_code(std::int64_t code, const char* name) {
    if (code == EAGLE_BACKEND_STREAM_NONE || code == no_ordering || code > 2) return;
    throw Failure(EAGLE_BACKEND_INTEROP, std::string(name) + " is " + std::to_string(code) + "; for kind " +
                                             this_kind.name +
                                             " it must be none given, -1 (no ordering) or "
                                             "a stream of this backend");
}

Stream& stream_of(std::int64_t code, std::int32_t device) {
    const bool is_given = code != EAGLE_BACKEND_STREAM_NONE;
    return Streams::of_process().of_raw(is_given ? static_cast<std::uint64_t>(code) : 0, device);
}

void fence(std::int32_t type, std::int32_t device, std::int64_t producer, std::int64_t consumer) {
    if (type != this_kind.dlpack_type) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED, "dl_device_type is " + std::to_string(type) + "; kind " +
                                                     this_kind.name + " serves DLPack type " +
                                                     std::to_string(this_kind.dlpack_type) + " alone");
    }
    require_usable();
    device = require_device(device);
    require_code(producer, "producer");
    require_code(consumer, "consumer");
    if (producer == no_ordering || consumer == no_ordering) return;
    Stream& from = stream_of(producer, device);
    Stream& to = stream_of(consumer, device);
    require_no_capture(from, "a fence of");
    require_no_capture(to, "a fence of");
    Streams::of_process().fence(from, to);
}

}  // namespace

eagle_backend_status eagle_backend_fence(int32_t dl_device_type, int32_t device_id, int64_t producer,
                                         int64_t consumer) {
    return entry("eagle_backend_fence", [&] { fence(dl_device_type, device_id, producer, consumer); });
}

eagle_backend_status eagle_backend_event_pool_created(int64_t* count) {
    return entry("eagle_backend_event_pool_created", [&] {
        require_output(count, "count");
        *count = Streams::of_process().events_created();
    });
}

eagle_backend_status eagle_backend_pointer_residency(int32_t device, uint64_t ptr, int32_t* cls) {
    return entry("eagle_backend_pointer_residency", [&] {
        require_usable();
        const std::int32_t seen_from = require_device(device);
        require_output(cls, "cls");
        if (ptr == 0) refuse("ptr is null; pass an address of memory");
        *cls = this_kind.memory().residency(seen_from, ptr);
    });
}
