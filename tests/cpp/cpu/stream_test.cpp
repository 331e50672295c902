// Order on a stream, between streams, and against the legacy default stream.
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "Gate.h"

using client::Gate;
using client::Launch;
using client::Stream;

namespace {

// Names in the order in which their kernels ran.
class Log {
  public:
    void put(std::uint64_t stream, const char* name) {
        Log* self = this;
        Launch(&Log::write, 0, 1, stream, self, name).run();
    }
    std::vector<std::string> names() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return names_;
    }

  private:
    static void write(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        Log& log = **static_cast<Log* const*>(params[0]);
        std::lock_guard<std::mutex> lock(log.mutex_);
        log.names_.emplace_back(*static_cast<const char* const*>(params[1]));
    }
    mutable std::mutex mutex_;
    std::vector<std::string> names_;
};
using Names = std::vector<std::string>;

TEST(Streams, an_idle_stream_runs_work_at_once) {
    Stream stream;
    Log log;
    log.put(stream.raw(), "a");
    EXPECT_EQ(log.names(), Names{"a"});
}

TEST(Streams, a_busy_stream_keeps_the_order) {
    Stream stream;
    Log log;
    {
        Gate gate(stream.raw());
        for (const char* name : {"a", "b", "c"}) log.put(stream.raw(), name);
        EXPECT_EQ(log.names(), Names{});
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(log.names(), (Names{"a", "b", "c"}));
}

TEST(Streams, two_streams_do_not_wait_for_each_other) {
    Stream one, two;
    Log log;
    Gate gate(one.raw());
    log.put(one.raw(), "one");
    log.put(two.raw(), "two");
    two.synchronize();
    EXPECT_EQ(log.names(), Names{"two"});
    gate.open();
    one.synchronize();
    EXPECT_EQ(log.names(), (Names{"two", "one"}));
}

TEST(Streams, the_legacy_stream_waits_for_blocking_streams_and_they_for_it) {
    Stream before, after, apart(EAGLE_BACKEND_STREAM_NON_BLOCKING);
    Log log;
    Gate gate(before.raw());
    log.put(0, "legacy");
    log.put(after.raw(), "after");
    log.put(before.raw(), "before again");
    log.put(apart.raw(), "apart");
    apart.synchronize();
    EXPECT_EQ(log.names(), Names{"apart"});
    gate.open();
    after.synchronize();
    before.synchronize();
    Names names = log.names();
    ASSERT_EQ(names.size(), 4u);
    EXPECT_EQ(names[1], "legacy");
}

TEST(Streams, the_legacy_stream_holds_blocking_streams_back_while_it_runs) {
    Stream blocking, apart(EAGLE_BACKEND_STREAM_NON_BLOCKING);
    Log log;
    Gate gate(0);
    log.put(blocking.raw(), "blocking");
    log.put(0, "legacy");
    log.put(apart.raw(), "apart");
    EXPECT_EQ(log.names(), Names{"apart"});
    gate.open();
    blocking.synchronize();
    log.put(blocking.raw(), "behind the legacy stream");
    blocking.synchronize();
    EXPECT_EQ(log.names(), (Names{"apart", "blocking", "legacy", "behind the legacy stream"}));
}

TEST(Streams, the_legacy_stream_does_not_wait_for_a_non_blocking_one) {
    Stream apart(EAGLE_BACKEND_STREAM_NON_BLOCKING);
    Log log;
    Gate gate(apart.raw());
    log.put(0, "legacy");
    EXPECT_EQ(log.names(), Names{"legacy"});
}

TEST(Streams, synchronize_returns_when_the_work_of_another_thread_is_done) {
    Stream stream;
    Log log;
    Gate gate(stream.raw());
    log.put(stream.raw(), "last");
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open();
    });
    stream.synchronize();
    EXPECT_EQ(log.names(), Names{"last"});
    opener.join();
}

TEST(Streams, work_on_a_released_stream_still_runs) {
    Log log;
    auto desc = client::make<struct eagle_backend_stream_desc>();
    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;
    ASSERT_EQ(client::stream_create(&desc, &handle), EAGLE_BACKEND_OK);
    ASSERT_EQ(client::stream_ptr(handle, &raw), EAGLE_BACKEND_OK);
    Gate gate(raw);
    log.put(raw, "late");
    client::stream_release(handle);
    EXPECT_TRUE(client::says(client::stream_synchronize(handle), EAGLE_BACKEND_BAD_HANDLE, "was released"));
    Stream other;  // takes another place, since the first is still in use
    log.put(other.raw(), "other");
    EXPECT_EQ(log.names(), Names{"other"});
    gate.open();
    while (log.names().size() < 2) std::this_thread::yield();
    EXPECT_EQ(log.names(), (Names{"other", "late"}));
}

