// What gives something back to the driver and could not do so when it was asked to.
#pragma once
#include <functional>
#include <list>

namespace eagle::gpu {

struct Late {
    int device;  // current while it is done
    std::function<void()> work;
};
using Lates = std::list<Late>;

// Does it, with captures relaxed. False, and nothing is done, where the driver does not make the device current or may
// not be called on this thread. Other errors are lost: they are of earlier work, or the device is gone.
bool give_back(const Late& late) noexcept;
// Keeps them, in their order, for give_back_kept().
void keep_for_later(Lates&& those) noexcept;
// Then what comes goes behind it, and with it at the end of the entry.
bool is_something_kept() noexcept;
// Every entry begins and ends with it. Nothing is done while this thread has a capture open, nor in a forked child,
// whose driver is its parent's. The caller does not hold engine_lock(): a driver may wait for its work here, and that
// for a function of the host which frees memory.
void give_back_kept() noexcept;

}  // namespace eagle::gpu
