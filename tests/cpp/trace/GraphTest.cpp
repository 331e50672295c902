// Graphs in a trace: every node as often as it ran, with what is known of it.
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include "../artifact/Handmade.h"
#include "Lowered.h"
#include "Read.h"

using namespace graphexec_test;
using namespace trace_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

using Runs = std::map<std::string, int>;

// Two branches, a loop of three with an if in it, a switch, a host function, a copy and a reduction.
struct Everything {
    Reals x{1, 2, 3, 4}, y = Reals(4), z = Reals(4);
    double sum = 0;
    std::uint32_t live = 1, arm = 1, never = 0;
    int calls = 0;

    GraphDescription describe() {
        GraphDescription g("everything", SourceLine("model.py", 7));
        const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y), pz = plane(g, "z", z);
        graphtest::mix(g, py, px, px, 0.0, "left");
        graphtest::mix(g, pz, px, px, 1.0, "right");
        {
            const LoopScope loop = g.repeat(3, "thrice");
            graphtest::add(g, py, 1.0, "step");
            const CellRef on = cell(g, "live", live), off = cell(g, "never", never);
            IfNode taken = g.if_(on, {.name = "taken"});
            {
                const Scope then = taken.then();
                g.copy(px, py, "keep");
            }
            IfNode not_taken = g.if_(off, {.name = "not taken"});
            const Scope then = not_taken.then();
            g.fill(pz, 7.0, "never");
        }
        SwitchNode chosen = g.switch_(cell(g, "arm", arm), 2, "chosen");
        {
            const Scope first = chosen.arm(0);
            g.fill(pz, 0.0, "first arm");
        }
        {
            const Scope second = chosen.arm(1);
            g.fill(pz, 0.5, "second arm");
        }
        g.reduce(Fold::sum, py, g.plane("sum", ArrayView::of(std::span(&sum, 1))), "total");
        g.host([this] { ++calls; }, {px}, {}, "tell");
        return g;
    }
};

const Runs once{{"left", 1},      {"right", 1},  {"thrice", 1},     {"step", 3},  {"taken", 3}, {"keep", 3},
                {"not taken", 3}, {"chosen", 1}, {"second arm", 1}, {"total", 1}, {"tell", 1}};

Runs times(const Runs& runs, int n) {
    Runs out = runs;
    for (auto& [name, count] : out) count *= n;
    return out;
}

TEST(GraphTrace, HasEveryNodeAsOftenAsItRan) {
    Everything plain, seen;
    on_cpu(plain.describe()).launch(2);
    const Read read = traced([&] { on_cpu(seen.describe()).launch(2); });
    expect_well_formed(read);
    EXPECT_EQ(read.runs(), times(once, 2));
    EXPECT_EQ(read.of("replay").size(), 2u);
    EXPECT_EQ(read.named("launch", "launch everything").size(), 2u);
    EXPECT_EQ(read.of("build").size(), 1u);
    EXPECT_EQ(seen.calls, 2);
    for (const auto& [a, b] : {std::pair(&plain.x, &seen.x), {&plain.y, &seen.y}, {&plain.z, &seen.z}})
        EXPECT_EQ(std::memcmp(a->data(), b->data(), 32), 0);
    EXPECT_EQ(plain.sum, seen.sum);
}

TEST(GraphTrace, TellsWhatANodeIs) {
    Everything work;
    const Read read = traced([&] { on_cpu(work.describe()).launch(); });
    const Json copied = read.named("node", "keep")[2]["args"];
    EXPECT_EQ(copied["kind"], "copy");
    EXPECT_EQ(copied["graph"], "everything");
    EXPECT_EQ(copied["reads"], Json({"y"}));
    EXPECT_EQ(copied["writes"], Json({"x"}));
    EXPECT_EQ(copied["bytes"], 64);
    EXPECT_EQ(copied["run"], 2);
    EXPECT_NE(copied["line"].get<std::string>().find("GraphTest.cpp:"), std::string::npos);
    EXPECT_EQ(read.of("replay")[0]["args"]["line"], "model.py:7");
    const Json total = read.named("node", "total")[0]["args"];
    EXPECT_EQ(total["kind"], "reduce");
    EXPECT_EQ(total["call"], "1 of 2");
    EXPECT_EQ(read.named("part", "tell").size(), 1u);
    std::set<std::string> rows;
    for (const Json& event : read.document["traceEvents"])
        if (event["ph"] == "M" && event["name"] == "thread_name" && event["pid"] == 2)
            rows.insert(event["args"]["name"].get<std::string>());
    EXPECT_TRUE(rows.contains("everything, branch 0")) << Json(rows);
    EXPECT_TRUE(rows.contains("everything, branch 1"));
    EXPECT_TRUE(rows.contains("everything: chosen, arm 1"));
}

