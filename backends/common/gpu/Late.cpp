#include "Late.h"

#include <unistd.h>

#include <atomic>
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

void give_back_kept() noexcept {
    if (keeper == 0 || keeper != getpid()) return;
    Lates due;
    {
        Lock lock(engine_lock());
        if (is_capture_open_here()) return;
        due.swap(kept());
        keeper = 0;
    }
    for (auto late = due.begin(); late != due.end();) late = give_back(*late) ? due.erase(late) : std::next(late);
    if (due.empty()) return;
    Lock lock(engine_lock());
    kept().splice(kept().begin(), due);
    keeper = getpid();
}

}  // namespace eagle::gpu
