// Recording, replaying and changing what replays, through libeagle on kind cpu.
#include <optional>

#include "Recorded.h"

using namespace capture_test;
using eagle::Captured;
using eagle::CaptureScope;
using eagle::Launcher;
using eagle::NativeGraph;
using eagle::Stream;

namespace {

Captured chain(const Stream& stream, Plane& y) {
    CaptureScope scope(stream);
    twice_and(scope.stream(), y, 1);
    twice_and(scope.stream(), y, 3);
    return scope.end();
}

TEST(Capture, RecordsAndReplays) {
    Plane y{5, 7};
    Stream stream(cpu());
    Captured captured = chain(stream, y);
    EXPECT_EQ(y, (Plane{5, 7}));
    EXPECT_TRUE(captured.valid());
    std::optional<NativeGraph> graph(captured);
    EXPECT_FALSE(captured.valid());
    Launcher launcher(*graph, stream.native());
    graph.reset();  // launchers outlive their graph
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, (Plane{25, 33}));  // 2 (2 y + 1) + 3
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, (Plane{105, 137}));
}

TEST(Capture, OfSeveralIsPutTogether) {
    Plane y{1};
    Stream stream(cpu());
    NativeGraph graph(cpu());
    EXPECT_EQ(graph.last_node(), 0);
    graph.add(chain(stream, y));
    graph.add(chain(stream, y));
    EXPECT_EQ(graph.last_node(), 2);
    Launcher launcher(graph, stream.native());
    EXPECT_EQ(launcher.kernel_node_count(), 4);
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{41});  // 1 -> 9 -> 41
}

TEST(Capture, OfNothingIsNoGraph) {
    Stream stream(cpu());
    Captured nothing = CaptureScope(stream).end();
    expect_thrown<eagle::InvalidArgument>([&] { NativeGraph graph(nothing); },
                                          {"graph_from_captured", "the capture is empty"});
    EXPECT_TRUE(nothing.valid());
}

TEST(Capture, EndsWithItsScopeAndAnotherMayBegin) {
    Plane y{5};
    Stream stream(cpu());
    {
        CaptureScope thrown_away(stream);
        twice_and(thrown_away.stream(), y, 1);
    }
    try {
        CaptureScope scope(stream);
        throw 7;
    } catch (int) {
    }
    Captured captured = chain(stream, y);
    NativeGraph graph(captured);
    Launcher launcher(graph, stream.native());
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{25});
}

TEST(Capture, KeepsTheFirstError) {
    Plane y{5};
    Stream stream(cpu());
    eagle::Fork fork(cpu(), 0, stream.native(), 2);
    CaptureScope scope(stream);
    fork.fork();
    bool went_on = false;
    scope.record([&] { twice_and(fork.branch(0), y, 1); });
    scope.record([] { throw eagle::LayoutError("the cause"); });
    scope.record([&] { went_on = true; });
    EXPECT_TRUE(scope.failed());
    EXPECT_FALSE(went_on);
    // The fork that was not joined is what followed from it.
    expect_thrown<eagle::LayoutError>([&] { (void)scope.end(); }, {"the cause"});
    expect_thrown<eagle::BadHandle>([&] { (void)scope.end(); }, {"has ended already"});
}

TEST(Capture, WithoutAnErrorOfOursEndSaysTheBackends) {
    Plane y{5};
    Stream stream(cpu());
    eagle::Fork fork(cpu(), 0, stream.native(), 2);
    CaptureScope scope(stream);
    fork.fork();
    twice_and(fork.branch(1), y, 1);
    expect_thrown<eagle::Error>([&] { (void)scope.end(); }, {"capturer_end", "branch 1 of a fork of 2"});
}

TEST(Capture, IsOneAThread) {
    Stream first(cpu()), second(cpu());
    CaptureScope scope(first);
    expect_thrown<eagle::Error>([&] { CaptureScope other(second); }, {"capturer_begin", "open on this thread already"});
    EXPECT_NE(scope.graph(), 0u);
}

TEST(Capture, WhatIsDestroyedMeanwhileIsFreedWhenItEnds) {
    std::optional<Stream> goes(cpu());
    const std::uint64_t raw = goes->native();
    Stream stream(cpu());
    {
        CaptureScope scope(stream);
        goes.reset();
        EXPECT_NO_THROW(eagle::fence(cpu(), 0, raw, 0));
    }
    expect_thrown<eagle::BadHandle>([&] { eagle::fence(cpu(), 0, raw, 0); }, {"was released"});
}

