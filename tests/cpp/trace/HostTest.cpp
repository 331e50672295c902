// Plans, simulations, copies, fills and loads in a trace.
#include <algorithm>

#include "Counter.h"
#include "Lowered.h"
#include "Read.h"

using namespace trace_test;
using namespace eagle;

namespace {

Kernel scale() { return Artifact::load(handmade::example()).kernel(); }

TEST(HostTrace, HasLaunchesOfPlansAndTheirParts) {
    std::vector<double> x(100'000, 1.5), plain(x.size()), seen(x.size());
    const Plan plan(scale(), {}, 3);
    const auto bind = [&](std::vector<double>& out) {
        return plan.bind({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", handmade::view(out)}});
    };
    bind(plain).launch();
    const Read read = traced([&] {
        BoundPlan bound = bind(seen);
        bound.launch().launch();
    });
    EXPECT_EQ(plain, seen);
    const auto launches = read.named("launch", "launch scale");
    ASSERT_EQ(launches.size(), 6u);
    EXPECT_EQ(read.named("launch", "scale").size(), 6u);  // the same on the row of their stream
    std::map<std::int64_t, std::int64_t> samples, wanted;
    for (const Json& part : read.named("part", "scale"))
        samples[part["args"]["launch"]] += part["args"]["count"].get<std::int64_t>();
    for (const Json& launch : launches) wanted[launch["args"]["launch"]] = launch["args"]["count"];
    EXPECT_EQ(samples, wanted);
    EXPECT_EQ(launches[0]["args"]["n_samples"], 100'000);
    EXPECT_EQ(read.named("plan", "bind scale").size(), 1u);
    expect_well_formed(read);
}

TEST(HostTrace, HasPhasesOfSimulate) {
    for (const bool run : {true, false}) {
        const Kernel kernel = handmade::kernel(handmade::counter(run), "counter");
        Counter plain(2'003), seen(2'003);
        const SimResult first = simulate(kernel, plain.arguments(), steps_at_most(1000));
        SimResult second;
        const Read read = traced([&] {
            auto options = steps_at_most(1000);
            options.every = 250;
            options.until = [] { return false; };
            second = simulate(kernel, seen.arguments(), options);
        });
        EXPECT_TRUE(plain.same_state(seen));
        EXPECT_EQ(steps_of(first), steps_of(second));
        EXPECT_EQ(read.named("simulate", "simulate counter").size(), 1u);
        EXPECT_EQ(read.named("simulate", "advance to step 250").size(), 1u);
        EXPECT_EQ(read.named("simulate", "advance to step 750").size(), 1u);  // all are done by step 613
        EXPECT_EQ(read.named("simulate", "advance to step 1000").size(), 0u);
        EXPECT_EQ(read.named("simulate", "ask until").size(), 2u);
        EXPECT_GT(read.named("part", "counter").size(), 0u);
        expect_well_formed(read);
    }
}

TEST(HostTrace, HasCopiesFillsAndLoads) {
    std::vector<double> x{1, 2, 3}, y(3);
    const auto at = [](std::vector<double>& v) { return reinterpret_cast<std::uint64_t>(v.data()); };
    const Read read = traced([&] {
        const Backend cpu = capture_test::cpu();
        copy(cpu, at(y), at(x), 24, CopyKind::host_to_host);
        clear(cpu, at(x), 24, 0);
        (void)Module::load(cpu, CAPTURE_KERNELS);
    });
    EXPECT_EQ(y, (std::vector<double>{1, 2, 3}));
    ASSERT_EQ(read.of("copy").size(), 1u);
    EXPECT_EQ(read.of("copy")[0]["args"], Json({{"bytes", 24}, {"way", "host to host"}, {"kind", "cpu"}}));
    ASSERT_EQ(read.of("fill").size(), 1u);
    EXPECT_EQ(read.of("fill")[0]["args"]["bytes"], 24);
    const auto loads = read.of("load");
    EXPECT_TRUE(std::any_of(loads.begin(), loads.end(),
                            [](const Json& load) { return load["args"].value("file", "") == CAPTURE_KERNELS; }));
    EXPECT_EQ(read.meta()["kinds"]["cpu"], "nodes and parts of kernels");
    expect_well_formed(read);
}

TEST(HostTrace, SaysOfWhichKindsNodesAreNotSeen) {
    (void)Backend::load("zoo", ZOO_STREAMS);
    const Read read = traced([] {});
    EXPECT_EQ(read.meta()["kinds"]["zoo"], "what the host did; nodes and kernels are not seen");
}

}  // namespace
