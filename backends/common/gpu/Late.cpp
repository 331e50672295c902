#include "Late.h"

#include <unistd.h>

#include <atomic>
#include <bitset>
#include <cstddef>
#include <new>

#include "Capture.h"
#include "Current.h"

namespace eagle::gpu {
namespace {

Lates& kept() {
    static Lates& all = *new Lates;
    return all;
}
std::atomic<pid_t> keeper{0};  // the process that keeps something, 0 where there is nothing

// Once a device takes nothing, what is behind it on that device waits too: in its order, and so that a call on a device
// that is gone costs the same however much waits for it.
void give_back_in_order(Lates& due) noexcept {
    std::bitset<64> takes_nothing;
    for (auto late = due.begin(); late != due.end();) {
        const auto device = static_cast<std::size_t>(late->device);
        const bool is_marked = device < takes_nothing.size() && takes_nothing[device];
        if (!is_marked && give_back(*late)) {
            late = due.erase(late);
            continue;
        }
        if (device < takes_nothing.size()) takes_nothing.set(device);
        ++late;
    }
}

}  // namespace

bool give_back(const Late& late) noexcept {
    const auto current = current_if_possible(late.device);
    if (!current) return false;
    const Relaxed relaxed;
    try {
        late.work();
    } catch (const NotPermitted&) {
        return false;
    } catch (const std::bad_alloc&) {
        return false;
    } catch (...) {  // its words reach nobody
    }
    return true;
}

void keep_for_later(Lates&& those) noexcept {
    if (those.empty()) return;
    Lock lock(engine_lock());
    kept().splice(kept().end(), those);
    keeper = getpid();
}

bool is_something_kept() noexcept { return keeper != 0 && keeper == getpid(); }

void give_back_kept() noexcept {
    if (!is_something_kept()) return;
    Lates due;
    {
        Lock lock(engine_lock());
        if (is_capture_open_here()) return;
        due.swap(kept());
        keeper = 0;
    }
    give_back_in_order(due);
    if (due.empty()) return;
    Lock lock(engine_lock());
    kept().splice(kept().begin(), due);
    keeper = getpid();
}

}  // namespace eagle::gpu
