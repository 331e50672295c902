// Plans launched until every sample is done, against loops over one sample; with and without moving, to the bit.
#include <eagle/UntilDone.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "Counter.h"
#include "Place.h"

namespace {

using namespace active_tests;
using eagle::Arguments;
using eagle::Array;
using eagle::BoundPlan;
using eagle::Plan;
using eagle::SimStatus;
using eagle::until_done;
using eagle::UntilDoneOptions;
using handmade::refusal;

class UntilDone : public OnEach {};
INSTANTIATE_TEST_SUITE_P(On, UntilDone, places(), place_name);

// The counters of a batch, where the place says.
struct There {
    There(const Place& place, const Counter& host)
        : n(place.up(host.n)),
          x(place.up(host.x)),
          fault_at(place.up(host.fault_at)),
          limit(place.up(host.limit)),
          done(place.up(host.done)) {}
    Arguments arguments() const {
        return {{"n", n},       {"x", x},         {"fault_at", fault_at}, {"limit", limit},
                {"done", done}, {"a", counter_a}, {"b", counter_b}};
    }
    void expect(const Counter& host) const {
        EXPECT_EQ(down<std::int64_t>(n), host.n);
        EXPECT_EQ(down<double>(x), host.x);
        EXPECT_EQ(down<std::uint8_t>(done), host.done);
        EXPECT_EQ(down<double>(limit), host.limit);  // read alone: it does not move
    }
    Array n, x, fault_at, limit, done;
};

class CounterPlan {
  public:
    CounterPlan() : plan_(load()) {}
    BoundPlan bind(const There& there) const { return plan_.bind(there.arguments()); }

