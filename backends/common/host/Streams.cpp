#include "Streams.h"

#include <algorithm>
#include <limits>
#include <string>

#include "Clock.h"
#include "DeviceMemory.h"
#include "FloatEnvironment.h"
#include "LastError.h"
#include "ProcessWide.h"
#include "Team.h"
#include "Threads.h"

namespace eagle::host {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// The stream whose host function this thread is inside; waiting for it there would never end.
thread_local const Stream* inside = nullptr;

std::string hex(std::uint64_t value) {
    std::string digits;
    for (; value || digits.empty(); value >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[value & 15u]);
    return "0x" + digits;
}

}  // namespace

Streams::Streams()
    : legacy_(static_cast<std::size_t>(this_kind.devices)), runner_(this_kind.runner ? this_kind.runner() : nullptr) {
    FloatEnvironment plain;
    for (std::size_t i = 0; i < legacy_.size(); ++i) legacy_[i].device = static_cast<std::int32_t>(i);
    spin_ticks_ = static_cast<std::uint64_t>(50e3 * ticks_per_ns());
}

Streams& Streams::of_process() { return process_wide<Streams>(); }

std::uint64_t Streams::create(bool blocking, std::int32_t device) {
    Lock lock(mutex_);
    live_.reserve(live_.size() + 1);
    std::uint64_t handle = handles_.add();
    if (handle == 0) throw Failure(EAGLE_BACKEND_ERROR, "2^20 streams are alive; release some of them");
    Stream& stream = *handles_.find(handle);
    stream.blocking = blocking;
    stream.released = false;
    stream.handle = handle;
    stream.device = device;
    live_.push_back(&stream);
    return handle;
}

Stream& Streams::of_handle(std::uint64_t handle) const {
    if (Stream* stream = handles_.find(handle)) return *stream;
    throw Failure(EAGLE_BACKEND_BAD_HANDLE,
                  handle == 0 ? "the stream is null; make one with eagle_backend_stream_create"
                              : "the stream " + hex(handle) + " was released or is none of this backend's");
}

Stream& Streams::of_raw(std::uint64_t raw, std::int32_t device) {
    if (raw == 0) return legacy_[static_cast<std::size_t>(device < 0 ? 0 : device)];
    Stream& stream = of_handle(raw);
    if (device < 0 || stream.device == device) return stream;
    throw Failure(EAGLE_BACKEND_INVALID_ARGUMENT, "the stream belongs to device " + std::to_string(stream.device) +
                                                      " and the call is for device " + std::to_string(device) +
                                                      "; use a stream of that device");
}

void Streams::release(std::uint64_t handle) {
    Lock lock(mutex_);
    Stream& stream = of_handle(handle);
    handles_.kill(handle);
    stream.released = true;
    if (settle(stream)) forget(stream);
}

void Streams::forget(Stream& stream) {
    live_.erase(std::find(live_.begin(), live_.end(), &stream));
    handles_.reuse(stream.handle);
}

// From here on the stream changes only under the lock that the caller holds; true when it is idle (and then free
// again).
bool Streams::settle(Stream& stream) {
    std::uint32_t before = stream.state.fetch_or(Stream::more, std::memory_order_seq_cst);
    if ((before & Stream::running) || !stream.queue.empty()) return false;
    stream.state.store(0, std::memory_order_release);
    stream.state.notify_all();
    return true;
}

bool Streams::blocking_streams_quiet(std::int32_t device, std::uint64_t before) {
    bool quiet = true;
    for (Stream* stream : live_) {
        if (!stream->blocking || stream->device != device || settle(*stream)) continue;
        bool running = (stream->state.load(std::memory_order_acquire) & Stream::running) != 0;
        if (running || (!stream->queue.empty() && stream->queue.front().ticket < before)) quiet = false;
    }
    return quiet;
}