TEST(GraphTrace, SeesNothingOfWhatRanBeforeAndAfter) {
    Everything work;
    BuiltGraph graph = on_cpu(work.describe());
    graph.launch();
    EXPECT_EQ(graph.report().captured, 1u);
    const Read read = traced([&] { graph.launch(3); });
    EXPECT_EQ(read.runs(), times(once, 3));
    EXPECT_EQ(graph.report().captured, 2u);
    EXPECT_NE(graph.report().last.find("a trace that began: captured again"), std::string::npos);
    graph.launch(2);
    EXPECT_EQ(graph.report().captured, 3u);
    EXPECT_NE(graph.report().last.find("a trace that ended: captured again"), std::string::npos);
    graph.launch();
    EXPECT_EQ(graph.report().captured, 3u);
    EXPECT_TRUE(traced([] {}).slices.empty());
    EXPECT_EQ(traced([&] { graph.launch(); }).runs(), once);
}

TEST(GraphTrace, OutlivesItsGraph) {
    const Read read = traced([] {
        Everything work;
        on_cpu(work.describe()).launch();
    });
    EXPECT_EQ(read.runs(), once);
}

TEST(GraphTrace, HasPartitionsOfAPlanAndTheirParts) {
    Reals x{1, 2, 3}, other{4, 5, 6}, out(3);
    GraphDescription g;
    g.launch(Plan(Artifact::load(handmade::example()).kernel(), {}, 2),
             {{"x", plane(g, "x", x)}, {"out", plane(g, "out", out)}, {"a", Number{2.0, "factor"}}, {"b", 1.0}},
             "node");
    BuiltGraph graph = on_cpu(std::move(g));
    const Read read = traced([&] {
        graph.launch();
        EXPECT_EQ(out, (Reals{3, 5, 7}));
        graph.update("factor", 3.0).launch();  // in place, behind the ticket
        EXPECT_EQ(out, (Reals{4, 7, 10}));
        EXPECT_EQ(graph.report().repointed, 1u);
        graph.bind("x", view(other)).launch();
    });
    EXPECT_EQ(out, (Reals{13, 16, 19}));
    EXPECT_EQ(read.runs(), (Runs{{"node", 3}}));
    EXPECT_EQ(read.named("node", "node").size(), 6u);
    EXPECT_EQ(read.named("node", "node")[0]["args"]["kernel"], "scale");
    std::int64_t samples = 0;
    for (const Json& part : read.named("part", "node")) samples += part["args"]["count"].get<std::int64_t>();
    EXPECT_EQ(samples, 9);
    expect_well_formed(read);
}

TEST(GraphTrace, LeavesOutWhatIsLeftOut) {
    Reals x{1, 2}, y{0, 0};
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y);
    g.copy(py, px, "copy");
    graphtest::add(g, px, 1.0, "add");
    BuiltGraph graph = on_cpu(std::move(g));
    graph.set_enabled("copy", false);
    const Read read = traced([&] {
        graph.launch();  // what was left out before the trace is left out in it
        EXPECT_EQ(y, (Reals{0, 0}));
        graph.set_enabled("copy", true).set_enabled("add", false).launch();
    });
    EXPECT_EQ(y, (Reals{2, 3}));
    EXPECT_EQ(read.runs(), (Runs{{"copy", 1}, {"add", 1}}));
    graph.launch();
    EXPECT_EQ(x, (Reals{2, 3}));
}

TEST(GraphTrace, SeesChildrenAndOpaqueWork) {
    Reals x{1, 2}, y(2);
    GraphDescription inner("inner");
    graphtest::add(inner, plane(inner, "x", x), 1.0, "inside");
    GraphDescription g("outer");
    const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y);
    g.child(std::make_shared<const GraphDescription>(std::move(inner)), "child");
    g.opaque(
        [&](std::uint64_t stream) {
            eagle::copy(capture_test::cpu(), reinterpret_cast<std::uint64_t>(y.data()),
                        reinterpret_cast<std::uint64_t>(x.data()), 16, CopyKind::host_to_host, stream);
        },
        {px}, {py}, "mine");
    const Read read = traced([&] { on_cpu(std::move(g)).launch(2); });
    EXPECT_EQ(y, (Reals{3, 4}));
    EXPECT_EQ(read.runs(), (Runs{{"child", 2}, {"inside", 2}, {"mine", 2}}));
    EXPECT_EQ(read.named("node", "mine")[0]["args"]["kind"], "opaque");
    expect_well_formed(read);
}

TEST(GraphTrace, CountsWhatItHadNoRoomFor) {
    Reals x{1};
    GraphDescription g;
    graphtest::add(g, plane(g, "x", x), 1.0, "add");
    BuiltGraph graph = on_cpu(std::move(g));
    const Read read = traced([&] { graph.launch(1000); }, {.max_events = 100});
    EXPECT_EQ(x, Reals{1001});
    EXPECT_EQ(read.meta()["events"], 100);
    EXPECT_EQ(read.meta()["max_events"], 100);
    EXPECT_GE(read.meta()["dropped"], 2900);  // a span, two marks and a part a launch
    EXPECT_GT(read.runs()["add"], 0);
    EXPECT_LE(read.runs()["add"], 100);
    expect_well_formed(read);
}

}  // namespace
