// Launchers: several of one graph, streams, sizes, and how they end.
#include "Conditionals.h"

using namespace eagle::conformance;

EAGLE_ROW("launcher-several-of-one-graph",
          .covers = {Symbol::graph_launcher, Symbol::launcher_launch, Symbol::launcher_synchronize,
                     Symbol::launcher_release},
          .needs = {Symbol::graph_from_captured}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{0});
    const Graph graph = as_it_is(c, capture_of(c, stream.raw(), y, {1, 2}));
    Launcher one = launcher_of(c, graph, stream.raw());
    const Launcher two = launcher_of(c, graph, other.raw());
    replay(c, one);
    replay(c, two);
    ROW_EQ(c, y.at(0), after(0, {1, 2, 1, 2}));
    one.reset();
    replay(c, two);
    ROW_EQ(c, y.at(0), after(0, {1, 2, 1, 2, 1, 2}));
}

EAGLE_ROW("launcher-replays-follow-each-other", .covers = {Symbol::launcher_launch, Symbol::launcher_synchronize},
          .needs = {Symbol::graph_from_captured}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words(1000, 0));
    const Launcher launcher = launcher_of(c, as_it_is(c, capture_of(c, stream.raw(), y, {1})), stream.raw());
    Words adds;
    for (std::int64_t i = 0; i < 20; ++i) {
        launch(c, launcher);
        twice_and(c, stream.raw(), i, y);  // of the stream, between two replays
        adds.insert(adds.end(), {1, i});
    }
    ROW_OK(c, c.seam.launcher_synchronize(launcher.get()));
    ROW_EQ(c, y.download(), Words(1000, after(0, adds)));
}

EAGLE_ROW("launcher-moves-to-another-stream", .covers = {Symbol::launcher_stream},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{0});
    const Launcher launcher = launcher_of(c, as_it_is(c, capture_of(c, stream.raw(), y, {1})), stream.raw());
    replay(c, launcher);
    ROW_OK(c, c.seam.launcher_stream(launcher.get(), other.raw()));
    launch(c, launcher);
    other.synchronize();
    ROW_EQ(c, y.at(0), after(0, {1, 1}));
}

EAGLE_ROW("launcher-of-a-conditional-is-the-only-one-or-works", .covers = {Symbol::graph_launcher},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    OneNode node(c);
    Cells cells(c, std::vector<std::uint32_t>{1});
    node.record(desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells), 1);
    Launcher second(c);
    if (c.seam.graph_launcher(node.graph.get(), second.out()) == EAGLE_BACKEND_OK) {
        ROW_OK(c, c.seam.launcher_stream(second.get(), node.stream.raw()));
        node.y.set(0, 0);
        replay(c, second);
        ROW_EQ(c, node.y.at(0), 1);
    } else {
        ROW_EXPECT(c, *c.seam.last_error() != 0);  // loud
        ROW_EXPECT(c, second.get() == nullptr);
    }
    ROW_EQ(c, node.run(), 1);
}

EAGLE_ROW("launcher-kernel-count-of-a-capture-as-it-is",
          .covers = {Symbol::launcher_kernel_node_count, Symbol::launcher_set_logical_size},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words(300, 0));
    const Launcher launcher = launcher_of(c, as_it_is(c, capture_of(c, stream.raw(), y, {1, 2})), stream.raw());
    std::int64_t count = -1;
    ROW_OK(c, c.seam.launcher_kernel_node_count(launcher.get(), &count));
    ROW_EQ(c, count, 0);
    ROW_OK(c, c.seam.launcher_set_logical_size(launcher.get(), 10));  // nothing to fit
    replay(c, launcher);
    ROW_EQ(c, y.download(), Words(300, after(0, {1, 2})));
}

EAGLE_ROW("launcher-logical-size-is-so-many-blocks",
          .covers = {Symbol::launcher_set_logical_size, Symbol::launcher_kernel_node_count},
          .needs = {Symbol::graph_add_node, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    constexpr std::int64_t n = 1000;
    StreamHandle stream(c);
    Plane y(c, Words(n, 0));
    const Graph graph = new_graph(c);
    Recording recording(c, stream.raw());
    Launch(c, "conformance_fill").with(std::int64_t{1}).with(y.pointer()).over(n).block(32).on(stream.raw()).run();
    add(c, graph, recording.end());
    const Launcher launcher = launcher_of(c, graph, stream.raw());
    std::int64_t count = -1;
    ROW_OK(c, c.seam.launcher_kernel_node_count(launcher.get(), &count));
    ROW_EQ(c, count, 1);
    const std::pair<std::int64_t, std::int64_t> sizes[] = {{64, 64},   {65, 96},    {1, 32},     {0, 32},
                                                           {992, 992}, {993, 1000}, {5000, 1000}};
    for (auto [size, samples] : sizes) {
        y.upload(Words(n, 0));
        ROW_OK(c, c.seam.launcher_set_logical_size(launcher.get(), size));  // 0 changes nothing
        replay(c, launcher);
        Words wanted(n, 0);
        std::fill(wanted.begin(), wanted.begin() + samples, 1);
        ROW_EQ(c, y.download(), wanted);
    }
    ROW_STATUS(c, c.seam.launcher_set_logical_size(launcher.get(), -1), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.launcher_kernel_node_count(launcher.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("launcher-null-and-stale-handles",
          .covers = {Symbol::launcher_launch, Symbol::launcher_synchronize, Symbol::launcher_stream,
                     Symbol::launcher_set_logical_size, Symbol::launcher_kernel_node_count,
                     Symbol::launcher_set_node_enabled, Symbol::launcher_release},
          .needs = {Symbol::graph_create}) {
    StreamHandle stream(c);
    const Graph graph = new_graph(c);
    Launcher launcher = launcher_of(c, graph, stream.raw());
    replay(c, launcher);  // of a graph of one empty node
    eagle_backend_launcher stale = launcher.get();
    launcher.reset();
    auto foreign = reinterpret_cast<eagle_backend_launcher>(graph.get());
    auto invented = reinterpret_cast<eagle_backend_launcher>(made_up);
    std::int64_t count = 0;
    for (eagle_backend_launcher dead : {eagle_backend_launcher{}, stale, foreign, invented}) {
        ROW_STATUS(c, c.seam.launcher_launch(dead), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.launcher_synchronize(dead), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.launcher_stream(dead, stream.raw()), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.launcher_set_logical_size(dead, 5), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.launcher_kernel_node_count(dead, &count), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.launcher_set_node_enabled(dead, made_up, 0), EAGLE_BACKEND_BAD_HANDLE);
    }
    c.seam.launcher_release(nullptr);
    c.seam.launcher_release(stale);
}
