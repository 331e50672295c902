// Streams: in-order queues of work over one team.
//
// Work put on an idle stream runs at once on the calling thread. Only when another thread is inside the stream, or the
// legacy default stream stands in its way, is it queued; whoever finishes the work before it runs it. The legacy
// default stream (raw value 0) orders itself against every blocking stream: its work runs after all work put on them
// before it, and before all work put on them after it. Non-blocking streams know nothing of it.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "EventPool.h"
#include "Handles.h"

namespace eagle::host {

using Task = std::function<void()>;
struct Tip;

struct Stream {
    // Without `more` the two changes idle <-> running need no lock; with it, all changes are made under the lock.
    static constexpr std::uint32_t running = 1, more = 2;
    struct Item {
        std::uint64_t ticket;
        Task task;
        bool is_host_function = false;
        // Instead of a task: an event that becomes done here, or one that must be before anything behind it runs.
        Event *records = nullptr, *awaits = nullptr;
    };

    alignas(64) std::atomic<std::uint32_t> state{0};
    std::atomic<Tip*> tip{nullptr};  // while it is in a capture: where its work is recorded (Capture.h)
    bool blocking = true, released = false;
    std::uint64_t handle = 0, running_ticket = 0;
    std::deque<Item> queue;
};

class Streams {
  public:
    static Streams& of_process();

    std::uint64_t create(bool blocking);
    // Work on it still runs. Throws Failure (BAD_HANDLE).
    void release(std::uint64_t handle);
    // The stream of a handle, or of a raw value, of which 0 is the legacy default stream. Throw Failure (BAD_HANDLE).
    Stream& of_handle(std::uint64_t handle) const;
    Stream& of_raw(std::uint64_t raw);
    // Returns when everything put on the stream before is done; takes part in it meanwhile.
    void synchronize(Stream& stream);

    // now() does the work on this thread; later() gives a task that owns all it needs and does the same at another
    // time.
    template <class Now, class Later>
    void submit(Stream& stream, Now&& now, Later&& later) {
        if (!enter(stream)) return queue(stream, later(), false);
        struct Leaving {
            Streams& streams;
            Stream& stream;
            ~Leaving() { streams.leave(stream); }
        } leaving{*this, stream};
        now();
    }

    // Puts fn(ctx) on the stream. Throws Failure when the system gives no thread to run it.
    void submit_host_function(Stream& stream, void (*fn)(void* ctx), void* ctx);
    // The same for work that contains host functions.
    void submit_with_host_functions(Stream& stream, Task task);

    // What is put on `consumer` from here on runs after all that was put on `producer` before. Waits for nothing.
    void fence(Stream& producer, Stream& consumer);
    std::int64_t events_created() const { return events_.created(); }

    std::mutex& mutex() { return mutex_; }  // held over a fork
    void reset_in_child();

    Streams();

  private:
    bool enter(Stream& stream) {
        if (&stream == &legacy_) return enter_legacy();
        std::uint32_t idle = 0;
        if (!stream.state.compare_exchange_strong(idle, Stream::running, std::memory_order_seq_cst)) return false;
        // The legacy stream counts itself first and looks at the streams then: one of the two sees the other.
        if (!stream.blocking || legacy_pending_.load(std::memory_order_seq_cst) == 0) return true;
        leave(stream);
        return false;
    }
    void leave(Stream& stream) {
        std::uint32_t running = Stream::running;
        if (!stream.state.compare_exchange_strong(running, 0, std::memory_order_release)) leave_slowly(stream);
    }
    bool enter_legacy();
    void leave_slowly(Stream& stream);
    void queue(Stream& stream, Task task, bool is_host_function);
    void push(Stream& stream, Stream::Item item);

    using Lock = std::unique_lock<std::mutex>;
    static bool settle(Stream& stream);
    bool blocking_streams_quiet(std::uint64_t before);
    std::uint64_t oldest_legacy() const;
    bool ready(const Stream& stream);
    // `waited_for`: the stream that this thread waits for, or all of them for the thread of the host functions.
    struct Runner {
        const Stream* waited_for = nullptr;
        bool runs_host_functions = false;
    };
    Stream* next_ready(const Runner& runner);
    void run_ready(Lock& lock, const Runner& runner);
    void run(Lock& lock, Stream::Item& item);
    void start_host_thread();
    void host_thread();
    void finish(Stream& stream);
    void forget(Stream& stream);

    mutable std::mutex mutex_;
    std::atomic<std::uint32_t> host_bell_{0};
    bool host_thread_runs_ = false;
    std::uint64_t tickets_ = 0;
    std::uint64_t spin_ticks_ = 0;                  // how long a waiter looks before it parks
    std::atomic<std::uint32_t> legacy_pending_{0};  // its work that is queued or running
    Stream legacy_;
    EventPool events_;
    Handles<Stream> handles_{'S'};
    std::vector<Stream*> live_;  // released ones too while they have work
};

}  // namespace eagle::host
