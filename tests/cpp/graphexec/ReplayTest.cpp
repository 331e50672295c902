// Replays that are changed: new arrays, new numbers, nodes left out; who owns what.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "Lowered.h"

using namespace graphexec_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

// y = x + 1 twice over, through a copy and a kernel.
struct Line {
    Reals x{1, 2}, y{0, 0};
    BuiltGraph graph = make();
    BuiltGraph make() {
        GraphDescription g("line");
        const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y);
        g.copy(py, px, "take");
        graphtest::add(g, py, 1.0, "more");
        return on_cpu(std::move(g));
    }
};

TEST(Bind, RepointsInPlaceWhatTheLauncherCan) {
    Line line;
    Reals other{10, 20};
    line.graph.bind("x", view(other)).launch();
    EXPECT_EQ(line.y, (Reals{11, 21}));
    EXPECT_EQ(line.graph.report().repointed, 1u);
    EXPECT_EQ(line.graph.report().captured, 1u);
    EXPECT_NE(line.graph.report().last.find("a new array of 'x': re-pointed in place"), std::string::npos);
}

TEST(Bind, CapturesAgainWhatItCannotAndSaysSo) {
    Line line;
    Reals out(2);
    line.graph.bind("y", view(out)).launch();
    EXPECT_EQ(out, (Reals{2, 3}));
    EXPECT_EQ(line.y, (Reals{0, 0}));
    EXPECT_EQ(line.graph.report().updated, 1u);  // the same shape: the executable took it over
    EXPECT_EQ(line.graph.report().captured, 1u);
    const std::string last = line.graph.report().last;
    EXPECT_NE(last.find("node 'take'"), std::string::npos) << last;
    EXPECT_NE(last.find("captured again, and the executable took it over"), std::string::npos) << last;
    EXPECT_NE(line.graph.report().text().find("1 launch; 0 nodes re-pointed"), std::string::npos)
        << line.graph.report().text();
}

TEST(Bind, OfTwoThatChangePlacesIsOneCall) {
    Reals a{1}, b{2};
    GraphDescription g;
    const PlaneRef pa = plane(g, "a", a), pb = plane(g, "b", b);
    graphtest::mix(g, pb, pa, pa, 0.25);  // b = 0.75 a + 0.25
    BuiltGraph graph = on_cpu(std::move(g));
    expect_thrown<InvalidArgument>([&] { graph.bind("a", view(b)); },
                                   {"plane 'a'", "shares memory with plane 'b'", "build the graph anew"});
    const Binding both[] = {{"a", view(b), nullptr}, {"b", view(a), nullptr}};
    graph.bind(both).launch();
    EXPECT_EQ(a, Reals{1.75});
    EXPECT_EQ(b, Reals{2});
}

TEST(Bind, MovesViewsAlong) {
    Reals x{1, 2, 3, 4}, z{10, 20, 30, 40}, y(2);
    GraphDescription g;
    const std::int64_t two = 2, eight = 8;
    const PlaneRef px = plane(g, "x", x);
    g.copy(plane(g, "y", y), g.view("tail", px, 16, {&two, 1}, {&eight, 1}));
    BuiltGraph graph = on_cpu(std::move(g));
    graph.bind("x", view(z)).launch();
    EXPECT_EQ(y, (Reals{30, 40}));
    expect_thrown<ArgumentError>([&] { graph.bind("tail", view(y)); }, {"'tail'", "is a view of plane 'x'"});
}

TEST(Bind, RefusesWhatDoesNotFitAndChangesNothing) {
    Line line;
    Reals three(3), two(2);
    std::vector<float> floats(2);
    const auto refused = [&]<class E>(E*, const ArrayView& array, std::initializer_list<std::string> words) {
        expect_thrown<E>([&] { line.graph.bind("y", array); }, words);
    };
    refused((LayoutError*)nullptr, view(three), {"plane 'y'", "float64[3]", "shape of the old one"});
    refused((BufferRefused*)nullptr, ArrayView::of(std::span(floats)), {"float32[2]", "element type"});
    ArrayView array = view(two);
    array.read_only = true;
    refused((BufferRefused*)nullptr, array, {"read-only", "a node writes it"});
    array = view(three);
    array.shape[0] = 2;
    array.strides[0] = 16;
    refused((LayoutError*)nullptr, array,
            {"with strides of (16,) bytes, and was recorded with (8,); lay it out alike: pass a copy"});
    array = view(two);
    array.device_type = 2;
    refused((BufferRefused*)nullptr, array, {"it needs one in host memory"});
    array = view(two);
    array.data = nullptr;
    refused((BufferRefused*)nullptr, array, {"without memory"});
    array = view(three);
    array.shape[0] = 2;
    array.data = reinterpret_cast<std::byte*>(three.data()) + 4;
    refused(
        (BufferRefused*)nullptr, array,
        {"at an address 4 bytes past a multiple of 8, and the old one lies 0 past one; it needs the same alignment"});
    expect_thrown<ArgumentError>([&] { line.graph.bind("z", view(two)); }, {"graph 'line'", "no plane 'z'"});
    line.graph.launch();
    EXPECT_EQ(line.y, (Reals{2, 3}));
    EXPECT_EQ(line.graph.report().updated, 0u);
}

