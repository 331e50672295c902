// The `run` entry against a plain loop: bits of every plane, exact steps, for any number of samples, most steps,
// workers, strides, masks, ranges and interruptions.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "models.h"

namespace hawk_test {
namespace {

template <class Model>
class Run : public testing::Test {};
using Models = testing::Types<Oscillator, Fall, Mixed, Whole, Bounce>;
TYPED_TEST_SUITE(Run, Models);

// One call by `workers` threads that share the cursor; the steps it says it made.
template <class Model>
std::int64_t call(Model& b, HostEntry* run, std::int64_t base, std::int64_t count, std::int64_t most, int workers) {
    for (auto& w : b.control.word) w = 0;
    b.control.word[1] = most;
    b.control.cursor = base;
    b.with_arguments([&](void* const* a) {
        std::vector<std::thread> threads;
        for (int k = 1; k < workers; k++) threads.emplace_back([&] { run(a, base, count, b.n); });
        run(a, base, count, b.n);
        for (auto& t : threads) t.join();
    });
    return b.control.word[2];
}

template <class Model>
void preset(Model& b, Random& g, int one_in, std::int64_t loaded) {
    for (std::int64_t i = 0; i < b.n; i++) {
        if (one_in && g() % static_cast<std::uint64_t>(one_in) == 0)
            b.mask[i] = static_cast<std::uint8_t>(1 + g() % 255);
        if (loaded) b.steps[i] = static_cast<std::int64_t>(g() % static_cast<std::uint64_t>(loaded));
    }
}

constexpr std::int64_t counts[] = {0,  1,  2,  3,   5,   7,   8,   9,   15,  16,  17,   31,   32,   33,
                                   63, 64, 65, 100, 127, 255, 256, 257, 500, 511, 1000, 1025, 2047, 4099};
constexpr std::int64_t mosts[] = {1, 2, 17, 333, 100000};

TYPED_TEST(Run, EqualsThePlainLoop) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_run");
        Random g(1);
        for (const std::int64_t n : counts)
            for (const std::int64_t most : mosts) {
                const int gap = g() % 3 == 0 ? 1 + static_cast<int>(g() % 3) : 0,
                          workers = 1 + static_cast<int>(g() % 3);
                TypeParam got(n, gap, g);
                preset(got, g, static_cast<int>(g() % 4), g() % 2 ? 0 : 30);
                const std::int64_t base = g() % 2 || n < 4 ? 0 : static_cast<std::int64_t>(g() % 4), count = n - base;
                TypeParam want = got;
                const Totals totals = run_plainly(want, base, count, most);
                const std::int64_t made = call(got, run, base, count, most, workers);
                ASSERT_TRUE(got.same(want)) << level << ": n " << n << ", most " << most << ", gap " << gap
                                            << ", workers " << workers << ", base " << base;
                ASSERT_EQ(made, totals.steps);
                ASSERT_EQ(got.control.word[3], 0);
            }
    }
}

TYPED_TEST(Run, LeavesTheRestOfTheRangeAlone) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_run");
        Random g(2);
        for (const std::int64_t base : {0, 1, 37, 200}) {
            TypeParam got(300, 0, g), want = got;
            run_plainly(want, base, 61, 50);
            call(got, run, base, 61, 50, 2);
            ASSERT_TRUE(got.same(want)) << level << ": base " << base;
        }
    }
}

TYPED_TEST(Run, FinishedSamplesAndReachedCapsAreSkipped) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_run");
        Random g(3);
        TypeParam got(1000, 0, g);
        for (std::int64_t i = 0; i < got.n; i++) got.mask[i] = i % 97 != 5;
        got.steps[5] = 20;
        TypeParam want = got;
        const Totals totals = run_plainly(want, 0, got.n, 20);
        EXPECT_EQ(call(got, run, 0, got.n, 20, 1), totals.steps);
        EXPECT_TRUE(got.same(want)) << level;
        TypeParam none = got;
        EXPECT_EQ(call(got, run, 0, got.n, 20, 2), 0);
        EXPECT_EQ(call(got, run, 0, got.n, 0, 1), 0);
        EXPECT_EQ(call(got, run, 0, got.n, -3, 1), 0);
        EXPECT_TRUE(got.same(none)) << level;
    }
}

