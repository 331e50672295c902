#include "simulate/Ticker.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace eagle::sim {
namespace {

using Clock = std::chrono::steady_clock;

class Ticker {
  public:
    static Ticker& instance() {
        static Ticker* const ticker = [] {
            pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                           [] { instance().reset_in_child(); });
            return new Ticker;  // never destroyed: its thread runs until the process ends
        }();
        return *ticker;
    }

    void add(std::int64_t* flag, Clock::time_point due) {
        const std::lock_guard lock(mutex_);
        if (!running_) {
            std::thread([this] { loop(); }).detach();
            running_ = true;
        }
        entries_.push_back({flag, due});
        wake_.notify_one();
    }
    // Afterwards the flag is not written any more.
    void remove(const std::int64_t* flag) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](const Entry& entry) { return entry.flag == flag; });
    }

  private:
    struct Entry {
        std::int64_t* flag;
        Clock::time_point due;
    };

    void loop() {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (entries_.empty()) {
                wake_.wait(lock);
                continue;
            }
            const auto next = std::min_element(entries_.begin(), entries_.end(),
                                               [](const Entry& a, const Entry& b) { return a.due < b.due; });
            if (next->due > Clock::now()) {
                const Clock::time_point due = next->due;
                wake_.wait_until(lock, due);
                continue;
            }
            __atomic_store_n(next->flag, 1, __ATOMIC_RELAXED);
            entries_.erase(next);
        }
    }
    // The thread did not come along, and the condition variable may remember it as a waiter.
    void reset_in_child() {
        entries_.clear();
        running_ = false;
        new (&wake_) std::condition_variable;
        mutex_.unlock();
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Entry> entries_;
    bool running_ = false;
};

}  // namespace

StopAfter::StopAfter(std::int64_t* flag, Clock::duration after) : flag_(flag) {
    Ticker::instance().add(flag, Clock::now() + after);
}
StopAfter::~StopAfter() { Ticker::instance().remove(flag_); }

}  // namespace eagle::sim
