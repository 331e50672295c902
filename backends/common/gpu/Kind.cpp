#include "Kind.h"

namespace eagle::gpu {

void probe() {
    this_kind.require();
    const VisibleDevices found = this_kind.visible_devices();
    if (found.count == 0) throw Failure(EAGLE_BACKEND_UNAVAILABLE, found.error);
}

int count_devices() {
    try {
        this_kind.require();
    } catch (const Failure&) {
        return 0;
    }
    return this_kind.visible_devices().count;
}

}  // namespace eagle::gpu