TEST(Bind, MovesTheCellsOfConditionals) {
    Reals x{0};
    std::uint32_t flag = 0, other = 3;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    {
        const LoopScope loop = g.while_(cell(g, "flag", flag), {.cap = 4});
        graphtest::add(g, px, 1.0);
    }
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(x, Reals{0});
    graph.bind("flag", ArrayView::of(std::span(&other, 1))).launch();
    EXPECT_EQ(x, Reals{4});
    EXPECT_EQ(graph.report().repointed, 1u);
    EXPECT_EQ(graph.report().updated + graph.report().captured, 1u);
}

TEST(Update, GivesNumbersAnewByTheirName) {
    Reals x{1};
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    capture_test::Plane n{1};
    FunctionArgument y, add;
    y.plane = g.plane("n", ArrayView::of(std::span(n)));
    y.mode = Mode::read_write;
    const std::int64_t five = 5, seven = 7;
    add.bytes.resize(8);
    std::memcpy(add.bytes.data(), &five, 8);
    add.updatable_as = "add";
    g.function(capture_test::kernels().function("twice_and"), 1, {y, add}, "twice");
    g.fill(px, 4.0);
    BuiltGraph graph = on_cpu(std::move(g));
    graph.launch();
    EXPECT_EQ(n, capture_test::Plane{7});
    graph.update("add", std::as_bytes(std::span(&seven, 1))).launch();
    EXPECT_EQ(n, capture_test::Plane{21});
    EXPECT_EQ(graph.report().repointed, 1u);
    expect_thrown<InvalidArgument>([&] { graph.update("add", std::as_bytes(std::span("abc", 3))); },
                                   {"'add' is 8 bytes", "was given 3 bytes"});
    expect_thrown<ArgumentError>([&] { graph.update("subtract", 1.0); },
                                 {"no node of graph",
                                  "uses a number 'subtract', so that there is none to update; its numbers are "
                                  "'add': record one by giving it to a kernel under a name"});
    expect_thrown<ArgumentError>(
        [&] { graph.update("add", 1.0); },
        {"number 'add' of graph", "is the bytes of a bare function's argument; update it with bytes"});
}

TEST(Enable, LeavesNodesOutAndTakesThemBack) {
    Line line;
    line.graph.set_enabled("more", false).launch();
    EXPECT_EQ(line.y, (Reals{1, 2}));
    Reals out(2);
    line.graph.bind("y", view(out)).launch();  // captured again: what was left out stays so
    EXPECT_EQ(out, (Reals{1, 2}));
    line.graph.set_enabled("more", true).launch();
    EXPECT_EQ(out, (Reals{2, 3}));
    expect_thrown<ArgumentError>([&] { line.graph.set_enabled("less", false); }, {"no node 'less'"});
}

TEST(Enable, RefusesNodesThatDecide) {
    Reals x{0};
    GraphDescription g;
    {
        const LoopScope loop = g.repeat(2, "twice");
        graphtest::add(g, plane(g, "x", x), 1.0);
    }
    BuiltGraph graph = on_cpu(std::move(g));
    expect_thrown<InvalidArgument>([&] { graph.set_enabled("twice", false); }, {"node 'twice'", "only launches"});
}

TEST(Owning, KeepsOwnersUntilTheyAreReplaced) {
    auto owned = std::make_shared<Reals>(Reals{1, 2}), next = std::make_shared<Reals>(Reals{5, 6});
    Reals y(2);
    const std::weak_ptr<Reals> first = owned, second = next;
    GraphDescription g;
    g.copy(plane(g, "y", y), plane(g, "x", *owned));
    {
        LowerOptions options;
        options.owners = {owned};
        BuiltGraph graph = on_cpu(std::move(g), options);
        owned.reset();
        EXPECT_FALSE(first.expired());
        graph.launch();
        EXPECT_EQ(graph.memory_report().owners, 1u);
        graph.bind("x", view(*next), next);
        next.reset();
        EXPECT_FALSE(second.expired());
        EXPECT_EQ(graph.memory_report().owners, 2u);
        graph.launch();
        EXPECT_EQ(y, (Reals{5, 6}));
    }
    EXPECT_TRUE(first.expired());
    EXPECT_TRUE(second.expired());
}

