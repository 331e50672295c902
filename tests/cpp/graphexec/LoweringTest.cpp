// What each kind of node does when it is lowered, and how branches come from edges.
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "Lowered.h"

using namespace graphexec_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

TEST(Lowering, OrdersWhatSharesBytes) {
    Reals a{1, 2}, b(2), c(2);
    GraphDescription g;
    const PlaneRef pa = plane(g, "a", a), pb = plane(g, "b", b), pc = plane(g, "c", c);
    graphtest::mix(g, pb, pa, pa, 0.0);  // b = 0.75 a
    graphtest::mix(g, pc, pa, pa, 1.0);  // c = 0.75 a + 1, beside it
    graphtest::mix(g, pa, pb, pc, 0.0);  // a = 0.5 b + 0.25 c, behind both
    BuiltGraph graph = on_cpu(std::move(g));
    EXPECT_EQ(a, (Reals{1, 2}));  // nothing ran
    graph.launch();
    EXPECT_EQ(b, (Reals{0.75, 1.5}));
    EXPECT_EQ(c, (Reals{1.75, 2.5}));
    EXPECT_EQ(a, (Reals{0.8125, 1.375}));
    const auto nodes = graph.executor().native_nodes();
    ASSERT_EQ(nodes.size(), 3u);
    EXPECT_TRUE(nodes[0].after.empty());
    EXPECT_TRUE(nodes[1].after.empty());
    EXPECT_EQ(nodes[2].after, (std::vector<std::uint32_t>{0, 1}));
    for (const NativeNode& node : nodes) EXPECT_EQ(node.handles.size(), 1u);
    EXPECT_NE(nodes[0].handles, nodes[1].handles);
}

TEST(Lowering, FillsEveryPattern) {
    for (const std::size_t size : {1u, 2u, 4u, 8u, 16u}) {
        std::vector<double> x(6, -1.0);
        std::vector<std::byte> pattern(size), want(48);
        for (std::size_t i = 0; i < size; ++i) pattern[i] = static_cast<std::byte>(i + 1);
        for (std::size_t i = 0; i < 48; ++i) want[i] = pattern[i % size];
        GraphDescription g;
        g.fill(plane(g, "x", x), std::span<const std::byte>(pattern));
        on_cpu(std::move(g)).launch();
        EXPECT_EQ(std::memcmp(x.data(), want.data(), 48), 0) << size;
    }
    Reals x(3, 5.0);
    GraphDescription g;
    g.fill(plane(g, "x", x), 0.0);
    on_cpu(std::move(g)).launch();
    EXPECT_EQ(x, Reals(3, 0.0));
}

TEST(Lowering, CopiesThroughScratchOfOneArena) {
    Reals x{1, 2, 3}, y(3);
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y);
    PlaneRef last = px;
    for (int i = 0; i < 6; ++i) {
        const PlaneRef next = g.scratch("s" + std::to_string(i), {3}, Dtype::float64);
        g.copy(next, last);
        last = next;
    }
    g.copy(py, last);
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(y, x);
    const MemoryReport memory = graph.memory_report();
    EXPECT_EQ(memory.planes, 48u);
    EXPECT_LT(memory.arena, 6u * 256u);
    EXPECT_GE(memory.without_sharing, 6u * 24u);
    EXPECT_NE(memory.text().find("arena of "), std::string::npos);
}

double folded(Fold fold, Reals values) {
    double out = -1;
    GraphDescription g;
    const PlaneRef into = g.plane("out", ArrayView::of(std::span(&out, 1)));
    g.reduce(fold, plane(g, "x", values), into);
    on_cpu(std::move(g)).launch();
    return out;
}

