// until, every, record.
#include <gtest/gtest.h>

#include <algorithm>

#include "Counter.h"

namespace {

using eagle::SimStatus;

eagle::Kernel counter(bool run) { return handmade::kernel(handmade::counter(run), "counter"); }

TEST(Legs, UntilIsAskedAtEveryStepNumberAndStopsThere) {
    for (bool run : {true, false}) {
        Counter state(100), expected(100);
        std::vector<std::int64_t> asked;
        eagle::SimulateOptions options = steps_at_most(1000, 2);
        options.every = 7;
        options.until = [&] {
            asked.push_back(*std::max_element(state.n.begin(), state.n.end()));
            return asked.size() == 5;
        };
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        EXPECT_EQ(result.status, SimStatus::until);
        EXPECT_EQ(asked, (std::vector<std::int64_t>{7, 14, 21, 28, 35}));
        EXPECT_EQ(steps_of(result), expected.advance(35));
        EXPECT_TRUE(state.same_state(expected));
    }
}

// What until was asked with may leave a reason to stop: that is the status then, at that step.
TEST(Legs, APollThatSaysStopBehindUntilIsWhyItStops) {
    for (bool run : {true, false})
        for (bool enough : {true, false}) {
            Counter state(100), expected(100);
            int asked = 0;
            eagle::SimulateOptions options = steps_at_most(1000, 2);
            options.every = 7;
            options.until = [&] { return ++asked == 2 && enough; };
            options.poll = [&] { return asked == 2; };
            const auto result = eagle::simulate(counter(run), state.arguments(), options);
            EXPECT_EQ(result.status, SimStatus::interrupted);
            EXPECT_EQ(asked, 2);
            EXPECT_EQ(steps_of(result), expected.advance(14));
            EXPECT_TRUE(state.same_state(expected));
        }
}

TEST(Legs, LegsChangeNoBit) {
    for (bool run : {true, false})
        for (std::int64_t every : {1, 10, 613, 5000}) {
            Counter state(300), expected(300);
            eagle::SimulateOptions options = steps_at_most(1000, 3);
            options.every = every;
            options.until = [] { return false; };
            const auto result = eagle::simulate(counter(run), state.arguments(), options);
            EXPECT_EQ(result.status, SimStatus::finished);
            EXPECT_EQ(steps_of(result), expected.advance(1000));
            EXPECT_TRUE(state.same_state(expected));
        }
}

TEST(Legs, RecordCopiesPlanesAtEveryStepNumber) {
    for (bool run : {true, false}) {
        Counter state(50);
        for (double& limit : state.limit) limit = 1000.0;
        eagle::SimulateOptions options = steps_at_most(35, 2);
        options.every = 10;
        options.record = {"x", "n", "done"};
        const auto result = eagle::simulate(counter(run), state.arguments(), options);
        ASSERT_EQ(result.recorded.size(), 3u);
        EXPECT_EQ(result.recorded[0].first, "x");
        ASSERT_EQ(result.recorded[0].second.size(), 3u);  // at 10, 20 and 30; the 5 steps after that are no whole leg
        EXPECT_EQ(state.n[0], 35);
        for (std::size_t k = 0; k < 3; ++k) {
            Counter then(50);
            for (double& limit : then.limit) limit = 1000.0;
            then.advance(static_cast<std::int64_t>(10 * (k + 1)));
            const auto x = result.recorded[0].second[k].as<double>();
            EXPECT_TRUE(std::equal(x.begin(), x.end(), then.x.begin(), then.x.end()));
            EXPECT_EQ(result.recorded[1].second[k].as<std::int64_t>()[49], static_cast<std::int64_t>(10 * (k + 1)));
            EXPECT_EQ(result.recorded[2].second[k].view().size(), 50);
        }
    }
}

TEST(Legs, RecordStopsWhenEverySampleIsDone) {
    Counter state(20);
    for (double& limit : state.limit) limit = 25.0;
    eagle::SimulateOptions options = steps_at_most(1000);
    options.every = 10;
    options.record = {"n"};
    const auto result = eagle::simulate(counter(true), state.arguments(), options);
    ASSERT_EQ(result.recorded[0].second.size(), 3u);
    EXPECT_EQ(result.recorded[0].second[2].as<std::int64_t>()[0], 25);
}

TEST(Legs, RecordingAStridedPlaneGivesADenseCopy) {
    Counter state(6);
    std::vector<double> wide(12, -5.0);
    for (std::size_t i = 0; i < 6; ++i) wide[2 * i] = state.x[i];
    eagle::Arguments arguments = state.arguments();
    for (auto& [name, value] : arguments)
        if (name == "x") {
            eagle::ArrayView view = handmade::view(wide);
            view.shape[0] = 6;
            view.strides[0] = 16;
            value = view;
        }
    eagle::SimulateOptions options = steps_at_most(1);
    options.every = 1;
    options.record = {"x"};
    const auto result = eagle::simulate(counter(true), arguments, options);
    const auto x = result.recorded[0].second.at(0).as<double>();
    ASSERT_EQ(x.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(x[i], wide[2 * i]);
    EXPECT_EQ(wide[1], -5.0);
}

}  // namespace
