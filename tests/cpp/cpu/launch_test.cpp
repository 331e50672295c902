// Launches: parts, grids, limits on threads, and when arguments are read.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include "Gate.h"

using client::Gate;
using client::Launch;
using client::Stream;

namespace {

struct Record {
    std::mutex mutex;
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    std::set<std::thread::id> threads;
    std::atomic<int> inside{0}, most_inside{0};
};

// params: Record*. Takes `count` times 2 us, so that sharing is worth it.
void record(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    Record& r = **static_cast<Record* const*>(params[0]);
    int inside = r.inside.fetch_add(1) + 1;
    for (int most = r.most_inside.load(); most < inside && !r.most_inside.compare_exchange_weak(most, inside);) {
    }
    auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(2 * count);
    while (std::chrono::steady_clock::now() < until) {
    }
    {
        std::lock_guard<std::mutex> lock(r.mutex);
        r.parts.emplace_back(base, count);
        r.threads.insert(std::this_thread::get_id());
    }
    r.inside.fetch_sub(1);
}

void expect_cover(Record& r, std::int64_t base, std::int64_t count) {
    std::sort(r.parts.begin(), r.parts.end());
    std::int64_t next = base;
    for (auto [at, n] : r.parts) {
        EXPECT_EQ(at, next);
        EXPECT_GT(n, 0);
        next = at + n;
    }
    EXPECT_EQ(next, base + count);
}

TEST(Launches, every_sample_is_done_once) {
    Stream stream;
    for (std::int64_t count : {1, 15, 16, 255, 256, 257, 5000}) {
        Record r;
        Record* at = &r;
        Launch(&record, 1000, count, stream.raw(), at).run();
        stream.synchronize();
        expect_cover(r, 1000, count);
    }
}

TEST(Launches, max_parallel_bounds_the_threads) {
    Stream stream;
    for (std::uint32_t limit : {1u, 2u, 3u}) {
        Record r;
        Record* at = &r;
        Launch launch(&record, 0, 6000, stream.raw(), at);
        launch.options.max_parallel = limit;
        for (int i = 0; i < 3; ++i) {
            r.parts.clear();
            launch.run();
            expect_cover(r, 0, 6000);
        }
        EXPECT_LE(r.most_inside.load(), int(limit));
        EXPECT_LE(r.threads.size(), limit == 1 ? 1u : 100u);
    }
}

TEST(Launches, one_thread_goes_in_ascending_order) {
    Record r;
    Record* at = &r;
    Launch launch(&record, 10, 3000, 0, at);
    launch.options.max_parallel = 1;
    launch.run();
    EXPECT_TRUE(std::is_sorted(r.parts.begin(), r.parts.end()));
    EXPECT_EQ(r.threads, std::set{std::this_thread::get_id()});
}

TEST(Launches, the_team_takes_part_in_large_work) {
    Record r;
    Record* at = &r;
    for (int i = 0; i < 20 && r.threads.size() < 2; ++i) Launch(&record, 0, 20000, 0, at).run();
    EXPECT_GE(r.threads.size(), 2u);
}

TEST(Launches, small_work_stays_on_the_calling_thread) {
    struct Seen {
        std::atomic<int> elsewhere{0};
        std::thread::id caller = std::this_thread::get_id();
    } seen;
    Seen* at = &seen;
    auto small = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        Seen& s = **static_cast<Seen* const*>(params[0]);
        if (std::this_thread::get_id() != s.caller) ++s.elsewhere;
    };
    for (int i = 0; i < 200; ++i) Launch(small, 0, 16, 0, at).run();
    EXPECT_EQ(seen.elsewhere.load(), 0);
}

TEST(Launches, a_grid_is_that_many_calls_of_the_whole_range) {
    for (std::uint32_t grid : {1u, 2u, 5u}) {
        for (std::uint32_t limit : {0u, 1u, 2u}) {
            Record r;
            Record* at = &r;
            Launch launch(&record, 7, 50, 0, at);
            launch.options.grid = grid;
            launch.options.max_parallel = limit;
            launch.run();
            EXPECT_EQ(r.parts, (std::vector<std::pair<std::int64_t, std::int64_t>>(grid, {7, 50})));
            EXPECT_LE(r.most_inside.load(), limit ? int(limit) : 4);
        }
    }
}

// params: a, x, y; y = sin(a x) + 1 / x.
void values(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double a = *static_cast<const double*>(params[0]);
    const double* x = *static_cast<const double* const*>(params[1]);
    double* y = *static_cast<double* const*>(params[2]);
    for (std::int64_t i = base; i < base + count; ++i) y[i] = std::sin(a * x[i]) + 1 / x[i];
}