TEST(Streams, a_place_that_is_used_again_does_not_bring_old_handles_back) {
    eagle_backend_stream old = nullptr;
    {
        Stream first;
        old = first.handle();
    }
    for (int i = 0; i < 1000; ++i) {
        Stream next;
        EXPECT_NE(next.handle(), old);
    }
    EXPECT_EQ(client::stream_synchronize(old), EAGLE_BACKEND_BAD_HANDLE);
}

TEST(Streams, waiting_for_the_stream_one_is_inside_is_an_error) {
    struct Found {
        eagle_backend_stream handle;
        eagle_backend_status status;
        std::string text;
    };
    Stream stream;
    Found found{stream.handle(), EAGLE_BACKEND_OK, ""};
    auto ask = [](void* raw) {
        auto* f = static_cast<Found*>(raw);
        f->status = client::stream_synchronize(f->handle);
        f->text = client::last_error();
    };
    ASSERT_EQ(client::host_func(stream.raw(), ask, &found), EAGLE_BACKEND_OK);
    stream.synchronize();
    EXPECT_EQ(found.status, EAGLE_BACKEND_ERROR);
    EXPECT_NE(found.text.find("wait for itself"), std::string::npos) << found.text;
}

// The call does not wait for the function: its caller may hold a lock that the function takes.
TEST(Streams, a_host_function_may_take_a_lock_that_its_caller_holds) {
    struct Shared {
        std::mutex mutex;
        std::vector<std::thread::id> ran_on;
        static void run(void* raw) {
            auto* shared = static_cast<Shared*>(raw);
            std::lock_guard<std::mutex> lock(shared->mutex);
            shared->ran_on.push_back(std::this_thread::get_id());
        }
    } shared;
    Stream one, two;
    Log log;
    {
        std::lock_guard<std::mutex> lock(shared.mutex);
        for (std::uint64_t stream : {one.raw(), two.raw(), std::uint64_t(0)}) {
            ASSERT_EQ(client::host_func(stream, &Shared::run, &shared), EAGLE_BACKEND_OK);
            log.put(stream, "behind it");
        }
        Stream apart(EAGLE_BACKEND_STREAM_NON_BLOCKING);
        log.put(apart.raw(), "apart");
        apart.synchronize();
        EXPECT_EQ(log.names(), Names{"apart"});
    }
    one.synchronize();
    two.synchronize();
    log.put(one.raw(), "behind the legacy stream");
    one.synchronize();
    EXPECT_EQ(log.names(), (Names{"apart", "behind it", "behind it", "behind it", "behind the legacy stream"}));
    EXPECT_EQ(shared.ran_on.size(), 3u);
}

// Threads that mix blocking, non-blocking and legacy work: nothing is lost, and each stream's own order holds.
TEST(Streams, many_threads_lose_nothing) {
    constexpr int threads = 4, rounds = 500;
    struct Counter {
        std::int64_t last = -1, wrong = 0;
    };
    struct Step {
        Counter* counter;
        std::int64_t number;
        static void run(void* raw) {
            auto* step = static_cast<Step*>(raw);
            if (step->counter->last != step->number - 1) ++step->counter->wrong;
            step->counter->last = step->number;
        }
    };
    std::int64_t legacy_count = 0;
    auto count_legacy = [](void* raw) { ++*static_cast<std::int64_t*>(raw); };
    std::vector<Counter> counters(threads);
    std::vector<std::vector<Step>> steps(threads);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) {
        steps[t].reserve(rounds);
        pool.emplace_back([&, t] {
            Stream stream(t % 2 ? EAGLE_BACKEND_STREAM_NON_BLOCKING : 0);
            for (int i = 0; i < rounds; ++i) {
                steps[t].push_back({&counters[t], i});
                EXPECT_EQ(client::host_func(stream.raw(), &Step::run, &steps[t].back()), EAGLE_BACKEND_OK);
                if (i % 10 == t) {
                    EXPECT_EQ(client::host_func(0, count_legacy, &legacy_count), EAGLE_BACKEND_OK);
                }
                if (i % 50 == 0) stream.synchronize();
            }
            stream.synchronize();
        });
    }
    for (auto& thread : pool) thread.join();
    Stream last;  // behind everything on the legacy stream
    EXPECT_EQ(client::host_func(last.raw(), [](void*) {}, nullptr), EAGLE_BACKEND_OK);
    last.synchronize();
    for (const Counter& counter : counters) {
        EXPECT_EQ(counter.last, rounds - 1);
        EXPECT_EQ(counter.wrong, 0);
    }
    EXPECT_EQ(legacy_count, threads * rounds / 10);
}

}  // namespace