  private:
    eagle::Kernel load() {
        folder_.add(handmade::counter(), "counter");
        return folder_.load().kernel("counter", "cpu");
    }
    handmade::Folder folder_;
    Plan plan_;
};

UntilDoneOptions at_most(std::int64_t max_steps, std::int64_t every = 32) {
    UntilDoneOptions options;
    options.max_steps = max_steps;
    options.every = every;
    return options;
}

std::vector<std::int64_t> steps_in(const eagle::SimResult& result) {
    return down<std::int64_t>(result.steps_per_sample);
}

TEST_P(UntilDone, EverySampleIsTakenToItsEnd) {
    const CounterPlan plan;
    for (const std::size_t size : {1, 63, 4097, 20'000})
        for (const bool reorder : {false, true}) {
            Counter expected(size);
            const There there(GetParam(), expected);
            BoundPlan bound = plan.bind(there);
            UntilDoneOptions options = at_most(1000, 16);
            options.reorder = reorder;
            const auto result = until_done(bound, options);
            const auto steps = expected.advance(1000);
            there.expect(expected);
            EXPECT_EQ(steps_in(result), steps);
            EXPECT_EQ(result.status, SimStatus::finished);
            EXPECT_TRUE(result.finished);
            EXPECT_EQ(result.done, static_cast<std::int64_t>(size));
            std::int64_t sum = 0;
            for (const std::int64_t s : steps) sum += s;
            EXPECT_EQ(result.steps, sum);
            EXPECT_EQ(result.report.find("were moved to the front") != std::string::npos, reorder) << result.report;
            if (reorder && size > 4096) {
                EXPECT_EQ(result.report.find("front 0 times"), std::string::npos) << result.report;
            }
        }
}

TEST_P(UntilDone, TheCapIsNeverOvershotAndACallGoesOn) {
    const CounterPlan plan;
    Counter expected(9000);
    expected.done[5] = expected.done[8999] = 1;  // terminated on entry
    const There there(GetParam(), expected);
    BoundPlan bound = plan.bind(there);
    for (const std::int64_t cap : {1, 40, 300, 600}) {
        const auto result = until_done(bound, at_most(cap, 7));
        const auto steps = expected.advance(cap);
        EXPECT_EQ(steps_in(result), steps) << cap;
        EXPECT_EQ(steps_in(result)[5], 0);
        there.expect(expected);
        EXPECT_EQ(result.status, cap == 600 ? SimStatus::finished : SimStatus::max_steps);
    }
    EXPECT_EQ(until_done(bound, at_most(5)).steps, 0);
}

TEST_P(UntilDone, SeveralPlansAreOneStep) {
    handmade::Folder folder;
    folder.add(handmade::counter(), "counter").add(handmade::drift(), "pair");
    const eagle::Artifact artifact = folder.load();
    const Plan count(artifact.kernel("counter", "cpu")), drift(artifact.kernel("drift", "cpu"));
    Counter expected(9000);
    std::vector<double> y(9000, 0.5), v(9000);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.001 * static_cast<double>(i);
    const There there(GetParam(), expected);
    const Array ys = GetParam().up(y), vs = GetParam().up(v);
    BoundPlan first = count.bind(there.arguments());
    BoundPlan second = drift.bind({{"x", ys}, {"v", vs}, {"done", there.done}, {"dt", 0.25}});
    BoundPlan* const plans[] = {&second, &first};  // drifts while it is live, then counts
    const auto result = until_done(plans, at_most(1000, 8));
    const auto steps = expected.advance(1000);
    for (std::size_t i = 0; i < y.size(); ++i)
        for (std::int64_t s = 0; s < steps[i]; ++s) y[i] += v[i] * 0.25;
    there.expect(expected);
    EXPECT_EQ(down<double>(ys), y);
    EXPECT_EQ(down<double>(vs), v);
    EXPECT_EQ(steps_in(result), steps);
}

TEST_P(UntilDone, HooksSeeSamplesInTheirOrder) {
    const CounterPlan plan;
    Counter expected(9000);
    const There there(GetParam(), expected);
    BoundPlan bound = plan.bind(there);
    UntilDoneOptions options = at_most(1000, 50);
    std::vector<std::int64_t> at;
    std::vector<std::int32_t> finished;
    Counter on_the_way(9000);
    options.on_step = [&](std::int64_t steps) {
        on_the_way.advance(steps - (at.empty() ? 0 : at.back()));
        at.push_back(steps);
        EXPECT_EQ(down<double>(there.x), on_the_way.x);
    };
    options.when_finished = [&](auto samples) {
        EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end()));
        finished.insert(finished.end(), samples.begin(), samples.end());
    };
    until_done(bound, options);
    EXPECT_EQ(at.front(), 50);
    EXPECT_EQ(at.back(), 650);  // the last of 613 steps falls in the thirteenth look
    EXPECT_EQ(at.size(), 13u);
    std::sort(finished.begin(), finished.end());
    std::vector<std::int32_t> all(9000);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    EXPECT_EQ(finished, all);
}

TEST_P(UntilDone, AHookThatThrowsLeavesSamplesInTheirOrder) {
    const CounterPlan plan;
    Counter expected(9000);
    const There there(GetParam(), expected);
    BoundPlan bound = plan.bind(there);
    UntilDoneOptions options = at_most(1000, 100);
    std::size_t told = 0;
    options.when_finished = [&](auto samples) {
        told += samples.size();
        if (told > 8000) throw std::runtime_error("enough");
    };
    EXPECT_EQ(refusal<std::runtime_error>([&] { until_done(bound, options); }), "enough");
    const auto n = down<std::int64_t>(there.n);
    expected.advance(*std::max_element(n.begin(), n.end()));
    there.expect(expected);
    until_done(bound, at_most(1000));  // and it goes on
    expected.advance(1000);
    there.expect(expected);
}

TEST_P(UntilDone, TheLowestFaultySampleIsNamed) {
    const CounterPlan plan;
    Counter host(9000);
    host.fault_at[8123] = host.fault_at[8999] = 500;  // most have finished by then
    host.limit[8123] = host.limit[8999] = 600;
    const There there(GetParam(), host);
    BoundPlan bound = plan.bind(there);
    EXPECT_NE(refusal<eagle::DivisionFault>([&] { until_done(bound, at_most(1000, 10)); }).find("sample 8123"),
              std::string::npos);
    const auto n = down<std::int64_t>(there.n);
    EXPECT_EQ(n[8123], 499);
    EXPECT_EQ(n[0], 1);  // limit of sample 0
    EXPECT_EQ(down<double>(there.limit), host.limit);
}

TEST_P(UntilDone, APollThatSaysStopBehindUntilIsWhyItStops) {
    const CounterPlan plan;
    for (const bool enough : {true, false}) {
        Counter expected(3000);
        for (double& limit : expected.limit) limit = 1e9;
        const There there(GetParam(), expected);
        BoundPlan bound = plan.bind(there);
        UntilDoneOptions options = at_most(1000, 10);
        int asked = 0;
        options.until = [&] { return ++asked == 2 && enough; };
        options.poll = [&] { return asked == 2; };
        const auto result = until_done(bound, options);
        EXPECT_EQ(result.status, SimStatus::interrupted);
        EXPECT_EQ(asked, 2);
        EXPECT_EQ(steps_in(result), expected.advance(20));
        there.expect(expected);
    }
}

TEST_P(UntilDone, APollAndATimeoutStopItAtWholeSteps) {
    const CounterPlan plan;
    Counter expected(3000);
    for (double& limit : expected.limit) limit = 1e9;
    const There there(GetParam(), expected);
    BoundPlan bound = plan.bind(there);
    UntilDoneOptions options = at_most(1'000'000'000);
    options.timeout = std::chrono::duration<double>(0);
    EXPECT_EQ(until_done(bound, options).status, SimStatus::timeout);
    there.expect(expected);
    options.timeout = std::chrono::duration<double>(0.06);
    const auto stopped = until_done(bound, options);
    EXPECT_EQ(stopped.status, SimStatus::timeout);
    options.timeout.reset();
    int asked = 0;
    eagle::Progress last;
    options.poll = [&] { return ++asked == 2; };
    options.progress = [&](const eagle::Progress& at) { last = at; };
    const auto interrupted = until_done(bound, options);
    EXPECT_EQ(interrupted.status, SimStatus::interrupted);
    EXPECT_EQ(last.samples, 3000);
    EXPECT_EQ(last.steps, interrupted.steps);
    const std::int64_t made = steps_in(stopped)[0] + steps_in(interrupted)[0];
    EXPECT_EQ(down<std::int64_t>(there.n), std::vector<std::int64_t>(3000, made));
}

// Random limits, sizes and looks; moved and not moved give the same bits.
TEST_P(UntilDone, AnyBatch) {
    const CounterPlan plan;
    std::mt19937 numbers(5);
    for (int round = 0; round < 6; ++round) {
        const std::size_t sizes[] = {4095, 4096, 4097, 16384, 16385, 5000};
        Counter expected(sizes[round]);
        const int longest = 1 + static_cast<int>(numbers() % 200);
        for (double& limit : expected.limit)
            limit = static_cast<double>(1 + numbers() % static_cast<unsigned>(longest));
        for (auto& byte : expected.done) byte = numbers() % 5 == 0;
        const auto cap = static_cast<std::int64_t>(1 + numbers() % 250);
        UntilDoneOptions options = at_most(cap, static_cast<std::int64_t>(1 + numbers() % 20));
        options.theta = 0.95F;  // moves often
        const There there(GetParam(), expected);
        BoundPlan bound = plan.bind(there);
        const auto result = until_done(bound, options);
        EXPECT_EQ(steps_in(result), expected.advance(cap)) << round << ": " << result.report;
        there.expect(expected);
    }
}

TEST_P(UntilDone, WhatIsNoStepIsRefused) {
    const CounterPlan plan;
    const Counter host(10);
    const There there(GetParam(), host), other(GetParam(), host), longer(GetParam(), Counter(11));
    BoundPlan bound = plan.bind(there), apart = plan.bind(other), long_one = plan.bind(longer);
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(bound, {}); }), "max_steps is 0; it must be at least 1");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(bound, at_most(1, 0)); }),
              "every is 0; it must be a number of steps, at least 1");
    UntilDoneOptions late = at_most(1);
    late.timeout = std::chrono::duration<double>(-1);
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(bound, late); }),
              "timeout is -1.000000 s; it must be a number of seconds, 0 or more");
    UntilDoneOptions theta = at_most(1);
    theta.theta = 0;
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(bound, theta); }),
              "theta is 0; it is a share of live slots, more than 0 and less than 1");
    BoundPlan* const twice[] = {&bound, &bound};
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(twice, at_most(1)); }),
              "plan 1 of the step is plan 0; bind it anew to run it twice a step");
    BoundPlan* const none[] = {nullptr};
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(none, at_most(1)); }),
              "plan 0 of the step is null; give bound plans");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(std::span<BoundPlan* const>(), at_most(1)); }),
              "the model has no kernel; until_done needs one that finishes its samples");
    BoundPlan* const masks[] = {&bound, &apart};
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { until_done(masks, at_most(1)); }),
              "'done' of kernel 'counter' is another array than 'done' of kernel 'counter'; the plans of a step share "
              "one mask: bind them to the same");
    BoundPlan* const lengths[] = {&bound, &long_one};
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { until_done(lengths, at_most(1)); }),
              "kernel 'counter' has 11 samples, kernel 'counter' has 10; the plans of a step share one batch: bind "
              "them to arrays of one length");
    there.expect(host);
}

