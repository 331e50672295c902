// Runs that are asked about: poll, timeout, progress. Windows change no bit and no step.
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>

#include "Counter.h"

namespace {

using eagle::Progress;
using eagle::SimStatus;
using std::chrono::duration;

eagle::Kernel counter(bool run = true) { return handmade::kernel(handmade::counter(run), "counter"); }

// Some seconds of work, however it is run.
Counter long_batch() {
    Counter out(2000);
    for (std::size_t i = 0; i < 2000; ++i) out.limit[i] = 1e6 + static_cast<double>(i);
    return out;
}

TEST(Stop, APollThatSaysSoInterrupts) {
    for (bool run : {true, false}) {
        Counter state = long_batch();
        eagle::SimulateOptions options = steps_at_most(10'000'000, 2);
        options.poll = [] { return true; };
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        EXPECT_EQ(result.status, SimStatus::interrupted);
        EXPECT_FALSE(result.finished);
        EXPECT_GT(result.steps, 0);
        // Every sample stands at a whole step: the plane n counts them too.
        EXPECT_EQ(steps_of(result), state.n);
        EXPECT_EQ(result.steps, std::accumulate(state.n.begin(), state.n.end(), INT64_C(0)));
    }
}

TEST(Stop, ARunCutIntoWindowsHasTheSameBitsAndSteps) {
    Counter state(400), expected(400);
    for (std::size_t i = 0; i < 400; ++i) state.limit[i] = expected.limit[i] = 2e5 + 1000.0 * static_cast<double>(i);
    const auto steps = expected.advance(10'000'000);
    eagle::SimulateOptions options = steps_at_most(10'000'000, 2);
    int polls = 0;
    options.poll = [&] { return ++polls > 1'000'000; };
    const auto result = eagle::simulate(counter(), state.arguments(), options);
    EXPECT_EQ(result.status, SimStatus::finished);
    EXPECT_GE(polls, 1);
    EXPECT_TRUE(state.same_state(expected));
    EXPECT_EQ(steps_of(result), steps);
}

TEST(Stop, AnInterruptedRunContinues) {
    Counter state(300), expected(300);
    for (std::size_t i = 0; i < 300; ++i) state.limit[i] = expected.limit[i] = 3e5 + 1000.0 * static_cast<double>(i);
    const auto steps = expected.advance(10'000'000);
    eagle::SimulateOptions options = steps_at_most(10'000'000, 2);
    options.poll = [] { return true; };
    eagle::Simulation simulation({counter()}, state.arguments(), options);
    std::vector<std::int64_t> made(300, 0);
    bool finished = false;
    for (int round = 0; round < 10'000 && !finished; ++round) {
        const auto result = simulation.run();
        const auto now = steps_of(result);
        for (std::size_t i = 0; i < 300; ++i) made[i] += now[i];
        finished = result.finished;
        EXPECT_EQ(result.status, finished ? SimStatus::finished : SimStatus::interrupted);
    }
    EXPECT_TRUE(finished);
    EXPECT_EQ(made, steps);
    EXPECT_TRUE(state.same_state(expected));
}

TEST(Stop, ATimeoutStopsCleanly) {
    for (bool run : {true, false}) {
        Counter state = long_batch();
        eagle::SimulateOptions options = steps_at_most(10'000'000, 2);
        options.timeout = duration<double>(0.05);
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        EXPECT_EQ(result.status, SimStatus::timeout);
        EXPECT_GE(result.wall_s, 0.05);
        EXPECT_EQ(steps_of(result), state.n);
    }
}

TEST(Stop, ATimeoutOfZeroMakesNoStep) {
    for (bool run : {true, false}) {
        Counter state(10);
        eagle::SimulateOptions options = steps_at_most(100);
        options.timeout = duration<double>(0);
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        EXPECT_EQ(result.status, SimStatus::timeout);
        EXPECT_EQ(result.steps, 0);
    }
}

TEST(Stop, AFinishedRunIsFinishedWhateverTheClockSays) {
    Counter state(10);
    std::fill(state.done.begin(), state.done.end(), 1);
    eagle::SimulateOptions options = steps_at_most(100);
    options.timeout = duration<double>(0);
    EXPECT_EQ(eagle::simulate(counter(), state.arguments(), options).status, SimStatus::finished);
}

TEST(Stop, ProgressGrowsAndEndsWithEverySampleDone) {
    for (bool run : {true, false}) {
        Counter state(200);
        for (std::size_t i = 0; i < 200; ++i) state.limit[i] = 1000.0 * static_cast<double>(i + 1);
        std::vector<Progress> seen;
        eagle::SimulateOptions options = steps_at_most(150'000, 2);
        options.progress = [&](const Progress& progress) { seen.push_back(progress); };
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        ASSERT_FALSE(seen.empty());
        for (std::size_t i = 1; i < seen.size(); ++i) {
            EXPECT_GE(seen[i].done, seen[i - 1].done);
            EXPECT_GE(seen[i].steps, seen[i - 1].steps);
            EXPECT_GE(seen[i].seconds, seen[i - 1].seconds);
        }
        EXPECT_EQ(seen.back().samples, 200);
        EXPECT_EQ(seen.back().done, 200);  // 150 finished, 50 at the cap
        EXPECT_EQ(seen.back().steps, result.steps);
        EXPECT_EQ(result.done, 150);
        EXPECT_EQ(result.status, SimStatus::max_steps);
    }
}

TEST(Stop, ASecondEntryIsBusyAndAnErrorOfACallbackLeavesTheSimulationUsable) {
    Counter state = long_batch();
    std::string inner;
    eagle::Simulation* self = nullptr;
    bool fail = true;
    eagle::SimulateOptions options = steps_at_most(20'000, 2);
    options.every = 5'000;
    options.until = [&] {
        inner = handmade::refusal<eagle::Busy>([&] { self->run(); });
        if (fail) throw std::runtime_error("from the callback");
        return false;
    };
    eagle::Simulation simulation({counter()}, state.arguments(), options);
    self = &simulation;
    EXPECT_EQ(handmade::refusal<std::runtime_error>([&] { simulation.run(); }), "from the callback");
    EXPECT_EQ(inner,
              "this simulation is running already, and serves one caller at a time; wait for it, make one for each "
              "thread, and do not enter it from a function that it calls");
    EXPECT_EQ(state.n[0], 5'000);
    fail = false;
    EXPECT_EQ(simulation.run().status, SimStatus::max_steps);
    EXPECT_EQ(state.n[0], 25'000);
}

}  // namespace
