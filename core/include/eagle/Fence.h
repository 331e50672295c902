// Order between two streams of one device, by an event that is reused.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <cstdint>

namespace eagle {

// What is put on `consumer` after the call waits for what is on `producer` at the call; streams are raw, 0 is the
// default stream of the device. Never blocks the host. Throws BackendUnavailable when the backend has no group
// `interop`.
EAGLE_API void fence(const Backend& backend, std::int32_t device, std::uint64_t producer, std::uint64_t consumer);
// What a consumer puts on its stream waits for what the blocking streams of the device were given before the call.
// `code` names its stream as `__dlpack__(stream=)` does for that DLPack device type (1 and 2 are CUDA's default
// streams, -1 asks for no order). Never blocks the host. Throws InteropError for a code that the type has not.
EAGLE_API void hand_over(const Backend& backend, std::int32_t device_type, std::int32_t device, std::int64_t code);
// Events that the backend has made for fences since it was loaded.
EAGLE_API std::int64_t fence_events_made(const Backend& backend);

}  // namespace eagle
