#include "StreamThreads.h"

#include <chrono>
#include <new>

#include "../../../backends/common/host/LastError.h"
#include "../../../backends/common/host/ProcessWide.h"
#include "../../../backends/common/host/Threads.h"
#include "Memory.h"

namespace eagle::sim_device {

using host::Stream;
using host::Streams;

namespace {

// How long work is held back while nobody waits, and how long a turn is waited for.
constexpr std::uint64_t a_while_ns = 5'000'000;
constexpr std::chrono::milliseconds a_look{1};

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

bool runs(const Stream& stream) { return (stream.state.load(std::memory_order_acquire) & Stream::running) != 0; }

}  // namespace

StreamThreads::StreamThreads() : schedule_(host::Schedule::of_environment()) {}

void StreamThreads::prepare(Streams& streams, Stream& stream) {
    Server& server = servers_[&stream];
    if (server.has_thread) return;
    server.threads = this;
    server.streams = &streams;
    server.stream = &stream;
    auto body = [](void* raw) { static_cast<Server*>(raw)->threads->serve(*static_cast<Server*>(raw)); };
    if (!host::start_detached("eagle-sim", body, &server)) {
        throw host::Failure(EAGLE_BACKEND_ERROR, "the system gives no thread for the stream; end other threads first");
    }
    server.has_thread = true;
}

void StreamThreads::work_came(Stream& stream) noexcept {
    if (!stream.queue.empty()) stream.queue.back().came = now_ns();
    changed_.notify_all();
}

void StreamThreads::wait_for(Lock& lock, Streams&, Stream& stream) {
    ++waiters_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return Streams::settle(stream); });
    --waiters_;
}

void StreamThreads::run(Stream& stream, host::Task& task) {
    auto& memory = host::process_wide<Memory>();
    memory.open(stream.device);
    task();
    memory.close();
}

void StreamThreads::serve(Server& server) {
    Lock lock(server.streams->mutex());
    for (;;) {
        if (may_start(server)) {
            server.is_alone = turn_of(*server.stream).is_alone;
            server.streams->run_first(lock, *server.stream);
            server.is_alone = false;
            changed_.notify_all();
        } else if (server.ready_since != 0) {
            changed_.wait_for(lock, a_look);
        } else {
            changed_.wait(lock);
        }
    }
}

// A draw from the seed and the place in which the work came.
StreamThreads::Turn StreamThreads::turn_of(const Stream& stream) const {
    host::Schedule drawn{true, schedule_.seed ^ (stream.queue.front().ticket << 20u)};
    return {drawn.draw(~std::uint64_t(0)), drawn.draw(2) == 0};
}

bool StreamThreads::is_held(const Stream& stream) const {
    return waiters_ == 0 && now_ns() < stream.queue.front().came + a_while_ns;
}

bool StreamThreads::may_start(Server& server) {
    if (!server.streams->ready(*server.stream)) {
        server.ready_since = 0;
        return false;
    }
    if (server.ready_since == 0) server.ready_since = now_ns();
    if (is_held(*server.stream)) return false;
    if (!is_its_turn(server) && now_ns() < server.ready_since + a_while_ns) return false;
    server.ready_since = 0;
    return true;
}

bool StreamThreads::is_its_turn(const Server& server) {
    const Turn mine = turn_of(*server.stream);
    bool is_turn = true;
    server.streams->for_each([&](Stream& other) {
        if (&other == server.stream) return;
        if (runs(other)) {
            if (mine.is_alone || servers_[&other].is_alone) is_turn = false;
        } else if (server.streams->ready(other) && turn_of(other).rank < mine.rank) {
            is_turn = false;
        }
    });
    return is_turn;
}

void StreamThreads::reset_in_child() {
    servers_.clear();
    waiters_ = 0;
    new (&changed_) std::condition_variable;
}

}  // namespace eagle::sim_device