TYPED_TEST(Run, StoppedAtRandomAndContinuedItGivesTheSame) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_run");
        Random g(4);
        TypeParam got(4099, 0, g), want = got;
        preset(got, g, 5, 0);
        want = got;
        const Totals totals = run_plainly(want, 0, got.n, 100000);
        std::int64_t made = 0;
        std::atomic<bool> over{false};
        std::thread stopper([&] {
            Random h(5);
            while (!over) {
                std::this_thread::sleep_for(std::chrono::microseconds(h() % 60));
                __atomic_store_n(&got.control.word[0], 1, __ATOMIC_RELAXED);
            }
        });
        std::int64_t calls = 0;
        for (bool left = true; left; calls++) {
            made += call(got, run, 0, got.n, 100000, 1 + static_cast<int>(calls % 3));
            left = false;
            for (std::int64_t i = 0; i < got.n; i++) left |= !got.mask[i];
        }
        over = true;
        stopper.join();
        EXPECT_TRUE(got.same(want)) << level << " after " << calls << " calls";
        EXPECT_EQ(made, totals.steps) << level;
    }
}

TYPED_TEST(Run, ARaisedStopFlagDrawsNothing) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_run");
        Random g(6);
        TypeParam got(100, 0, g), want = got;
        got.control.word[0] = 1, got.control.word[1] = 1000;
        got.with_arguments([&](void* const* a) { run(a, 0, 100, 100); });
        EXPECT_TRUE(got.same(want)) << level;
        EXPECT_EQ(got.control.word[2], 0);
    }
}

// An oscillator without an end: only the flag ends the call, with every sample at a whole step.
TEST(RunStop, AnEndlessRunStopsAtWholeSteps) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>("oscillator", level, "oscillator_run");
        for (const std::int64_t n : {1, 20, 300}) {
            Random g(7);
            Oscillator got(n, 0, g), want = got;
            got.t_end = want.t_end = 1e300;
            got.control.word[1] = INT64_MAX;
            // A flag that is up before the run begins ends it at once; on a busy machine it is given more time.
            for (int wait = 3; wait < 5000 && got.control.word[2] == 0; wait *= 2) {
                got.control.word[0] = got.control.cursor = 0;
                std::thread stopper([&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
                    __atomic_store_n(&got.control.word[0], 1, __ATOMIC_RELAXED);
                });
                got.with_arguments([&](void* const* a) { run(a, 0, n, n); });
                stopper.join();
            }
            std::int64_t total = 0;
            for (std::int64_t i = 0; i < n; i++) {
                total += got.steps[i];
                for (std::int64_t k = 0; k < got.steps[i]; k++) want.advance(i);
                want.steps[i] = got.steps[i];
            }
            EXPECT_TRUE(got.same(want)) << level;
            EXPECT_EQ(got.control.word[2], total);
            EXPECT_GT(total, 0);
        }
    }
}

// Planes that are not supplied: no steps, no control, no cursor. The run goes to the end on its own.
TEST(RunAbsent, SuppliedPlanesMayBeNull) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>("oscillator", level, "oscillator_run");
        Random g(8);
        Oscillator got(777, 0, g), want = got;
        run_plainly(want, 0, 777, 100000);
        ScalarBlock null{nullptr, 0, 1, 1, 0}, t = got.t.scalar(), v = got.v.scalar(), x = got.x.scalar(),
                                               omega = got.omega.scalar(), mask = got.mask.scalar();
        void* a[] = {&null, &null, &null, &t, &v, &x, &omega, &mask, &got.dt, &got.t_end};
        run(a, 0, 777, 777);
        EXPECT_TRUE(got.x == want.x && got.v == want.v && got.t == want.t && got.mask == want.mask) << level;
    }
}

}  // namespace
}  // namespace hawk_test
