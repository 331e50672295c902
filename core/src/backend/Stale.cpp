#include "backend/Stale.h"

namespace eagle::detail {

void refuse_stale(const Backend::Entry& entry) {
    if (!is_stale(entry)) return;
    throw BadHandle("eagle: the backend '" + entry.kind +
                    "' was loaded before this process was forked, and a device cannot be used across a fork; needs a "
                    "process that loads it itself: start workers with 'spawn' or 'forkserver', or load the backend "
                    "in the child only");
}

}  // namespace eagle::detail