TEST(Lowering, ReducesInAFixedOrder) {
    Reals x(10'000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 1);
    // Blocks of 4096 one after the other, then their results.
    double sum = 0;
    for (std::size_t from = 0; from < x.size(); from += 4096) {
        double block = 0;
        for (std::size_t i = from; i < std::min<std::size_t>(from + 4096, x.size()); ++i) block += x[i];
        sum += block;
    }
    EXPECT_EQ(folded(Fold::sum, x), sum);
    x[7000] = 3;
    x[9000] = -4;
    EXPECT_EQ(folded(Fold::max, x), 3.0);
    EXPECT_EQ(folded(Fold::min, x), -4.0);
    x[9999] = std::nan("");
    EXPECT_TRUE(std::isnan(folded(Fold::max, x)));
    EXPECT_TRUE(std::isnan(folded(Fold::min, x)));
}

TEST(Lowering, ReducesStridedAndOtherTypes) {
    std::vector<std::int32_t> x(24);
    std::iota(x.begin(), x.end(), 0);
    std::vector<std::uint8_t> mask(5000, 1);
    std::int32_t most = 0;
    std::uint32_t count = 0;
    std::int64_t large = 0;
    std::uint8_t all = 7;
    std::vector<std::int64_t> big{std::numeric_limits<std::int64_t>::max(), 2};
    GraphDescription g;
    const PlaneRef px = g.plane("x", ArrayView::host(x.data(), Dtype::int32, {4, 6}));
    const std::array<std::int64_t, 2> shape{2, 3}, strides{48, 8};  // rows 0 and 2, every second column
    g.reduce(Fold::max, g.view("part", px, 0, shape, strides), g.plane("most", ArrayView::of(std::span(&most, 1))));
    const PlaneRef pm = g.plane("mask", ArrayView::of(std::span(mask)));
    g.reduce(Fold::sum, pm, g.plane("count", ArrayView::of(std::span(&count, 1))));
    g.reduce(Fold::all, pm, g.plane("all", ArrayView::of(std::span(&all, 1))));
    g.reduce(Fold::sum, g.plane("big", ArrayView::of(std::span(big))),
             g.plane("large", ArrayView::of(std::span(&large, 1))));
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(most, 16);
    EXPECT_EQ(count, 5000u);
    EXPECT_EQ(all, 1);
    EXPECT_EQ(large, std::numeric_limits<std::int64_t>::min() + 1);  // wraps around
    mask[4999] = 0;
    graph.launch();
    EXPECT_EQ(count, 4999u);
    EXPECT_EQ(all, 0);
}

TEST(Lowering, CompactsAndLaunchesOverWhatIsLeft) {
    std::vector<std::uint8_t> mask{1, 0, 0, 1, 1};
    std::vector<std::int32_t> map(5, -1);
    std::uint32_t kept = 0, dropped = 0;
    std::vector<std::int32_t> other(5, -1);
    GraphDescription g;
    const PlaneRef pm = g.plane("mask", ArrayView::of(std::span(mask)));
    g.compact(pm, g.plane("map", ArrayView::of(std::span(map))), cell(g, "kept", kept));
    g.compact(pm, g.plane("other", ArrayView::of(std::span(other))), cell(g, "dropped", dropped), true);
    on_cpu(std::move(g)).launch();
    EXPECT_EQ(map, (std::vector<std::int32_t>{0, 3, 4, -1, -1}));
    EXPECT_EQ(kept, 3u);
    EXPECT_EQ(other, (std::vector<std::int32_t>{1, 2, -1, -1, -1}));
    EXPECT_EQ(dropped, 2u);
}

TEST(Lowering, LoopsAreNestedAndSayTheirTurn) {
    Reals x{0};
    std::vector<std::uint32_t> seen(8, 99);
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x), ps = g.plane("seen", ArrayView::of(std::span(seen)));
    {
        const LoopScope outer = g.repeat(3);
        const LoopScope inner = g.repeat(4);
        graphtest::add(g, px, 1.0);
        const std::int64_t one = 1, four = 4;
        g.copy(g.view("first", ps, 0, {&one, 1}, {&four, 1}), outer.iteration());
        g.copy(g.view("second", ps, 4, {&one, 1}, {&four, 1}), inner.iteration());
    }
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(x, Reals{12});
    EXPECT_EQ(seen[0], 2u);
    EXPECT_EQ(seen[1], 3u);
    graph.launch(2);
    EXPECT_EQ(x, Reals{36});
    EXPECT_EQ(graph.report().launches, 3u);
}

TEST(Lowering, LoopsEndByGuardLimitAndStop) {
    Reals x{0}, y{0}, z{0};
    std::uint32_t guard = 1, limit = 5, stop = 3;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y), pz = plane(g, "z", z);
    const CellRef cg = cell(g, "guard", guard), cl = cell(g, "limit", limit), cs = cell(g, "stop", stop);
    {
        const LoopScope loop = g.while_(cg);
        graphtest::add(g, px, 1.0);
        g.fill(cg, 0);
    }
    {
        WhileOptions options;
        options.limit = cl;
        const LoopScope loop = g.repeat(options);
        graphtest::add(g, py, 1.0);
    }
    {
        WhileOptions options;
        options.cap = 100;
        options.stop = cs;
        const LoopScope loop = g.repeat(options);
        graphtest::add(g, pz, 1.0);
        g.fill(cs, 1);
    }
    on_cpu(std::move(g)).launch();
    EXPECT_EQ(x, Reals{1});
    EXPECT_EQ(y, Reals{5});
    EXPECT_EQ(z, Reals{1});
}