TEST(Owning, ItIsDestroyedWhenTheCaptureOfItsThreadEnds) {
    auto owned = std::make_shared<Reals>(Reals{1, 2});
    const std::weak_ptr<Reals> kept = owned;
    Reals y(2);
    GraphDescription g;
    g.copy(plane(g, "y", y), plane(g, "x", *owned));
    std::optional<BuiltGraph> graph;
    {
        LowerOptions options;
        options.owners = {std::move(owned)};
        graph.emplace(on_cpu(std::move(g), options));
    }
    Stream stream(capture_test::cpu());
    {
        CaptureScope scope(stream);
        graph.reset();
        EXPECT_FALSE(kept.expired());
    }
    EXPECT_TRUE(kept.expired());
}

TEST(Busy, ASecondEntryIsRefused) {
    std::atomic<bool> inside{false}, go{false};
    Reals x{0};
    GraphDescription g;
    g.host(
        [&] {
            inside = true;
            while (!go) std::this_thread::yield();
        },
        {plane(g, "x", x)}, {});
    BuiltGraph graph = on_cpu(std::move(g));
    std::thread first([&] { graph.launch(); });
    while (!inside) std::this_thread::yield();
    for (const auto& call : std::initializer_list<std::function<void()>>{
             [&] { graph.launch(); }, [&] { graph.synchronize(); }, [&] { graph.bind("x", view(x)); },
             [&] { graph.update("x", 1.0); }, [&] { graph.set_enabled("host", false); }})
        expect_thrown<eagle::Busy>(call, {"this graph is running already"});
    go = true;
    first.join();
    EXPECT_NO_THROW(graph.launch());
}

TEST(Busy, AHostFunctionDoesNotEnterItsOwnGraph) {
    std::string said;
    Reals x{1};
    GraphDescription g;
    BuiltGraph* self = nullptr;
    g.host(
        [&] {
            try {
                self->launch();
            } catch (const eagle::Busy& error) {
                said = error.what();
            }
        },
        {plane(g, "x", x)}, {});
    BuiltGraph graph = on_cpu(std::move(g));
    self = &graph;
    graph.launch();
    EXPECT_EQ(said,
              "this graph is running already, and serves one caller at a time; wait for it, make one for each "
              "thread, and do not enter it from a function that it calls");
}

TEST(Busy, InTheChildOfAForkDuringAReplaySaysThatTheRunStayedBehind) {
    std::atomic<bool> inside{false}, go{false};
    Reals x{1};
    GraphDescription g;
    g.host(
        [&] {
            inside = true;
            while (!go) std::this_thread::yield();
        },
        {plane(g, "x", x)}, {});
    BuiltGraph graph = on_cpu(std::move(g));
    std::thread first([&] { graph.launch(); });
    while (!inside) std::this_thread::yield();
    const pid_t child = fork();
    if (child == 0) {
        try {
            graph.launch();
        } catch (const eagle::Busy& error) {
            const bool says = std::string(error.what()) ==
                              "this graph was running on another thread when the process was forked, and that run "
                              "stayed in the parent, so this copy of it is half done for ever; make another one in "
                              "this process";
            _exit(says ? 7 : 8);
        }
        _exit(9);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 7);
    go = true;
    first.join();
    EXPECT_NO_THROW(graph.launch());
}

