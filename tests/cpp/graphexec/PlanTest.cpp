// Kernels of artifacts in graphs: arguments, numbers, partitions, faults.
#include "../artifact/Handmade.h"
#include "Lowered.h"

using namespace graphexec_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

Plan scale(int partitions = 1) { return Plan(Artifact::load(handmade::example()).kernel(), {}, partitions); }

struct Scaled {
    Reals x{1, 2, 3}, out{0, 0, 0};
    BuiltGraph graph = make();
    BuiltGraph make() {
        GraphDescription g;
        const PlaneRef px = plane(g, "x", x), po = plane(g, "out", out);
        g.launch(scale(2), {{"x", px}, {"out", po}, {"a", Number{2.0, "factor"}}, {"b", 1.0}}, "scale");
        return on_cpu(std::move(g));
    }
};

TEST(PlanNode, LaunchesEveryPartition) {
    Scaled scaled;
    scaled.graph.launch();
    EXPECT_EQ(scaled.out, (Reals{3, 5, 7}));
    EXPECT_EQ(scaled.graph.executor().native_nodes()[0].handles.size(), 2u);
}

TEST(PlanNode, TakesNewNumbersAndArraysInPlace) {
    Scaled scaled;
    Reals other{10, 20, 30};
    scaled.graph.update("factor", 3.0).launch();
    EXPECT_EQ(scaled.out, (Reals{4, 7, 10}));
    scaled.graph.bind("x", view(other)).launch();  // the number that was given stays
    EXPECT_EQ(scaled.out, (Reals{31, 61, 91}));
    scaled.graph.update("factor", 4).launch();
    EXPECT_EQ(scaled.out, (Reals{41, 81, 121}));
    EXPECT_EQ(scaled.graph.report().repointed, 3u);
    EXPECT_EQ(scaled.graph.report().captured, 1u);
    EXPECT_EQ(scaled.graph.report().updated, 0u);
}

TEST(PlanNode, IsLeftOutWithAllItsPartitions) {
    Scaled scaled;
    scaled.graph.set_enabled("scale", false).launch();
    EXPECT_EQ(scaled.out, Reals(3, 0.0));
}

// n += 1, x = a x + b, done at the limit; divides by zero where n would become fault_at.
struct Counting {
    std::vector<std::int64_t> n{0, 0, 0};
    Reals x{1, 1, 1}, fault_at{-1, -1, -1}, limit{9, 2, 9};
    std::vector<std::uint8_t> done{0, 0, 0};
    BuiltGraph graph = make();
    BuiltGraph make() {
        GraphDescription g;
        const NamedArguments arguments{{"n", g.plane("n", ArrayView::of(std::span(n)))},
                                       {"x", plane(g, "x", x)},
                                       {"fault_at", plane(g, "fault_at", fault_at)},
                                       {"limit", plane(g, "limit", limit)},
                                       {"done", g.plane("done", ArrayView::of(std::span(done)))},
                                       {"a", 2.0},
                                       {"b", 0.0}};
        const Plan plan(handmade::kernel(handmade::counter(), "counter"));
        LoopScope loop = g.repeat(4);
        g.launch(plan, arguments, "count", SourceLine("count.py", 7));
        loop.end();
        return on_cpu(std::move(g));
    }
};

TEST(PlanNode, OfAFinishingKernelLeavesFinishedSamplesAlone) {
    Counting counting;
    counting.graph.launch();
    EXPECT_EQ(counting.n, (std::vector<std::int64_t>{4, 2, 4}));
    EXPECT_EQ(counting.x, (Reals{16, 4, 16}));
    EXPECT_EQ(counting.done, (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST(PlanNode, RaisesTheFaultOfItsKernelOnce) {
    Counting counting;
    counting.fault_at = {-1, -1, 3};
    expect_thrown<DivisionFault>([&] { counting.graph.launch(); }, {"count.py:7", "node 'count'", "'counter'", "2"});
    EXPECT_EQ(counting.n, (std::vector<std::int64_t>{4, 2, 2}));
    counting.fault_at[2] = -1;
    EXPECT_NO_THROW(counting.graph.launch());
    EXPECT_EQ(counting.n, (std::vector<std::int64_t>{8, 2, 6}));
}

TEST(PlanNode, ThatWritesAcrossSamplesRunsInAscendingOrder) {
    Reals x(5000, 1.0);
    GraphDescription g;
    g.launch(Plan(handmade::kernel(handmade::prefix(), "prefix")), {{"x", plane(g, "x", x)}});
    on_cpu(std::move(g)).launch();
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], static_cast<double>(i + 1));
}

}  // namespace