TEST(Launches, results_do_not_depend_on_the_number_of_threads) {
    constexpr std::int64_t n = 100003;
    std::vector<double> x(n), first(n), again(n);
    for (std::int64_t i = 0; i < n; ++i) x[i] = 0.1 + double(i) * 1e-3;
    double a = 1.7;
    const double* from = x.data();
    double* to = first.data();
    Launch serial(&values, 0, n, 0, a, from, to);
    serial.options.max_parallel = 1;
    serial.run();
    for (std::uint32_t limit : {0u, 2u, 3u}) {
        std::fill(again.begin(), again.end(), 0.0);
        double* here = again.data();
        Launch launch(&values, 0, n, 0, a, from, here);
        launch.options.max_parallel = limit;
        launch.run();
        EXPECT_EQ(first, again) << limit;
    }
}

void add_to(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    std::int64_t value = *static_cast<const std::int64_t*>(params[0]);
    *static_cast<std::int64_t* const*>(params[1])[0] += value;
}

TEST(Launches, arguments_with_sizes_are_copied_at_the_call) {
    Stream stream;
    std::int64_t value = 5, sum = 0;
    std::int64_t* to = &sum;
    {
        Gate gate(stream.raw());
        Launch(&add_to, 0, 1, stream.raw(), value, to).run();
        value = 1000;
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(sum, 5);
}

TEST(Launches, arguments_without_sizes_are_read_when_the_work_runs) {
    Stream stream;
    std::int64_t value = 5, sum = 0;
    std::int64_t* to = &sum;
    {
        Gate gate(stream.raw());
        Launch launch(&add_to, 0, 1, stream.raw(), value, to);
        launch.desc.param_sizes = nullptr;
        launch.run();
        value = 1000;
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(sum, 1000);
}

void read_wide(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    const auto* bytes = static_cast<const unsigned char*>(params[0]);
    int* wrong = *static_cast<int* const*>(params[1]);
    for (int i = 0; i < 200; ++i) *wrong += bytes[i] != (unsigned char)i;
    *wrong += reinterpret_cast<std::uintptr_t>(bytes) % 64 != 0;
}

TEST(Launches, wide_arguments_are_copied_whole_and_aligned) {
    Stream stream;
    struct alignas(64) Wide {
        unsigned char bytes[200];
    } wide;
    for (int i = 0; i < 200; ++i) wide.bytes[i] = (unsigned char)i;
    int wrong = 0, *to = &wrong;
    {
        Gate gate(stream.raw());
        Launch(&read_wide, 0, 1, stream.raw(), wide, to).run();
        std::fill(std::begin(wide.bytes), std::end(wide.bytes), 0);
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(wrong, 0);
}

void count_up(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    std::int32_t* plane = *static_cast<std::int32_t* const*>(params[0]);
    for (std::int64_t i = base; i < base + count; ++i) ++plane[i];
}

TEST(Launches, many_threads_launch_at_once) {
    constexpr int threads = 6, rounds = 200;
    constexpr std::int64_t n = 3000;
    std::vector<std::vector<std::int32_t>> planes(threads, std::vector<std::int32_t>(n, 0));
    std::vector<std::thread> pool;
    for (auto& plane : planes) {
        pool.emplace_back([&plane] {
            Stream stream;
            std::int32_t* at = plane.data();
            for (int i = 0; i < rounds; ++i) Launch(&count_up, 0, n, stream.raw(), at).run();
            stream.synchronize();
        });
    }
    for (auto& thread : pool) thread.join();
    for (const auto& plane : planes) EXPECT_EQ(plane, std::vector<std::int32_t>(n, rounds));
}

TEST(Launches, launches_of_two_threads_on_one_stream_do_not_overlap) {
    constexpr int rounds = 300;
    constexpr std::int64_t n = 2000;
    std::vector<std::int32_t> plane(n, 0);
    Stream stream;
    auto work = [&] {
        std::int32_t* at = plane.data();
        for (int i = 0; i < rounds; ++i) Launch(&count_up, 0, n, stream.raw(), at).run();
    };
    std::thread other(work);
    work();
    other.join();
    stream.synchronize();
    EXPECT_EQ(plane, std::vector<std::int32_t>(n, 2 * rounds));
}

TEST(Launches, an_empty_range_launches_nothing) {
    std::int32_t value = 0, *at = &value, launched = -1;
    for (std::int64_t count : {0, -1}) {
        Launch launch(&count_up, 0, count, 0, at);
        EXPECT_EQ(client::run_device(&launch.desc, &launched), EAGLE_BACKEND_OK);
        EXPECT_EQ(launched, 0);
    }
    EXPECT_EQ(value, 0);
}

}  // namespace