TEST(Capture, NamesItsNodes) {
    Plane y{5};
    std::int64_t from = 1, to = 0;
    Stream stream(cpu());
    CaptureScope scope(stream);
    twice_and(scope.stream(), y, 1);
    eagle::copy(cpu(), reinterpret_cast<std::uint64_t>(&to), reinterpret_cast<std::uint64_t>(&from), 8,
                eagle::CopyKind::host_to_host, scope.stream());
    eagle::host_function(cpu(), scope.stream(), [](void* ran) { ++*static_cast<std::int64_t*>(ran); }, &to);
    const auto nodes = eagle::captured_nodes(cpu(), scope.stream());
    ASSERT_EQ(nodes.size(), 3u);
    EXPECT_TRUE(eagle::is_toggleable(cpu(), nodes[0]));
    EXPECT_TRUE(eagle::is_toggleable(cpu(), nodes[1]));
    EXPECT_FALSE(eagle::is_toggleable(cpu(), nodes[2]));
    NativeGraph graph(scope.end());
    Launcher launcher(graph, stream.native());

    launcher.set_enabled(nodes[0], false);
    const std::int64_t other = 40;
    launcher.set_memcpy_source(nodes[1], reinterpret_cast<std::uint64_t>(&other));
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{5});
    EXPECT_EQ(to, 41);

    launcher.set_enabled(nodes[0], true);
    const std::int64_t add = 100;
    const std::array<const void*, 2> params{nullptr, &add};
    launcher.set_kernel_params(nodes[0], params);
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{110});
}

TEST(Capture, TakesAForeignGraphAsAChild) {
    Plane y{5};
    Stream stream(cpu());
    std::uint64_t handle = 0;
    Captured child = [&] {
        CaptureScope scope(stream);
        twice_and(scope.stream(), y, 1);
        handle = scope.graph();
        return scope.end();
    }();
    CaptureScope scope(stream);
    eagle::add_child_graph(cpu(), scope.stream(), handle, false);
    eagle::add_child_graph(cpu(), scope.stream(), handle, false);
    NativeGraph graph(scope.end());
    Launcher launcher(graph, stream.native());
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{23});  // 5 -> 11 -> 23
}

TEST(Launch, TakesOverACaptureOfTheSameShape) {
    Plane y{5}, other{1};
    Stream stream(cpu());
    NativeGraph graph(chain(stream, y));
    Launcher launcher(graph, stream.native());
    const Captured alike = chain(stream, other);
    EXPECT_TRUE(launcher.update(alike));
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(other, Plane{9});
    EXPECT_EQ(y, Plane{5});
    CaptureScope scope(stream);
    twice_and(scope.stream(), y, 1);
    const Captured shorter = scope.end();
    EXPECT_FALSE(launcher.update(shorter));
    EXPECT_TRUE(shorter.valid());
}

TEST(Launch, MovesAndIsEmptyAfterwards) {
    Plane y{5};
    Stream stream(cpu());
    NativeGraph graph(chain(stream, y));
    Launcher first(graph, stream.native());
    Launcher second(std::move(first));
    for (const auto& call : {&Launcher::launch, &Launcher::synchronize})
        expect_thrown<eagle::BadHandle>([&] { (first.*call)(); }, {"this Launcher was moved from"});
    second.launch();
    second.synchronize();
    EXPECT_EQ(y, Plane{25});
    first = std::move(second);
    first.launch();
    first.synchronize();
    EXPECT_EQ(y, Plane{105});
}

TEST(Fence, OrdersTwoStreamsAndReusesItsEvents) {
    Stream a(cpu()), b(cpu());
    eagle::fence(cpu(), 0, a.native(), b.native());
    const auto made = eagle::fence_events_made(cpu());
    for (int i = 0; i < 100; ++i) eagle::fence(cpu(), 0, a.native(), b.native());
    EXPECT_LE(eagle::fence_events_made(cpu()), made + 1);
}

TEST(ABackendWithoutThem, IsNamedWithTheGroupItLacks) {
    const auto null = eagle::Backend::load("null", NULL_FILE);
    const auto lacks = [&](const auto& call, const std::string& what) {
        expect_thrown<eagle::BackendUnavailable>(call, {"'null'", "does not provide " + what});
    };
    lacks([&] { eagle::Fork fork(null, 0, 8, 2); }, "fork");
    lacks([&] { eagle::Conditional conditional(null, 0, 8, {}); }, "conditional");
    lacks([&] { NativeGraph graph(null); }, "graph");
    lacks([&] { (void)eagle::captured_nodes(null, 8); }, "attribution");
    lacks([&] { eagle::fence(null, 0, 8, 0); }, "interop");
    lacks([&] { eagle::add_child_graph(null, 8, 8, false); }, "eagle_backend_capture_add_child");
    lacks([&] { eagle::host_function(null, 8, [](void*) {}, nullptr); }, "eagle_backend_host_func");
    lacks([&] { eagle::clear(null, 8, 8, 8); }, "eagle_backend_memset_device");
}

}  // namespace