TEST(Poll, EndsNestedLoopsOfAReplay) {
    Reals x{0}, y{0};
    std::uint32_t flag = 1, stop = 0;
    GraphDescription g("turns");
    const PlaneRef px = plane(g, "x", x), py = plane(g, "y", y);
    const CellRef on = cell(g, "on", flag), own = cell(g, "own", stop);
    {
        auto outer = g.while_(on);
        {
            auto inner = g.repeat({.cap = 4'000'000'000u, .stop = own});
            graphtest::add(g, px, 1.0);
        }
        g.fill(on, 1);
    }
    g.copy(py, px);
    BuiltGraph graph = on_cpu(std::move(g));
    for (int turn = 0; turn < 2; ++turn) {
        int asked = 0;
        const std::string said = [&] {
            try {
                graph.launch(2, [&] { return ++asked == 2; });
            } catch (const eagle::Interrupted& error) {
                EXPECT_EQ(error.done(), 0);
                return std::string(error.what());
            }
            return std::string("nothing was thrown");
        }();
        EXPECT_EQ(
            said,
            "graph 'turns' was interrupted in replay 1 of 2; its loops ended after the iteration they were in, and "
            "the nodes after them ran: the arrays hold what that left, and a launch begins a new replay from it");
        EXPECT_EQ(asked, 2);
        EXPECT_GT(x[0], 0.0);
        EXPECT_EQ(x[0], y[0]);
    }
    EXPECT_EQ(graph.report().launches, 2u);
}

TEST(Poll, ThatThrowsEndsTheLoopsAndComesOut) {
    Reals x{0};
    std::uint32_t flag = 1;
    GraphDescription g;
    const PlaneRef px = plane(g, "x", x);
    const CellRef on = cell(g, "on", flag);
    {
        auto loop = g.while_(on);
        graphtest::add(g, px, 1.0);
        g.fill(on, 1);
    }
    BuiltGraph graph = on_cpu(std::move(g));
    EXPECT_THROW(graph.launch(1, []() -> bool { throw std::domain_error("enough"); }), std::domain_error);
}

TEST(Poll, IsAskedBetweenReplaysOfAGraphWithoutLoops) {
    Line line;
    int asked = 0;
    try {
        line.graph.launch(5, [&] { return ++asked == 2; });
        FAIL() << "nothing was thrown";
    } catch (const eagle::Interrupted& error) {
        EXPECT_EQ(error.done(), 2);
        EXPECT_STREQ(error.what(),
                     "graph 'line' was interrupted after 2 of 5 replays, which are whole: the arrays hold what they "
                     "left");
    }
    EXPECT_EQ(line.graph.report().launches, 2u);
    EXPECT_NO_THROW(line.graph.launch(3, [] { return false; }));
}

TEST(Report, MayBeAskedWhileAnotherThreadChangesTheGraph) {
    Line line;
    Reals other{10, 20};
    std::atomic<bool> done{false};
    std::thread asks([&] {
        while (!done) {
            const ReplayReport report = line.graph.report();
            EXPECT_TRUE(report.last.empty() || report.last == "a new array of 'x': re-pointed in place") << report.last;
            EXPECT_LE(report.launches, 500u);
            EXPECT_EQ(line.graph.memory_report().planes, 32u);
            const std::uint64_t at = line.graph.address(line.graph.description().find_plane("x"));
            EXPECT_TRUE(at == reinterpret_cast<std::uint64_t>(line.x.data()) ||
                        at == reinterpret_cast<std::uint64_t>(other.data()));
        }
    });
    for (int i = 0; i < 500; ++i) line.graph.bind("x", view(i % 2 == 0 ? other : line.x)).launch();
    done = true;
    asks.join();
    EXPECT_EQ(line.graph.report().launches, 500u);
    EXPECT_EQ(line.graph.report().repointed, 500u);
}

TEST(Streams, ALaunchGoesBehindAStreamAndTheStreamBehindIt) {
    Line line;
    Stream stream(capture_test::cpu());
    Reals first{7, 8};
    eagle::copy(capture_test::cpu(), reinterpret_cast<std::uint64_t>(line.x.data()),
                reinterpret_cast<std::uint64_t>(first.data()), 16, CopyKind::host_to_host, stream.native());
    line.graph.launch_on(stream.native());
    Reals after(2);
    eagle::copy(capture_test::cpu(), reinterpret_cast<std::uint64_t>(after.data()),
                reinterpret_cast<std::uint64_t>(line.y.data()), 16, CopyKind::host_to_host, stream.native());
    stream.synchronize();
    EXPECT_EQ(after, (Reals{8, 9}));
}

TEST(Moved, AGraphIsEmptyAfterwards) {
    Line line;
    BuiltGraph moved = std::move(line.graph);
    moved.launch();
    EXPECT_EQ(line.y, (Reals{2, 3}));
    expect_thrown<BadHandle>([&] { line.graph.launch(); }, {"this BuiltGraph was moved from"});
    Line other;
    moved = std::move(other.graph);
    moved.launch();
    EXPECT_EQ(other.y, (Reals{2, 3}));
    expect_thrown<BadHandle>([&] { other.graph.launch(); }, {"this BuiltGraph was moved from"});
}

}  // namespace
