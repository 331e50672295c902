// Several kernels as one step, and what cannot be part of one.
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <cmath>

#include "Counter.h"

namespace {

using eagle::InvalidArgument;
using eagle::Kernel;
using eagle::SimStatus;
using handmade::refusal;
using handmade::view;

Kernel kernel(const nlohmann::json& sidecar, const std::string& binary) { return handmade::kernel(sidecar, binary); }
Kernel drift() { return kernel(handmade::drift(), "pair"); }
Kernel check() { return kernel(handmade::check(), "pair"); }

struct Pair {
    explicit Pair(std::size_t count) : x(count, 0.0), v(count), limit(count, 10.0), done(count, 0) {
        for (std::size_t i = 0; i < count; ++i) v[i] = 0.25 + static_cast<double>(i % 5);
    }
    eagle::Arguments arguments() {
        return {{"x", view(x)}, {"v", view(v)}, {"limit", view(limit)}, {"dt", 0.5}, {"done", view(done)}};
    }
    std::vector<double> x, v, limit;
    std::vector<std::uint8_t> done;
};

TEST(Model, KernelsRunInOrderAsOneStep) {
    for (int threads : {1, 2, 7}) {
        Pair state(3000);
        const auto result =
            eagle::simulate(std::vector<Kernel>{drift(), check()}, state.arguments(), steps_at_most(1000, threads));
        EXPECT_EQ(result.status, SimStatus::finished);
        const auto steps = steps_of(result);
        for (std::size_t i = 0; i < 3000; ++i) {
            // All numbers are exact in binary: x grows by v / 2 a step until it is 10.
            const double each = 0.5 * state.v[i];
            const auto expected = static_cast<std::int64_t>(std::ceil(10.0 / each));
            ASSERT_EQ(steps[i], expected) << i;
            ASSERT_EQ(state.x[i], static_cast<double>(expected) * each);
        }
    }
}

TEST(Model, TheOtherOrderIsAnotherModel) {
    Pair state(1);
    state.v[0] = 20.0;
    const auto result = eagle::simulate(std::vector<Kernel>{check(), drift()}, state.arguments(), steps_at_most(100));
    // check looks before the first drift: it finishes in the second step, before drift moves x again.
    EXPECT_EQ(result.steps, 2);
    EXPECT_EQ(state.x[0], 10.0);
}

TEST(Model, AMaskThatIsNotGivenIsAllocatedForAllKernels) {
    Pair state(10);
    eagle::Arguments arguments = state.arguments();
    arguments.pop_back();
    const auto result = eagle::simulate(std::vector<Kernel>{drift(), check()}, arguments, steps_at_most(1000));
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.done, 10);
}

TEST(Model, TheReportSaysHowItWasRun) {
    Pair state(10);
    const auto pair = eagle::simulate(std::vector<Kernel>{drift(), check()}, state.arguments(), steps_at_most(3, 1));
    EXPECT_EQ(pair.report, "3 steps of 2 kernels, one launch each, on up to 1 threads");
    Counter counters(10);
    const auto one = eagle::simulate(kernel(handmade::counter(), "counter"), counters.arguments(), steps_at_most(3, 2));
    EXPECT_EQ(one.report, "1 launch of the run entry of 'counter' on 1 thread");  // ten samples keep one worker busy
}

TEST(Model, KernelsThatCannotBePartOfAStep) {
    Pair state(10);
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(drift(), state.arguments(), steps_at_most(1));
              }).find("kernel 'drift' does not finish its samples, and no other kernel of the model does"),
              std::string::npos);
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(std::vector<Kernel>{}, state.arguments(), steps_at_most(1));
              }).find("the model has no kernel"),
              std::string::npos);

    const Kernel scale = eagle::Artifact::load(handmade::example()).kernel();
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(std::vector<Kernel>{scale, check()}, state.arguments(), steps_at_most(1));
              }).find("kernel 'scale' writes state but declares no Terminated"),
              std::string::npos);

    nlohmann::json other = handmade::drift();
    other["arg_spec"][2][1] = "gone";
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(std::vector<Kernel>{kernel(other, "pair"), check()}, state.arguments(),
                                  steps_at_most(1));
              }).find("kernel 'drift' calls its terminated plane 'gone', kernel 'check' calls it 'done'"),
              std::string::npos);

    nlohmann::json uncounted = handmade::check();
    uncounted["arg_spec"].erase(2);
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(kernel(uncounted, "pair"), state.arguments(), steps_at_most(1));
              }).find("has no plane '__steps' to count"),
              std::string::npos);
}

TEST(Model, ArgumentsAreMatchedOverAllKernels) {
    Pair state(10);
    const std::vector<Kernel> model = {drift(), check()};
    auto said = [&](eagle::Arguments arguments) {
        return refusal<eagle::ArgumentError>([&] { eagle::simulate(model, arguments, steps_at_most(1)); });
    };
    eagle::Arguments arguments = state.arguments();
    arguments.emplace_back("mass", 1.0);
    EXPECT_EQ(said(arguments),
              "argument 'mass' is unknown to 'drift', 'check'; the model takes x, v, done, dt, limit: give it one of "
              "these names, or leave it out");
    arguments.back().first = "__steps";
    EXPECT_EQ(
        said(arguments),
        "argument '__steps' is unknown to 'drift', 'check'; the model takes x, v, done, dt, limit: give it one of "
        "these names, or leave it out");
    arguments.back().first = "limitt";
    EXPECT_EQ(said(arguments),
              "argument 'limitt' is unknown to 'drift', 'check'; the model takes x, v, done, dt, limit: give it one of "
              "these names, or leave it out; the nearest name is 'limit'");
    arguments.back().first = "dt";
    EXPECT_EQ(said(arguments), "argument 'dt' is given twice; give it once");
    arguments.pop_back();
    arguments.erase(arguments.begin() + 1);
    EXPECT_NE(said(arguments).find("'v'"), std::string::npos) << said(arguments);
    EXPECT_EQ(state.x[0], 0.0);
}

TEST(Model, KernelsShareOneBatch) {
    Pair state(10);
    state.limit.resize(9);
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  eagle::simulate(std::vector<Kernel>{drift(), check()}, state.arguments(), steps_at_most(1));
              }).find("limit"),
              std::string::npos);
}

}  // namespace
