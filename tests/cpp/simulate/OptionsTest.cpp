// Options that are out of range, refused before anything is touched.
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <cmath>

#include "Counter.h"

namespace {

std::string said(const eagle::SimulateOptions& options) {
    Counter state(3);
    const Counter before = state;
    const eagle::Kernel kernel = handmade::kernel(handmade::counter(), "counter");
    std::string text;
    try {
        eagle::simulate(kernel, state.arguments(), options);
    } catch (const eagle::Error& error) {
        text = error.what();
    }
    EXPECT_TRUE(text.empty() || state.same_state(before));
    return text;
}

TEST(Options, MaxStepsIsAtLeastOne) {
    EXPECT_EQ(said(steps_at_most(0)), "max_steps is 0; it must be at least 1");
    EXPECT_EQ(said(steps_at_most(-5)), "max_steps is -5; it must be at least 1");
    EXPECT_EQ(said(steps_at_most(INT64_MAX)), "");
}

TEST(Options, EveryGoesWithUntilAndRecord) {
    eagle::SimulateOptions options = steps_at_most(10);
    options.until = [] { return true; };
    EXPECT_EQ(said(options),
              "until is given without every; it needs every, after how many steps it is asked again: give a number of "
              "at least 1, such as every=10");
    options.until = nullptr;
    options.record = {"x"};
    EXPECT_EQ(said(options),
              "record names 'x' and every is not given; record needs every, the number of steps from one copy to the "
              "next: give a number of at least 1, such as every=10");
    options.record.clear();
    options.every = -1;
    EXPECT_EQ(said(options), "every is -1; it must be a number of steps, at least 1");
}

TEST(Options, RecordNamesPlanes) {
    eagle::SimulateOptions options = steps_at_most(10);
    options.every = 1;
    options.record = {"q"};
    EXPECT_EQ(said(options),
              "record names 'q', which is no plane of the model; its planes are n, x, fault_at, limit, done");
    options.record = {"limti"};
    EXPECT_EQ(said(options),
              "record names 'limti', which is no plane of the model; its planes are n, x, fault_at, limit, done; the "
              "nearest name is 'limit'");
    options.record = {"a"};
    EXPECT_NE(said(options).find("record names 'a', which is no plane"), std::string::npos);
    options.record = {"__steps"};
    EXPECT_NE(said(options).find("record names '__steps', which is no plane"), std::string::npos);
}

TEST(Options, TimeoutIsANumberOfSeconds) {
    eagle::SimulateOptions options = steps_at_most(10);
    options.timeout = std::chrono::duration<double>(-1.0);
    EXPECT_NE(said(options).find("timeout is -1.0"), std::string::npos);
    options.timeout = std::chrono::duration<double>(std::nan(""));
    EXPECT_NE(said(options).find("it must be a number of seconds, 0 or more"), std::string::npos);
    options.timeout = std::chrono::duration<double>(INFINITY);
    EXPECT_EQ(said(options), "");
}

TEST(Options, ThreadsAreNotNegative) {
    EXPECT_NE(said(steps_at_most(1, -1)).find("HostTeam has -1 threads"), std::string::npos);
}

TEST(Options, EveryStatusHasAName) {
    EXPECT_EQ(eagle::status_name(eagle::SimStatus::finished), "finished");
    EXPECT_EQ(eagle::status_name(eagle::SimStatus::max_steps), "max_steps");
    EXPECT_EQ(eagle::status_name(eagle::SimStatus::timeout), "timeout");
    EXPECT_EQ(eagle::status_name(eagle::SimStatus::interrupted), "interrupted");
    EXPECT_EQ(eagle::status_name(eagle::SimStatus::until), "until");
}

}  // namespace