bool Streams::enter_legacy(Stream& legacy) {
    Lock lock(mutex_);
    legacy_pending_.fetch_add(1, std::memory_order_seq_cst);
    if (legacy.state.load(std::memory_order_acquire) == 0 && blocking_streams_quiet(legacy.device, never)) {
        legacy.running_ticket = ++tickets_;
        legacy.state.store(Stream::running | Stream::more, std::memory_order_relaxed);
        return true;
    }
    legacy_pending_.fetch_sub(1, std::memory_order_seq_cst);
    return false;
}

void Streams::queue(Stream& stream, Task task, bool is_host_function) {
    Lock lock(mutex_);
    if (runner_) {
        runner_->prepare(*this, stream);
    } else if (is_host_function) {
        start_host_thread();
    }
    push(stream, {++tickets_, std::move(task), is_host_function});
    if (!runner_) return run_ready(lock, {});
    runner_->work_came(stream);
}

void Streams::push(Stream& stream, Stream::Item item) {
    stream.queue.push_back(std::move(item));
    stream.state.fetch_or(Stream::more, std::memory_order_seq_cst);
    if (is_legacy(stream)) legacy_pending_.fetch_add(1, std::memory_order_seq_cst);
}

// A wait has a later ticket than the record that it waits for, so streams that wait for each other in turn never wait
// in a circle. The legacy default stream stands for all blocking streams of its device: it may be idle itself.
void Streams::fence(Stream& producer, Stream& consumer) {
    if (&producer == &consumer) return;
    Lock lock(mutex_);
    if (runner_) {
        runner_->prepare(*this, producer);
        runner_->prepare(*this, consumer);
    }
    Event& event = events_.take();
    const bool idle = settle(producer);
    if (idle && (!is_legacy(producer) || blocking_streams_quiet(producer.device, never)))
        return events_.give_back(event);
    try {
        push(producer, {++tickets_, {}, false, 0, &event, nullptr});
    } catch (...) {
        events_.give_back(event);
        throw;
    }
    push(consumer, {++tickets_, {}, false, 0, nullptr, &event});
    if (!runner_) return run_ready(lock, {});
    runner_->work_came(producer);
    runner_->work_came(consumer);
}

void call_host_function(void (*fn)(void* ctx), void* ctx) {
    DeviceMemory& memory = this_kind.memory();
    memory.leave_device();
    fn(ctx);
    memory.enter_device();
}

void Streams::submit_host_function(Stream& stream, void (*fn)(void* ctx), void* ctx) {
    submit_with_host_functions(stream, [fn, ctx] { call_host_function(fn, ctx); });
}

void Streams::submit_with_host_functions(Stream& stream, Task task) {
    queue(
        stream,
        [&stream, task = std::move(task)] {
            const Stream* outer = std::exchange(inside, &stream);
            task();
            inside = outer;
        },
        true);
}

void Streams::start_host_thread() {
    if (host_thread_runs_) return;
    auto body = [](void* raw) { static_cast<Streams*>(raw)->host_thread(); };
    if (!start_detached("eagle-host-func", body, this)) {
        throw Failure(EAGLE_BACKEND_ERROR, "the system gives no thread to run host functions; end other threads first");
    }
    host_thread_runs_ = true;
}

void Streams::host_thread() {
    for (;;) {
        std::uint32_t seen = host_bell_.load(std::memory_order_acquire);
        {
            Lock lock(mutex_);
            run_ready(lock, {nullptr, true});
        }
        host_bell_.wait(seen, std::memory_order_acquire);
    }
}

std::uint64_t Streams::oldest_legacy(std::int32_t device) const {
    const Stream& legacy = legacy_[static_cast<std::size_t>(device)];
    if (legacy.state.load(std::memory_order_acquire) & Stream::running) return legacy.running_ticket;
    return legacy.queue.empty() ? never : legacy.queue.front().ticket;
}

bool Streams::ready(const Stream& stream) {
    if (stream.queue.empty() || (stream.state.load(std::memory_order_acquire) & Stream::running)) return false;
    const Event* awaited = stream.queue.front().awaits;
    if (awaited && !awaited->done) return false;
    std::uint64_t ticket = stream.queue.front().ticket;
    if (is_legacy(stream)) return blocking_streams_quiet(stream.device, ticket);
    return !stream.blocking || oldest_legacy(stream.device) > ticket;
}

