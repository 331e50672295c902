// Kernels on a team of threads.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Arguments;
using eagle::ArrayView;
using eagle::Plan;
using handmade::refusal;
using handmade::view;

std::vector<double> ramp(std::size_t n) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = 0.1 * static_cast<double>(i) - 3.0;
    return out;
}

eagle::Kernel scale() { return eagle::Artifact::load(handmade::example()).kernel(); }

Arguments scale_arguments(std::vector<double>& x) { return {{"x", view(x)}, {"a", 2.0}, {"b", 1.0}}; }

TEST(Plan, RunAllocatesItsOutputs) {
    std::vector<double> x = ramp(1000);
    const auto result = Plan(scale()).run(scale_arguments(x));
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_EQ(result.outputs[0].first, "out");
    const auto out = result.outputs[0].second.as<double>();
    ASSERT_EQ(out.size(), 1000u);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], 2.0 * x[i] + 1.0);
    EXPECT_TRUE(result.notices.empty());
}

// float32 for a float64 argument: docs/cpp.md, "What fits".
TEST(Plan, RunSaysWhatItConvertedAndBindRefusesIt) {
    std::vector<float> x{0.5F, -1.25F};
    const Arguments arguments{{"x", view(x)}, {"a", 2.0}, {"b", 1.0}};
    const auto result = Plan(scale()).run(arguments);
    const auto out = result.outputs[0].second.as<double>();
    EXPECT_EQ(std::vector<double>(out.begin(), out.end()), (std::vector<double>{2.0, -1.5}));
    ASSERT_EQ(result.notices.size(), 1u);
    EXPECT_EQ(result.notices[0].parameter, "x");
    EXPECT_EQ(
        result.notices[0].text,
        "argument 'x' of kernel 'scale' has dtype float32 and is converted by value to float64; give that dtype to "
        "save the copy");
    std::vector<double> y(2);
    Arguments given = arguments;
    given.emplace_back("out", view(y));
    EXPECT_NE(
        refusal<eagle::BufferRefused>([&] {
            Plan(scale()).bind(given);
        }).find("argument 'x' of kernel 'scale' has dtype float32; it needs float64, and nothing is converted here"),
        std::string::npos);
    std::vector<float> narrow(2);
    given.back() = {"out", view(narrow)};
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale()).run(given);
              }).find("argument 'out' of kernel 'scale' has dtype float32; it is written in place and needs float64"),
              std::string::npos);
}

TEST(Plan, BitsDoNotDependOnThreadsOrPartitions) {
    const std::vector<double> start = ramp(100'003);
    std::vector<double> x = start, expected(start.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = 2.0 * x[i] + 1.0;
    for (int threads : {1, 2, 3, 7})
        for (int parts : {1, 2, 3, 64}) {
            const auto result = Plan(scale(), {threads}, parts).run(scale_arguments(x));
            EXPECT_EQ(std::memcmp(result.outputs[0].second.as<double>().data(), expected.data(), 8 * x.size()), 0)
                << threads << " threads, " << parts << " partitions";
        }
    EXPECT_EQ(x, start);
}

TEST(Plan, MorePartitionsThanSamplesCostNothing) {
    std::vector<double> x{1.0, 2.0, 3.0};
    const auto result = Plan(scale(), {}, std::numeric_limits<int>::max()).run(scale_arguments(x));
    const auto out = result.outputs[0].second.as<double>();
    EXPECT_EQ(std::vector<double>(out.begin(), out.end()), (std::vector<double>{3.0, 5.0, 7.0}));
}

TEST(Plan, LargeOutputsAreRight) {
    std::vector<double> x = ramp(3'000'000);  // 24 MB: from the pool the second time
    const Plan plan(scale());
    for (int round = 0; round < 2; ++round) {
        const auto result = plan.run(scale_arguments(x));
        const auto out = result.outputs[0].second.as<double>();
        for (std::size_t i = 0; i < x.size(); i += 997) ASSERT_EQ(out[i], 2.0 * x[i] + 1.0);
        ASSERT_EQ(out.back(), 2.0 * x.back() + 1.0);
    }
}

TEST(Plan, GivenOutputsAreFilledAndNotReturned) {
    std::vector<double> x = ramp(10), out(10, -1.0);
    Arguments arguments = scale_arguments(x);
    arguments.emplace_back("out", view(out));
    EXPECT_TRUE(Plan(scale()).run(arguments).outputs.empty());
    EXPECT_EQ(out[9], 2.0 * x[9] + 1.0);
}

TEST(Plan, NoSamplesIsNoWork) {
    std::vector<double> x;
    const auto result = Plan(scale()).run(scale_arguments(x));
    EXPECT_EQ(result.outputs[0].second.view().size(), 0);
}

TEST(Plan, ArgumentsThatDoNotFitAreRefusedByName) {
    std::vector<double> x = ramp(10);
    EXPECT_NE(refusal<eagle::ArgumentError>([&] { Plan(scale()).run({{"x", view(x)}, {"a", 2.0}}); }).find("'b'"),
              std::string::npos);
    Arguments arguments = scale_arguments(x);
    arguments.emplace_back("c", 1.0);
    EXPECT_NE(refusal<eagle::ArgumentError>([&] { Plan(scale()).run(arguments); }).find("'c'"), std::string::npos);
}

TEST(Plan, PlanesOfTheLoaderAreNoArguments) {
    const eagle::Kernel kernel = handmade::kernel(handmade::counter(), "counter");
    std::vector<std::int64_t> steps(10);
    const auto text = refusal<eagle::ArgumentError>([&] { Plan(kernel).bind({{"__steps", handmade::view(steps)}}); });
    EXPECT_NE(text.find("'__steps'"), std::string::npos) << text;
    EXPECT_NE(text.find("is supplied by the loader; leave it out"), std::string::npos) << text;
}

TEST(Plan, ANameGivenTwiceIsRefused) {
    std::vector<double> x = ramp(10);
    Arguments arguments = scale_arguments(x);
    arguments.emplace_back("a", 5.0);
    EXPECT_NE(refusal<eagle::ArgumentError>([&] { Plan(scale()).run(arguments); }).find("'a'"), std::string::npos);
}

TEST(Plan, CrossSampleWritesGoInOrderOnOnePartition) {
    const eagle::Kernel kernel = handmade::kernel(handmade::prefix(), "prefix");
    std::vector<double> x(100'000, 1.0);
    Plan(kernel, {4}).run({{"x", view(x)}});
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], static_cast<double>(i + 1));
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { Plan(kernel, {}, 2); }),
              "kernel 'prefix' has exec_access 'cross_sample_write' and the plan has 2 partitions; the rule: "
              "cross_sample_write runs on one partition of one device or team");
}

