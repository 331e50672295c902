// What a fork leaves of a backend.
#pragma once
#include "backend/Entry.h"
#include "backend/Fork.h"

namespace eagle::detail {

// The state of a device does not cross a fork: true in a child, of what its parent loaded, host kinds aside.
inline bool is_stale(const Backend::Entry& entry) noexcept {
    return !entry.host_only && entry.generation != fork_generation();
}
// Throws BadHandle naming the fork.
void refuse_stale(const Backend::Entry& entry);

}  // namespace eagle::detail