TEST(Lowering, ChoosesArms) {
    Reals x{0};
    std::uint32_t flag = 1, arm = 2;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    const CellRef cf = cell(g, "flag", flag), ca = cell(g, "arm", arm);
    {
        IfNode branch = g.if_(cf);
        {
            const Scope then = branch.then();
            graphtest::add(g, px, 1.0);
        }
        const Scope otherwise = branch.otherwise();
        graphtest::add(g, px, 10.0);
    }
    {
        SwitchNode chosen = g.switch_(ca, 3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            const Scope scope = chosen.arm(i);
            graphtest::add(g, px, 100.0 * (i + 1));
        }
    }
    {
        IfNode branch = g.if_(cf, {.negate = true});
        const Scope then = branch.then();
        graphtest::add(g, px, 1000.0);
    }
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(x, Reals{301});
    flag = 0;
    arm = 7;
    graph.launch();
    EXPECT_EQ(x, Reals{1311});
}

TEST(Lowering, RunsChildrenInPlace) {
    Reals x{1}, y{0};
    auto child = std::make_shared<GraphDescription>("child");
    const PlaneRef cx = plane(*child, "x", x), cy = plane(*child, "y", y);
    const PlaneRef room = child->scratch("room", {1}, Dtype::float64);
    child->copy(room, cx);
    graphtest::add(*child, room, 5.0);
    child->copy(cy, room);
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    graphtest::add(g, px, 1.0);
    g.child(child, "once");
    graphtest::add(g, px, 10.0);
    g.child(child, "again");
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(x, Reals{12});
    EXPECT_EQ(y, Reals{17});
}

TEST(Lowering, RunsHostFunctionsAndStreamWorkInOrder) {
    Reals x{1};
    capture_test::Plane n{5};
    double seen = 0;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x), pn = g.plane("n", ArrayView::of(std::span(n)));
    graphtest::add(g, px, 1.0);
    g.host([&] { seen = x[0]; }, {px}, {});
    graphtest::add(g, px, 1.0);
    g.opaque([&](std::uint64_t stream) { capture_test::twice_and(stream, n, 1); }, {}, {pn}, "mine");
    g.host([&] { seen += 100 * static_cast<double>(n[0]); }, {pn}, {});
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(seen, 1102.0);
    EXPECT_EQ(x, Reals{3});
    graph.launch();
    EXPECT_EQ(seen, 2304.0);
}

TEST(Lowering, RaisesWhatAHostFunctionThrewAndGoesOn) {
    Reals x{0};
    bool throws = true;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    g.host(
        [&] {
            if (throws) throw std::runtime_error("told by the host function");
        },
        {px}, {});
    graphtest::add(g, px, 1.0);
    BuiltGraph graph = on_cpu(std::move(g));
    expect_thrown<std::runtime_error>([&] { graph.launch(); }, {"told by the host function"});
    EXPECT_EQ(x, Reals{1});
    throws = false;
    EXPECT_NO_THROW(graph.launch());
    EXPECT_EQ(x, Reals{2});
}

TEST(Lowering, AWideGraphSharesItsBranches) {
    std::vector<Reals> x(100, Reals{1});
    GraphDescription g;
    for (std::size_t i = 0; i < x.size(); ++i)
        graphtest::add(g, plane(g, ("x" + std::to_string(i)).c_str(), x[i]), static_cast<double>(i));
    LowerOptions options;
    options.branches = 3;
    BuiltGraph graph = on_cpu(std::move(g), options);
    graph.launch();
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i][0], 1.0 + static_cast<double>(i));
}

TEST(Refusals, NameTheNodeAndWhatItsBackendLacks) {
    const Backend streams_only = Backend::load("zoo", ZOO_STREAMS);
    Reals x{0};
    std::uint32_t flag = 1;
    GraphDescription g;
    const CellRef cf = cell(g, "flag", flag);
    {
        const LoopScope loop = g.while_(cf, {.cap = 3, .name = "settle"}, SourceLine("heat.py", 12));
        graphtest::add(g, plane(g, "x", x), 1.0);
    }
    auto description = std::make_shared<const GraphDescription>(std::move(g));
    expect_thrown<BackendUnavailable>([&] { (void)lower(description, Executor(streams_only)); },
                                      {"heat.py:12", "node 'settle'", "'zoo'", "does not provide conditional"});
}

TEST(Refusals, NameAPlaneOfAnotherDevice) {
    Reals x{0};
    ArrayView elsewhere = view(x);
    elsewhere.device_type = 2;
    GraphDescription g("far", SourceLine("far.py", 1));
    g.fill(g.plane("x", elsewhere, SourceLine("far.py", 2)), 1.0);
    expect_thrown<BufferRefused>([&] { (void)on_cpu(std::move(g)); },
                                 {"far.py:1", "graph 'far'", "plane 'x'", "far.py:2", "kind 'cpu'"});
}

TEST(Refusals, OfNoDescription) {
    expect_thrown<InvalidArgument>([] { (void)lower(nullptr, Executor(capture_test::cpu())); }, {"no description"});
}

}  // namespace
