// Replays that are watched: on a thread of their own, while the caller's asks whether they are to end.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "lowering/GraphState.h"

namespace eagle {
namespace {

using namespace std::chrono_literals;

// Looks for the caller's wish this often, and says it anew as often: an inner loop that begins clears the cell.
constexpr auto between_polls = 20ms, between_halts = 1ms;

// One call on another thread.
class Aside {
  public:
    template <class Call>
    explicit Aside(const Call& call)
        : thread_([this, call] {
              try {
                  call();
              } catch (...) {
                  error_ = std::current_exception();
              }
              const std::lock_guard lock(mutex_);
              done_ = true;
              changed_.notify_one();
          }) {}
    ~Aside() {
        if (thread_.joinable()) thread_.join();
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    bool is_done_after(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, time, [this] { return done_; });
    }
    void finish() {
        thread_.join();
        if (error_) std::rethrow_exception(error_);
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::exception_ptr error_;
    std::thread thread_;
};

}  // namespace

void BuiltGraph::State::halt_loops() {
    for (const graph::Node& node : frame->description->nodes())
        if (const auto* loop = std::get_if<graph::While>(&node.work))
            __atomic_store_n(reinterpret_cast<std::uint32_t*>(lowering::stop_of(*frame, site, *loop)), 1,
                             __ATOMIC_RELAXED);
}

void BuiltGraph::State::launch_watched(std::int64_t times, const Poll& poll) {
    const exec::Entered entered(busy, "graph");
    begin_launch();
    std::atomic<bool> ends{false};
    std::int64_t begun = 0, whole = 0;
    Aside run([&] {
        for (std::int64_t i = 0; i < times && !ends; ++i) {
            ++begun;
            replay();
            site.errors.raise();
            if (!site.faults.empty()) raise_faults();
            whole += ends ? 0 : 1;
        }
    });
    std::exception_ptr of_poll;
    while (!run.is_done_after(ends ? between_halts : between_polls)) {
        try {
            if (!ends && poll()) ends = true;
        } catch (...) {
            of_poll = std::current_exception();
            ends = true;
        }
        if (ends) halt_loops();
    }
    run.finish();
    if (of_poll) std::rethrow_exception(of_poll);
    if (ends)
        throw Interrupted(begun == whole
                              ? interrupted_text(whole, times)
                              : "graph '" + called() + "' was interrupted in replay " + std::to_string(begun) + " of " +
                                    std::to_string(times) +
                                    "; its loops ended after the iteration they were in, and the nodes after "
                                    "them ran: the arrays hold what that left, and a launch begins a new "
                                    "replay from it",
                          whole);
}

}  // namespace eagle