TEST(UntilDoneOnHost, APlanThatDoesNotFinishIsRefused) {
    std::vector<double> x(4), out(4);
    const Plan scale(eagle::Artifact::load(handmade::example()).kernel("scale", "cpu"));
    BoundPlan bound = scale.bind({{"x", handmade::view(x)}, {"out", handmade::view(out)}, {"a", 1.0}, {"b", 0.0}});
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  until_done(bound, at_most(1));
              }).find("does not finish its samples, and no other kernel of the model does; until_done needs one"),
              std::string::npos);
}

TEST(UntilDoneOnHost, WhatCannotMoveStaysAndTheReportSaysWhy) {
    const CounterPlan plan;
    Counter expected(9000);
    const There there(Place{"host"}, expected);
    std::vector<double> spread(2 * 9000);
    for (std::size_t i = 0; i < 9000; ++i) spread[2 * i] = expected.x[i];
    eagle::ArrayView every_second = eagle::ArrayView::of(std::span(spread));
    every_second.shape[0] = 9000;
    every_second.strides[0] = 16;
    BoundPlan bound = plan.bind(there);
    bound.rebind("x", every_second);
    const auto result = until_done(bound, at_most(1000));
    EXPECT_NE(result.report.find("samples were not moved: 'x': the samples of the plane lie 16 bytes apart"),
              std::string::npos)
        << result.report;
    EXPECT_EQ(steps_in(result), expected.advance(1000));
    for (std::size_t i = 0; i < 9000; ++i) ASSERT_EQ(spread[2 * i], expected.x[i]);
}

TEST(UntilDoneOnHost, ThreadsGiveTheSame) {
    handmade::Folder folder;
    folder.add(handmade::counter(), "counter");
    const eagle::Kernel kernel = folder.load().kernel("counter", "cpu");
    Counter expected(20'000);
    const Counter start = expected;
    const auto steps = expected.advance(1000);
    for (const int threads : {1, 2, 5}) {
        Counter batch = start;
        BoundPlan bound = Plan(kernel, eagle::HostTeam{threads}).bind(batch.arguments());
        EXPECT_EQ(steps_in(until_done(bound, at_most(1000))), steps);
        EXPECT_TRUE(batch.same_state(expected));
    }
}

TEST_P(UntilDone, ASecondEntryIsBusy) {
    const CounterPlan plan;
    const There there(GetParam(), Counter(100));
    BoundPlan bound = plan.bind(there);
    UntilDoneOptions options = at_most(1000);
    std::string text;
    options.on_step = [&](std::int64_t) { text = refusal<eagle::Busy>([&] { bound.launch(); }); };
    until_done(bound, options);
    EXPECT_NE(text.find("this bound plan is running"), std::string::npos);
}

}  // namespace
