// Graphs: a capture as it is, and captures one behind another.
#include "Graphs.h"

using namespace eagle::conformance;

namespace {

std::int64_t last_node(Context& c, const Graph& graph) {
    std::int64_t index = -7;
    ROW_OK(c, c.seam.graph_last_node(graph.get(), &index));
    return index;
}

}  // namespace

EAGLE_ROW("graph-of-captures-one-behind-another",
          .covers = {Symbol::graph_create, Symbol::graph_add_node, Symbol::graph_launcher, Symbol::graph_last_node,
                     Symbol::graph_stream, Symbol::graph_release},
          .needs = {Symbol::capturer_begin, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Graph graph = new_graph(c);
    ROW_EQ(c, last_node(c, graph), 0);  // one empty root
    std::int64_t wanted = 0;
    for (std::int64_t i = 1; i <= 5; ++i) {
        add(c, graph, capture_of(c, stream.raw(), y, {i, -i}));
        ROW_EQ(c, last_node(c, graph), i);
        wanted = after(wanted, {i, -i});
    }
    const Launcher launcher = launcher_of(c, graph, stream.raw());
    ROW_EQ(c, y.at(0), 0);
    for (int i = 0; i < 3; ++i) {
        y.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), wanted);
    }
}

EAGLE_ROW("graph-of-a-capture-counts-its-nodes", .covers = {Symbol::graph_from_captured, Symbol::graph_last_node},
          .needs = {Symbol::capturer_begin}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    ROW_EQ(c, last_node(c, as_it_is(c, capture_of(c, stream.raw(), y, {1}))), 0);
    ROW_EQ(c, last_node(c, as_it_is(c, capture_of(c, stream.raw(), y, {1, 2, 3}))), 2);
}

EAGLE_ROW("graph-grows-behind-a-launcher", .covers = {Symbol::graph_add_node, Symbol::graph_launcher},
          .needs = {Symbol::capturer_begin, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Graph graph = new_graph(c);
    add(c, graph, capture_of(c, stream.raw(), y, {1}));
    const Launcher early = launcher_of(c, graph, stream.raw());
    add(c, graph, capture_of(c, stream.raw(), y, {2}));
    const Launcher late = launcher_of(c, graph, stream.raw());
    replay(c, early);
    ROW_EQ(c, y.at(0), 1);
    y.set(0, 0);
    replay(c, late);
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("graph-empty-capture-is-refused-and-stays", .covers = {Symbol::graph_from_captured},
          .needs = {Symbol::capturer_begin, Symbol::captured_is_valid}) {
    StreamHandle stream(c);
    Recording recording(c, stream.raw());
    const Captured empty = recording.end();
    Graph graph(c);
    ROW_STATUS(c, c.seam.graph_from_captured(empty.get(), graph.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EXPECT(c, graph.get() == nullptr);
    std::int32_t valid = -1;
    ROW_OK(c, c.seam.captured_is_valid(empty.get(), &valid));  // still the caller's
    ROW_EQ(c, valid, 1);
}

EAGLE_ROW("graph-consumes-only-on-ok", .covers = {Symbol::graph_from_captured, Symbol::graph_add_node},
          .needs = {Symbol::captured_is_valid, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Captured captured = capture_of(c, stream.raw(), y, {1});
    std::int32_t valid = -1;
    ROW_STATUS(c, c.seam.graph_from_captured(captured.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.graph_add_node(nullptr, captured.get()), EAGLE_BACKEND_BAD_HANDLE);
    ROW_OK(c, c.seam.captured_is_valid(captured.get(), &valid));
    ROW_EQ(c, valid, 1);
    const Graph graph = new_graph(c);
    eagle_backend_captured consumed = captured.get();
    add(c, graph, std::move(captured));
    ROW_STATUS(c, c.seam.captured_is_valid(consumed, &valid), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.graph_add_node(graph.get(), consumed), EAGLE_BACKEND_BAD_HANDLE);
    replay(c, launcher_of(c, graph, stream.raw()));
    ROW_EQ(c, y.at(0), 1);
    captured = capture_of(c, stream.raw(), y, {2});
    consumed = captured.get();
    const Graph verbatim = as_it_is(c, std::move(captured));
    ROW_STATUS(c, c.seam.captured_is_valid(consumed, &valid), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.graph_add_node(graph.get(), consumed), EAGLE_BACKEND_BAD_HANDLE);
}

EAGLE_ROW("graph-outlived-by-its-launchers", .covers = {Symbol::graph_release},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Graph graph = as_it_is(c, capture_of(c, stream.raw(), y, {1, 2}));
    const Launcher launcher = launcher_of(c, graph, stream.raw());
    graph.reset();
    for (int i = 0; i < 2; ++i) {
        y.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), after(0, {1, 2}));
    }
}

EAGLE_ROW("graph-desc-is-checked", .covers = {Symbol::graph_create}) {
    Graph out(c);
    ROW_STATUS(c, c.seam.graph_create(nullptr, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    auto desc = make<struct eagle_backend_graph_desc>();
    desc.device = c.device;
    ROW_STATUS(c, c.seam.graph_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc.flags = 0x40;
    ROW_SAYS(c, c.seam.graph_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x40");
    desc.struct_size = 11;
    ROW_STATUS(c, c.seam.graph_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = make<struct eagle_backend_graph_desc>();
    for (std::int32_t device : {-2, c.facts.devices}) {
        desc.device = device;
        ROW_STATUS(c, c.seam.graph_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_EXPECT(c, out.get() == nullptr);
    desc.struct_size = 12;
    desc.device = c.device;
    ROW_OK(c, c.seam.graph_create(&desc, out.out()));
    Larger<struct eagle_backend_graph_desc> larger;
    larger.desc.device = c.device;
    Graph second(c);
    ROW_OK(c, c.seam.graph_create(&larger.desc, second.out()));
}

EAGLE_ROW("graph-null-and-stale-handles",
          .covers = {Symbol::graph_stream, Symbol::graph_add_node, Symbol::graph_launcher, Symbol::graph_last_node,
                     Symbol::graph_from_captured, Symbol::graph_release},
          .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Graph graph = new_graph(c);
    Launcher launcher(c);
    ROW_STATUS(c, c.seam.graph_launcher(graph.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.graph_launcher(nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);  // the output comes first
    ROW_STATUS(c, c.seam.graph_from_captured(nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.graph_last_node(graph.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.graph_add_node(graph.get(), nullptr), EAGLE_BACKEND_BAD_HANDLE);
    eagle_backend_graph stale = graph.get();
    graph.reset();
    auto foreign = reinterpret_cast<eagle_backend_graph>(stream.get());
    auto invented = reinterpret_cast<eagle_backend_graph>(made_up);
    std::int64_t index = 0;
    for (eagle_backend_graph dead : {eagle_backend_graph{}, stale, foreign, invented}) {
        ROW_STATUS(c, c.seam.graph_last_node(dead, &index), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.graph_stream(dead, stream.raw()), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.graph_launcher(dead, launcher.out()), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.graph_add_node(dead, nullptr), EAGLE_BACKEND_BAD_HANDLE);
    }
    Graph out(c);
    ROW_STATUS(c, c.seam.graph_from_captured(nullptr, out.out()), EAGLE_BACKEND_BAD_HANDLE);
    c.seam.graph_release(nullptr);
    c.seam.graph_release(stale);
}
