// Arrows from launches through nodes to the parts that threads did.
#include <set>
#include <thread>

#include "../artifact/Handmade.h"
#include "Lowered.h"
#include "Read.h"

using namespace graphexec_test;
using namespace trace_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

// Long enough that workers come in.
void slow(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double* x = *static_cast<double* const*>(params[0]);
    for (std::int64_t i = base; i < base + count; ++i)
        for (int k = 0; k < 200; ++k) x[i] = x[i] * 1.0000001 + 1e-9;
}

GraphDescription slow_graph(Reals& x, const std::string& name) {
    GraphDescription g(name);
    FunctionArgument argument;
    argument.plane = plane(g, "x", x);
    argument.mode = Mode::read_write;
    const LoopScope loop = g.repeat(3, "thrice");
    g.function(reinterpret_cast<std::uint64_t>(&slow), std::int64_t(x.size()), {argument}, "slow");
    return g;
}

TEST(TraceArrows, LeadFromALaunchThroughItsNodesToEveryPart) {
    Reals x(20'000, 1.0);
    BuiltGraph graph = on_cpu(slow_graph(x, "work"));
    const Read read = traced([&] { graph.launch(2); });
    expect_well_formed(read);
    expect_arrows(read, true);
    const auto launches = read.named("launch", "launch work");
    ASSERT_EQ(launches.size(), 2u);
    // By the launch that an arrow begins at: the nodes that it goes through, and the samples that it comes to.
    std::map<double, std::int64_t> samples;
    std::map<double, std::set<double>> nodes;
    std::map<std::pair<std::int64_t, double>, std::int64_t> count_at;
    for (const Json& part : read.named("part", "slow")) count_at[{part["tid"], part["ts"]}] = part["args"]["count"];
    std::size_t replays = 0;
    for (const auto& [id, arrow] : arrows_of(read)) {
        if (arrow.name == "launch") ++replays;
        if (arrow.name != "part") continue;
        const double launch = arrow.ends[0]["ts"];
        nodes[launch].insert(arrow.ends[1]["ts"].get<double>());
        samples[launch] += count_at.at({arrow.ends[2]["tid"], arrow.ends[2]["ts"]});
    }
    EXPECT_EQ(replays, 2u);
    ASSERT_EQ(nodes.size(), 2u);
    for (const Json& launch : launches) {
        EXPECT_EQ(nodes[launch["ts"]].size(), 3u) << launch;  // an iteration each
        EXPECT_EQ(samples[launch["ts"]], 60'000) << launch;
    }
}

TEST(TraceArrows, OfPlansBeginAtTheLaunchOfTheirNumber) {
    Reals x(100'000, 1.5), out(x.size());
    const Plan plan(Artifact::load(handmade::example()).kernel(), {}, 3);
    BoundPlan bound = plan.bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
    const Read read = traced([&] { bound.launch().launch(); });
    expect_well_formed(read);
    expect_arrows(read, true);
    std::set<double> launches;
    for (const auto& [id, arrow] : arrows_of(read)) {
        EXPECT_EQ(arrow.name, "part");
        launches.insert(arrow.ends[0]["ts"].get<double>());
    }
    EXPECT_EQ(launches.size(), 6u);
}

TEST(TraceArrows, OfTwoGraphsDoNotCross) {
    Reals x(64, 1.0), y(64, 1.0);
    BuiltGraph first = on_cpu(slow_graph(x, "first")), second = on_cpu(slow_graph(y, "second"));
    const Read read = traced([&] {
        std::thread other([&] { second.launch(20); });
        first.launch(20);
        other.join();
    });
    expect_well_formed(read);
    std::map<std::pair<std::int64_t, double>, std::string> launched;
    for (const Json& launch : read.of("launch"))
        if (launch["pid"] == 1) launched[{launch["tid"], launch["ts"]}] = launch["name"];
    std::map<std::pair<std::int64_t, double>, std::string> computed;
    for (const Json& part : read.of("part")) computed[{part["tid"], part["ts"]}] = part["args"]["graph"];
    std::map<std::string, int> arrows;
    for (const auto& [id, arrow] : arrows_of(read)) {
        if (arrow.name != "part") continue;
        const std::string graph = computed.at({arrow.ends[2]["tid"], arrow.ends[2]["ts"]});
        EXPECT_EQ(launched.at({arrow.ends[0]["tid"], arrow.ends[0]["ts"]}), "launch " + graph);
        ++arrows[graph];
    }
    EXPECT_GE(arrows["first"], 60);
    EXPECT_GE(arrows["second"], 60);
    EXPECT_EQ(std::size_t(arrows["first"] + arrows["second"]), read.of("part").size());
}

TEST(TraceArrows, OfANodeBetweenMarksAreThoseOfItsGraph) {
    Reals x{1, 2}, y(2);
    GraphDescription g("copying");
    g.copy(plane(g, "y", y), plane(g, "x", x), "copy");
    BuiltGraph graph = on_cpu(std::move(g));
    const Read read = traced([&] { graph.launch(); });
    const auto arrows = arrows_of(read);
    ASSERT_EQ(arrows.size(), 1u);
    EXPECT_EQ(arrows.begin()->second.name, "launch");
    EXPECT_EQ(arrows.begin()->second.ends[1]["ts"], read.of("replay")[0]["ts"]);
    EXPECT_EQ(arrows.begin()->second.ends[0]["ts"], read.named("launch", "launch copying")[0]["ts"]);
}

}  // namespace
