// Streams: in-order queues of work over one team.
//
// Work put on an idle stream runs at once on the calling thread. Only when another thread is inside the stream, or the
// legacy default stream stands in its way, is it queued; whoever finishes the work before it runs it. The legacy
// default stream (raw value 0) orders itself against every blocking stream: its work runs after all work put on them
// before it, and before all work put on them after it. Non-blocking streams know nothing of it. Each device has its
// own.
//
// A kind may have its work run by a StreamRunner instead, on threads of the runner's: then everything is queued.
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
#include "Kind.h"

namespace eagle::host {

using Task = std::function<void()>;
// Application code, on a stream's thread.
void call_host_function(void (*fn)(void* ctx), void* ctx);
struct Tip;

struct Stream {
    // Without `more` the two changes idle <-> running need no lock; with it, all changes are made under the lock.
    static constexpr std::uint32_t running = 1, more = 2;
    struct Item {
        std::uint64_t ticket;
        Task task;
        bool is_host_function = false;
        std::uint64_t came = 0;  // of a runner: when
        // Instead of a task: an event that becomes done here, or one that must be before anything behind it runs.
        Event *records = nullptr, *awaits = nullptr;
    };

    alignas(64) std::atomic<std::uint32_t> state{0};
    std::atomic<Tip*> tip{nullptr};  // while it is in a capture: where its work is recorded (Capture.h)
    bool blocking = true, released = false;
    std::int32_t device = 0;
    std::uint64_t handle = 0, running_ticket = 0;
    std::deque<Item> queue;
};

class Streams;

// Runs what is queued. The lock of Streams is held during each call, where nothing else is said; a wait lets it go.
class StreamRunner {
  public:
    using Lock = std::unique_lock<std::mutex>;
    virtual ~StreamRunner() = default;
    // Before something is put on the stream. Throws Failure when no thread can be had for it.
    virtual void prepare(Streams& streams, Stream& stream) = 0;
    // After that.
    virtual void work_came(Stream& stream) noexcept = 0;
    // Returns when the stream has no work.
    virtual void wait_for(Lock& lock, Streams& streams, Stream& stream) = 0;
    // Does the task, which was put on that stream. Without the lock.
    virtual void run(Stream& stream, Task& task) = 0;
    // In the child of a fork, which has none of the threads.
    virtual void reset_in_child() = 0;
};

class Streams {
  public:
    using Lock = std::unique_lock<std::mutex>;
    static Streams& of_process();

    std::uint64_t create(bool blocking, std::int32_t device);
    // Work on it still runs. Throws Failure (BAD_HANDLE).
    void release(std::uint64_t handle);
    // The stream of a handle, or of a raw value, of which 0 is the legacy default stream of `device` (-1: of device 0).
    // Throw Failure: BAD_HANDLE, and INVALID_ARGUMENT where the stream belongs to another device.
    Stream& of_handle(std::uint64_t handle) const;
    Stream& of_raw(std::uint64_t raw, std::int32_t device = -1);
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

    // For a runner, which holds the lock: whether the first that is queued may run, and running it on this thread.
    bool ready(const Stream& stream);
    void run_first(Lock& lock, Stream& stream);
    // Nothing is queued and nothing runs.
    static bool settle(Stream& stream);
    template <class F>
    void for_each(F&& f) {
        for (Stream& stream : legacy_) f(stream);
        for (Stream* stream : live_) f(*stream);
    }

    std::mutex& mutex() { return mutex_; }  // held over a fork
    void reset_in_child();

    Streams();

  private:
    bool is_legacy(const Stream& stream) const { return stream.handle == 0; }
    bool enter(Stream& stream) {
        if (runner_) return false;
        if (is_legacy(stream)) return enter_legacy(stream);
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
    bool enter_legacy(Stream& stream);
    void leave_slowly(Stream& stream);
    void queue(Stream& stream, Task task, bool is_host_function);
    void push(Stream& stream, Stream::Item item);

    bool blocking_streams_quiet(std::int32_t device, std::uint64_t before);
    std::uint64_t oldest_legacy(std::int32_t device) const;
    // `waited_for`: the stream that this thread waits for, or all of them for the thread of the host functions.
    struct Runner {
        const Stream* waited_for = nullptr;
        bool runs_host_functions = false;
    };
    Stream* next_ready(const Runner& runner);
    void run_ready(Lock& lock, const Runner& runner);
    void run(Lock& lock, Stream& stream, Stream::Item& item);
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
    std::deque<Stream> legacy_;                     // one a device
    StreamRunner* runner_;
    EventPool events_;
    Handles<Stream> handles_{'S'};
    std::vector<Stream*> live_;  // released ones too while they have work
};

}  // namespace eagle::host
