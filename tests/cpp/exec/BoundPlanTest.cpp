// Arguments packed once, launched many times.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Arguments;
using eagle::BoundPlan;
using eagle::Plan;
using handmade::refusal;
using handmade::view;

struct Scale {
    explicit Scale(std::size_t n) : x(n, 3.0), out(n, -1.0) {}
    BoundPlan bind(int threads = 0) {
        return Plan(eagle::Artifact::load(handmade::example()).kernel(), {threads})
            .bind({{"x", view(x)}, {"out", view(out)}, {"a", 2.0}, {"b", 1.0}});
    }
    std::vector<double> x, out;
};

TEST(BoundPlan, ReadsItsArraysAtEachLaunch) {
    Scale state(100);
    BoundPlan bound = state.bind();
    EXPECT_EQ(bound.samples(), 100);
    bound.launch();
    EXPECT_EQ(state.out[99], 7.0);
    state.x[99] = 10.0;
    bound.launch();
    EXPECT_EQ(state.out[99], 21.0);
}

TEST(BoundPlan, RebindsNumbersAndArrays) {
    Scale state(100);
    BoundPlan bound = state.bind();
    bound.rebind("a", 3.0).launch();
    EXPECT_EQ(state.out[0], 10.0);
    bound.rebind("b", std::int64_t{5}).launch();
    EXPECT_EQ(state.out[0], 14.0);
    std::vector<double> other(100, 1.0);
    bound.rebind("x", view(other)).launch();
    EXPECT_EQ(state.out[50], 8.0);
}

TEST(BoundPlan, ARebindThatDoesNotFitChangesNothing) {
    Scale state(100);
    BoundPlan bound = state.bind();
    std::vector<double> shorter(99, 0.0);
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { bound.rebind("x", view(shorter)); }), "");
    EXPECT_EQ(refusal<eagle::ArgumentError>([&] { bound.rebind("c", 1.0); }),
              "kernel 'scale' has no argument 'c' to rebind; it takes out, x, a, b");
    bound.launch();
    EXPECT_EQ(state.out[0], 7.0);
}

TEST(BoundPlan, BindConvertsNothing) {
    std::vector<std::int64_t> x(10, 1);
    std::vector<double> out(10);
    const auto text = refusal<eagle::BufferRefused>([&] {
        Plan(eagle::Artifact::load(handmade::example()).kernel())
            .bind({{"x", view(x)}, {"out", view(out)}, {"a", 2.0}, {"b", 1.0}});
    });
    EXPECT_NE(text.find("'x'"), std::string::npos) << text;
    EXPECT_NE(text.find("int64"), std::string::npos) << text;
}

