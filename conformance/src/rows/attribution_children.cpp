// A foreign graph as one child node of a capture.
#include "Graphs.h"

using namespace eagle::conformance;

namespace {

// The device's own handle of a capture's graph; it lives as long as what the capture left.
std::uint64_t graph_of(Context& c, const Recording& recording) {
    std::uint64_t graph = 0;
    ROW_OK(c, c.seam.capturer_graph(recording.handle(), &graph));
    return graph;
}

}  // namespace

EAGLE_ROW("attribution-child-is-one-node-each-time", .covers = {Symbol::capture_add_child},
          .needs = {Symbol::capturer_graph, Symbol::capture_snapshot_nodes, Symbol::graph_from_captured,
                    Symbol::launcher_launch},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Recording inner(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    twice_and(c, stream.raw(), 2, y);
    const std::uint64_t child = graph_of(c, inner);
    Captured held = inner.end();
    Recording outer(c, stream.raw());
    ROW_OK(c, c.seam.capture_add_child(stream.raw(), child, 0));
    twice_and(c, stream.raw(), 7, y);
    ROW_OK(c, c.seam.capture_add_child(stream.raw(), child, 0));
    ROW_EQ(c, nodes_so_far(c, stream.raw()).size(), 3u);
    const Launcher launcher = launcher_of(c, as_it_is(c, outer.end()), stream.raw());
    held.reset();  // a copy went in
    for (int i = 0; i < 2; ++i) {
        y.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), after(0, {1, 2, 7, 1, 2}));
    }
}

EAGLE_ROW("attribution-child-of-a-body", .covers = {Symbol::capture_add_child},
          .needs = {Symbol::capturer_graph, Symbol::conditional_create, Symbol::graph_from_captured,
                    Symbol::launcher_launch},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0});
    Recording inner(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    const std::uint64_t child = graph_of(c, inner);
    const Captured held = inner.end();
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording outer(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    ROW_OK(c, c.seam.capture_add_child(body, child, 1));
    twice_and(c, body, 2, y);
    end(c, guarded);
    const Launcher launcher = launcher_of(c, as_it_is(c, outer.end()), stream.raw());
    for (std::uint32_t count : {0u, 1u}) {
        cells.set(0, count);
        y.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), count ? after(0, {1, 2}) : 0);
    }
}

EAGLE_ROW("attribution-child-with-a-host-function-stays-out-of-bodies", .covers = {Symbol::capture_add_child},
          .needs = {Symbol::capturer_graph, Symbol::conditional_create, Symbol::host_func}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0});
    Recording inner(c, stream.raw());
    ROW_OK(c, c.seam.host_func(stream.raw(), [](void*) {}, nullptr));
    const std::uint64_t child = graph_of(c, inner);
    const Captured held = inner.end();
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording outer(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    ROW_SAYS(c, c.seam.capture_add_child(body, child, 1), EAGLE_BACKEND_UNSUPPORTED, "host function");
    twice_and(c, body, 1, y);
    end(c, guarded);
    ROW_OK(c, c.seam.capture_add_child(stream.raw(), child, 0));
    const Captured captured = outer.end();
}

EAGLE_ROW("attribution-child-is-checked", .covers = {Symbol::capture_add_child},
          .needs = {Symbol::capturer_graph, Symbol::capture_snapshot_nodes}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Recording inner(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    const std::uint64_t child = graph_of(c, inner);
    const Captured held = inner.end();
    ROW_STATUS(c, c.seam.capture_add_child(stream.raw(), 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_REFUSED(c, c.seam.capture_add_child(stream.raw(), child, 0));  // the stream is in no capture
    Recording outer(c, stream.raw());
    ROW_STATUS(c, c.seam.capture_add_child(stream.raw(), 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EQ(c, nodes_so_far(c, stream.raw()).size(), 0u);
    const Captured captured = outer.end();
}