TEST(Plan, NumbersOutOfRangeAreRefused) {
    EXPECT_EQ(refusal<eagle::InvalidArgument>([] { Plan(scale(), {-2}); }),
              "HostTeam has -2 threads; it needs a positive number, or 0 for as many as this process may use");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([] { Plan(scale(), {}, 0); }),
              "npartitions is 0; a plan needs at least 1 partition");
}

// The planes of a counter, and its arguments.
struct Counter {
    explicit Counter(std::size_t count)
        : n(count), x(count, 1.0), fault_at(count, 0.0), limit(count, 1e9), done(new bool[count]()), count_(count) {}
    Arguments arguments() {
        return {{"n", view(n)},
                {"x", view(x)},
                {"fault_at", view(fault_at)},
                {"limit", view(limit)},
                {"done", ArrayView::of(std::span(done.get(), count_))},
                {"a", 1.5},
                {"b", -0.25}};
    }
    std::vector<std::int64_t> n;
    std::vector<double> x, fault_at, limit;
    std::unique_ptr<bool[]> done;
    std::size_t count_;
};

TEST(Plan, AFinishingKernelMakesOneStepALaunch) {
    const eagle::Kernel kernel = handmade::kernel(handmade::counter(), "counter");
    Counter state(100);
    state.done[3] = true;
    state.limit[5] = 2.0;
    eagle::BoundPlan bound = Plan(kernel).bind(state.arguments());
    bound.launch();
    EXPECT_EQ(state.n[0], 1);
    EXPECT_EQ(state.x[0], 1.5 * 1.0 - 0.25);
    EXPECT_EQ(state.n[3], 0);
    EXPECT_EQ(state.x[3], 1.0);
    EXPECT_FALSE(state.done[5]);
    bound.launch().launch();
    EXPECT_TRUE(state.done[5]);
    EXPECT_EQ(state.n[5], 2);
    EXPECT_EQ(state.n[0], 3);
}

TEST(Plan, AFaultNamesTheLowestSampleAndTheOthersAreDone) {
    const eagle::Kernel kernel = handmade::kernel(handmade::counter(), "counter");
    for (int threads : {1, 2, 7}) {
        Counter state(100'000);
        state.fault_at[70'000] = state.fault_at[4'321] = state.fault_at[99'999] = 1.0;
        eagle::BoundPlan bound = Plan(kernel, {threads}).bind(state.arguments());
        const auto text = refusal<eagle::DivisionFault>([&] { bound.launch(); });
        EXPECT_NE(text.find("division or modulo by zero in kernel 'counter', sample 4321"), std::string::npos) << text;
        EXPECT_EQ(state.n[4'321], 0);
        EXPECT_EQ(std::accumulate(state.n.begin(), state.n.end(), INT64_C(0)), 100'000 - 3);
        // The next launch begins without the fault of the last.
        for (double& at : state.fault_at) at = 0.0;
        EXPECT_NO_THROW(bound.launch());
    }
}

}  // namespace