TEST(BoundPlan, TellsHowLongALaunchTakes) {
    Scale state(200'000);
    BoundPlan bound = state.bind();
    EXPECT_LT(bound.expected_seconds(), 0.0);
    bound.launch();
    EXPECT_GT(bound.expected_seconds(), 0.0);
    EXPECT_LT(bound.expected_seconds(), 60.0);
}

// 100,000 samples of some microseconds each, so that a launch is long on any machine; x becomes x + 250.
struct Slow {
    Slow() : x(100'000, 3.0), out(100'000, -1.0) {}
    BoundPlan bind() {
        return Plan(handmade::kernel(handmade::slow(), "slow"), {1})
            .bind({{"x", view(x)}, {"out", view(out)}, {"a", 1.0}, {"b", 0.25}});
    }
    std::vector<double> x, out;
};

TEST(BoundPlan, ASecondEntryIsRefused) {
    Slow state;
    BoundPlan bound = state.bind();
    std::string inner;
    // The poll is asked inside the launch, where the plan is busy.
    bound.launch([&] {
        if (inner.empty()) inner = refusal<eagle::Busy>([&] { bound.launch(); });
        return false;
    });
    EXPECT_EQ(inner,
              "this bound plan is running already, and serves one caller at a time; wait for it, make one for each "
              "thread, and do not enter it from a function that it calls");
    EXPECT_EQ(state.out.back(), 253.0);
    EXPECT_NO_THROW(bound.launch([] { return false; }));
}

TEST(BoundPlan, TwoThreadsRunOnePlanAtOnce) {
    const Plan plan(eagle::Artifact::load(handmade::example()).kernel());
    std::atomic<int> wrong{0};
    auto work = [&](double a) {
        std::vector<double> x(5000, a);
        for (int round = 0; round < 200; ++round) {
            const auto result = plan.run({{"x", view(x)}, {"a", a}, {"b", 1.0}});
            const auto out = result.outputs[0].second.as<double>();
            if (out[0] != a * a + 1.0 || out[4999] != a * a + 1.0) ++wrong;
        }
    };
    std::thread other([&] { work(3.0); });
    work(5.0);
    other.join();
    EXPECT_EQ(wrong, 0);
}

TEST(BoundPlan, APollStopsALaunchBetweenWindows) {
    Slow state;
    BoundPlan bound = state.bind();
    int asked = 0;
    std::int64_t done = 0;
    const auto text = refusal<eagle::Interrupted>([&] {
        try {
            bound.launch([&] { return ++asked == 2; });
        } catch (const eagle::Interrupted& error) {
            done = error.done();
            throw;
        }
    });
    EXPECT_NE(text.find("was interrupted after " + std::to_string(done) + " of 100000 samples"), std::string::npos)
        << text;
    ASSERT_GT(done, 0);
    ASSERT_LT(done, 100'000);
    EXPECT_EQ(state.out[static_cast<std::size_t>(done) - 1], 253.0);
    EXPECT_EQ(state.out[static_cast<std::size_t>(done)], -1.0);
    bound.launch([] { return false; });
    EXPECT_EQ(state.out.back(), 253.0);
}

// The child answers through its exit code: gtest's own output would be written twice.
TEST(BoundPlanFork, LaunchesInTheChild) {
    Scale state(500'000);
    BoundPlan bound = state.bind();
    bound.launch();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::fill(state.out.begin(), state.out.end(), -1.0);
        bound.launch();
        Scale fresh(500'000);
        fresh.bind().launch();
        ::_exit(state.out.front() == 7.0 && state.out.back() == 7.0 && fresh.out.back() == 7.0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

// An Array that the caller lets go of lives on in what it was bound to. Freed memory of this size goes back to the
// pool, where the next arrays find it.
TEST(BoundPlan, KeepsTheArraysItWasGiven) {
    const std::int64_t n = 100'000;
    const auto filled = [n](double value) {
        auto array = eagle::Array::zeros({n}, eagle::Dtype::float64);
        std::ranges::fill(array.as<double>(), value);
        return array;
    };
    auto out = filled(-1.0);
    const Plan plan(eagle::Artifact::load(handmade::example()).kernel());
    BoundPlan bound = plan.bind({{"x", filled(3.0)}, {"out", out}, {"a", 2.0}, {"b", 1.0}});
    const auto others = std::vector<eagle::Array>{filled(50.0), filled(60.0), filled(70.0)};
    bound.launch();
    EXPECT_EQ(out.as<double>()[n - 1], 7.0);
    bound.rebind("x", filled(4.0));
    const auto more = std::vector<eagle::Array>{filled(80.0), filled(90.0)};
    bound.launch();
    EXPECT_EQ(out.as<double>()[n - 1], 9.0);
    EXPECT_EQ(others[0].as<double>()[0] + more[0].as<double>()[0], 130.0);
}

TEST(BoundPlan, LetsGoOfAnArrayWhenAnotherTakesItsPlace) {
    auto x = eagle::Array::zeros({10}, eagle::Dtype::float64), other = eagle::Array::zeros({10}, eagle::Dtype::float64);
    const std::weak_ptr<void> watched = x.owner();
    BoundPlan bound = Plan(eagle::Artifact::load(handmade::example()).kernel())
                          .bind({{"x", x}, {"out", other}, {"a", 2.0}, {"b", 1.0}});
    x = eagle::Array();
    EXPECT_FALSE(watched.expired());
    bound.rebind("x", eagle::Array::zeros({10}, eagle::Dtype::float64));
    EXPECT_TRUE(watched.expired());
}

// What was moved from refuses every call, and takes a new value.
TEST(MovedFrom, PlansAndKernelsAreRefused) {
    Scale state(10);
    eagle::Kernel kernel = eagle::Artifact::load(handmade::example()).kernel();
    const eagle::Kernel kept = std::move(kernel);
    const std::string words = "this Kernel was moved from; needs the object that it was moved to";
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { (void)kernel.name(); }, [&] { (void)kernel.signature(); }, [&] { (void)kernel.backend(); },
             [&] { (void)kernel.access(); }, [&] { (void)kernel.operation(); }, [&] { (void)kernel.step_entry(); },
             [&] { (void)kernel.run_entry(); }, [&] { (void)kernel.finishes(); }, [&] { Plan made(kernel); }})
        EXPECT_NE(refusal<eagle::BadHandle>(call).find(words), std::string::npos);

    Plan plan(kept);
    const eagle::Arguments arguments{{"x", view(state.x)}, {"out", view(state.out)}, {"a", 2.0}, {"b", 1.0}};
    const Plan moved = std::move(plan);
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { (void)plan.bind(arguments); }, [&] { (void)plan.run(arguments); }, [&] { (void)plan.kernel(); },
             [&] { (void)plan.team(); }, [&] { (void)plan.npartitions(); }})
        EXPECT_NE(refusal<eagle::BadHandle>(call).find("this Plan was moved from"), std::string::npos);

    BoundPlan bound = moved.bind(arguments);
    BoundPlan other = std::move(bound);
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { bound.launch(); }, [&] { bound.launch([] { return false; }); }, [&] { bound.rebind("a", 1.0); },
             [&] { (void)bound.samples(); }, [&] { (void)bound.expected_seconds(); }, [&] { (void)bound.packed(); }})
        EXPECT_NE(refusal<eagle::BadHandle>(call).find("this BoundPlan was moved from"), std::string::npos);

    kernel = kept;
    plan = moved;
    bound = std::move(other);
    EXPECT_EQ(kernel.name(), kept.name());
    EXPECT_EQ(plan.npartitions(), 1);
    bound.launch();
    EXPECT_EQ(state.out[9], 7.0);
}

}  // namespace
