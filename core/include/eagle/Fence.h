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
// Events that the backend has made for fences since it was loaded.
EAGLE_API std::int64_t fence_events_made(const Backend& backend);

}  // namespace eagle
