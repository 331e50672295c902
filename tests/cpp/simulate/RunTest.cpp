// Batches brought to their end: bits, steps, masks.
#include <eagle/Error.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <type_traits>
#include <utility>

#include "Counter.h"

namespace {

using eagle::SimStatus;
using eagle::simulate;

eagle::Kernel counter(bool run) { return handmade::kernel(handmade::counter(run), "counter"); }

void expect_same(const eagle::SimResult& result, const Counter& state, Counter expected, std::int64_t cap) {
    const auto steps = expected.advance(cap);
    EXPECT_TRUE(state.same_state(expected));
    EXPECT_EQ(steps_of(result), steps);
    EXPECT_EQ(result.steps, std::accumulate(steps.begin(), steps.end(), INT64_C(0)));
    EXPECT_EQ(result.samples, static_cast<std::int64_t>(steps.size()));
    const auto finished = std::count(expected.done.begin(), expected.done.end(), 1);
    EXPECT_EQ(result.done, finished);
    EXPECT_EQ(result.finished, finished == result.samples);
    const auto mask = result.finished_mask.as<std::uint8_t>();
    EXPECT_TRUE(std::equal(mask.begin(), mask.end(), expected.done.begin(), expected.done.end()));
}

TEST(Run, BitsAndStepsForAnyNumberOfThreadsAndEitherWay) {
    for (bool run : {true, false}) {
        const eagle::Kernel kernel = counter(run);
        for (int threads : {1, 2, 3, 7}) {
            Counter state(2'003);
            const Counter start = state;
            const auto result = simulate(kernel, state.arguments(), steps_at_most(1000, threads));
            EXPECT_EQ(result.status, SimStatus::finished);
            expect_same(result, state, start, 1000);
            EXPECT_GE(result.wall_s, 0.0);
        }
    }
}

TEST(Run, MaxStepsIsNeverOvershot) {
    for (bool run : {true, false})
        for (std::int64_t cap : {1, 2, 10, 612}) {
            Counter state(500);
            const Counter start = state;
            const auto result = simulate(counter(run), state.arguments(), steps_at_most(cap, 2));
            EXPECT_EQ(result.status, SimStatus::max_steps);
            expect_same(result, state, start, cap);
        }
}

TEST(Run, TheWholeBatchAtOnceOrSampleBySampleGivesTheSameBits) {
    Counter whole(64);
    simulate(counter(true), whole.arguments(), steps_at_most(1000));
    for (std::size_t i = 0; i < 64; ++i) {
        Counter all(64), one(1);
        one.n[0] = all.n[i];
        one.x[0] = all.x[i];
        one.limit[0] = all.limit[i];
        const auto result = simulate(counter(true), one.arguments(), steps_at_most(1000));
        EXPECT_EQ(one.x[0], whole.x[i]);
        EXPECT_EQ(result.steps, whole.n[i]);
    }
}

TEST(Run, NoSamples) {
    for (bool run : {true, false}) {
        Counter state(0);
        const auto result = simulate(counter(run), state.arguments(), steps_at_most(10));
        EXPECT_EQ(result.status, SimStatus::finished);
        EXPECT_TRUE(result.finished);
        EXPECT_EQ(result.samples, 0);
        EXPECT_EQ(result.steps, 0);
    }
}

TEST(Run, AllTerminatedOnEntryIsNoStep) {
    for (bool run : {true, false}) {
        Counter state(100);
        std::fill(state.done.begin(), state.done.end(), 1);
        const Counter start = state;
        const auto result = simulate(counter(run), state.arguments(), steps_at_most(10));
        EXPECT_EQ(result.status, SimStatus::finished);
        expect_same(result, state, start, 10);
        EXPECT_EQ(result.steps, 0);
    }
}

TEST(Run, AnyNonZeroByteOfTheMaskIsTerminated) {
    Counter state(3);
    state.done = {0, 255, 0};
    const auto result = simulate(counter(true), state.arguments(), steps_at_most(1000));
    EXPECT_EQ(steps_of(result)[1], 0);
    EXPECT_EQ(result.finished_mask.as<std::uint8_t>()[1], 1);
    EXPECT_EQ(state.done[1], 255);
}

TEST(Run, AMaskThatIsNotGivenIsAllLive) {
    Counter state(100), expected(100);
    const auto steps = expected.advance(1000);
    const auto result = simulate(counter(true), state.arguments(false), steps_at_most(1000));
    EXPECT_EQ(steps_of(result), steps);
    EXPECT_EQ(state.x, expected.x);
    EXPECT_TRUE(result.finished);
}

TEST(Run, AStoppedRunContinuesFromWhereItStands) {
    for (bool run : {true, false}) {
        Counter state(300), expected(300);
        eagle::Simulation simulation({counter(run)}, state.arguments(), steps_at_most(100, 3));
        for (std::int64_t round = 0; round < 7; ++round) {
            const auto result = simulation.run();
            expect_same(result, state, expected, 100);
            expected.advance(100);
        }
        EXPECT_EQ(simulation.run().steps, 0);
        EXPECT_TRUE(simulation.run().finished);
    }
}

TEST(Run, AFaultIsRaisedWhenTheOthersAreDone) {
    for (int threads : {1, 2, 7}) {
        Counter state(1000), expected(1000);
        expected.advance(1000);
        state.limit[700] = state.limit[17] = 1e9;
        state.fault_at[700] = 30.0;
        state.fault_at[17] = 400.0;
        const auto text = handmade::refusal<eagle::DivisionFault>(
            [&] { simulate(counter(true), state.arguments(), steps_at_most(1000, threads)); });
        EXPECT_NE(text.find("in kernel 'counter', sample 17"), std::string::npos) << text;
        EXPECT_EQ(state.n[700], 29);  // its last whole step
        EXPECT_EQ(state.n[17], 399);
        EXPECT_EQ(state.done[17], 0);
        expected.x[17] = state.x[17];
        expected.x[700] = state.x[700];
        EXPECT_EQ(state.x, expected.x);
    }
    Counter state(10);
    state.fault_at[4] = state.fault_at[8] = 1.0;
    const auto text = handmade::refusal<eagle::DivisionFault>(
        [&] { simulate(counter(false), state.arguments(), steps_at_most(1000)); });
    EXPECT_NE(text.find("sample 4"), std::string::npos) << text;
}

TEST(Run, TwoThreadsRunOneKernelAtOnce) {
    const eagle::Kernel kernel = counter(true);
    Counter expected(5000);
    expected.advance(1000);
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < wrong.size(); ++k)
        threads.emplace_back([&, k] {
            for (int round = 0; round < 5; ++round) {
                Counter state(5000);
                simulate(kernel, state.arguments(), steps_at_most(1000, 1 + static_cast<int>(k)));
                wrong[k] += !state.same_state(expected);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// The child answers through its exit code: the output of the test program would be written twice.
TEST(RunFork, SimulatesInTheChildWithAndWithoutTheTicker) {
    const eagle::Kernel kernel = counter(true);
    auto right = [&] {
        Counter state(5000), expected(5000);
        expected.advance(1000);
        eagle::SimulateOptions options = steps_at_most(1000, 2);
        simulate(kernel, state.arguments(), options);
        bool same = state.same_state(expected);
        Counter again(5000);
        options.poll = [] { return false; };
        options.timeout = std::chrono::hours(1);
        simulate(kernel, again.arguments(), options);
        return same && again.same_state(expected);
    };
    ASSERT_TRUE(right());  // the team and the ticker of the parent run
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(right() ? 0 : 1);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(right());
}

TEST(MovedFrom, ASimulationIsRefused) {
    Counter state(10);
    eagle::Simulation first({counter(true)}, state.arguments(), steps_at_most(1000));
    eagle::Simulation second = std::move(first);
    EXPECT_NE(handmade::refusal<eagle::BadHandle>([&] { first.run(); }).find("this Simulation was moved from"),
              std::string::npos);
    EXPECT_EQ(second.run().done, 10);
}

// The arrays that the caller lets go of live on in it.
TEST(Run, KeepsTheArraysItWasGiven) {
    Counter state(100'000);
    const auto n = static_cast<std::int64_t>(state.n.size());
    const auto copy_of = [n](const auto& values) {
        using T = typename std::remove_cvref_t<decltype(values)>::value_type;
        auto array = eagle::Array::empty({n}, std::is_same_v<T, double> ? eagle::Dtype::float64 : eagle::Dtype::int64);
        std::ranges::copy(values, array.template as<T>().begin());
        return array;
    };
    auto x = copy_of(state.x);
    eagle::Simulation simulation({counter(true)},
                                 {{"n", copy_of(state.n)},
                                  {"x", x},
                                  {"fault_at", copy_of(state.fault_at)},
                                  {"limit", copy_of(state.limit)},
                                  {"a", counter_a},
                                  {"b", counter_b}},
                                 steps_at_most(1000));
    std::vector<eagle::Array> others;  // what the pool has goes to them
    for (int i = 0; i < 6; ++i) others.push_back(eagle::Array::zeros({n}, eagle::Dtype::float64));
    EXPECT_TRUE(simulation.run().finished);
    state.advance(1000);
    EXPECT_TRUE(std::ranges::equal(x.as<double>(), state.x));
}

}  // namespace