// What can run and may run on this thread; what only the thread of the host functions may is left to it.
Stream* Streams::next_ready(const Runner& runner) {
    auto may_run = [&](Stream& stream) {
        if (!ready(stream)) return false;
        if (!stream.queue.front().is_host_function || runner.runs_host_functions || runner.waited_for == &stream)
            return true;
        host_bell_.fetch_add(1, std::memory_order_release);
        host_bell_.notify_one();
        return false;
    };
    auto waiting = std::find_if(legacy_.begin(), legacy_.end(), may_run);
    if (waiting != legacy_.end()) return &*waiting;
    auto found = std::find_if(live_.begin(), live_.end(), [&](Stream* stream) { return may_run(*stream); });
    return found == live_.end() ? nullptr : *found;
}

// Without the lock while a task runs.
void Streams::run_ready(Lock& lock, const Runner& runner) {
    while (Stream* stream = next_ready(runner)) run_first(lock, *stream);
}

void Streams::run_first(Lock& lock, Stream& stream) {
    Stream::Item item = std::move(stream.queue.front());
    stream.queue.pop_front();
    stream.running_ticket = item.ticket;
    stream.state.store(Stream::running | Stream::more, std::memory_order_relaxed);
    run(lock, stream, item);
    finish(stream);
}

void Streams::run(Lock& lock, Stream& stream, Stream::Item& item) {
    if (item.records) {
        item.records->done = true;
    } else if (item.awaits) {
        events_.give_back(*item.awaits);
    } else {
        lock.unlock();
        if (runner_) {
            runner_->run(stream, item.task);
        } else {
            item.task();
        }
        item.task = nullptr;
        lock.lock();
    }
}

void Streams::finish(Stream& stream) {
    bool was_running = (stream.state.load(std::memory_order_acquire) & Stream::running) != 0;
    stream.running_ticket = 0;
    if (is_legacy(stream) && was_running) legacy_pending_.fetch_sub(1, std::memory_order_seq_cst);
    stream.state.store(stream.queue.empty() ? 0 : Stream::more, std::memory_order_release);
    stream.state.notify_all();
    if (stream.released && was_running && stream.queue.empty()) forget(stream);
}

void Streams::leave_slowly(Stream& stream) {
    Lock lock(mutex_);
    finish(stream);
    run_ready(lock, {});
}

void Streams::synchronize(Stream& stream) {
    if (stream.state.load(std::memory_order_acquire) == 0) return;
    if (inside == &stream) {
        throw Failure(EAGLE_BACKEND_ERROR, "called from work on the same stream, where it would wait for itself");
    }
    for (;;) {
        {
            Lock lock(mutex_);
            if (settle(stream)) return;
            if (runner_) return runner_->wait_for(lock, *this, stream);
            run_ready(lock, {&stream, false});
        }
        for (std::uint64_t begin = ticks(); ticks() - begin < spin_ticks_;) {
            if (stream.state.load(std::memory_order_acquire) == 0) return;
            if (!Team::of_process().help()) relax();
        }
        std::uint32_t state = stream.state.load(std::memory_order_acquire);
        if (state == 0) return;
        stream.state.wait(state, std::memory_order_acquire);
    }
}

// What was on the streams is the parent's: its threads do it, and they are not here.
void Streams::reset_in_child() {
    auto live = live_;
    for (Stream& stream : legacy_) live.push_back(&stream);
    for (Stream* stream : live) {
        stream->queue.clear();
        stream->running_ticket = 0;
        stream->state.store(0);
        if (stream->released) forget(*stream);
    }
    legacy_pending_.store(0);
    events_.take_all_back();
    host_thread_runs_ = false;
    if (runner_) runner_->reset_in_child();
}

}  // namespace eagle::host
