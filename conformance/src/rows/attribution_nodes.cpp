// Nodes of an open capture, and which of them can be switched.
#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("attribution-snapshot-grows-with-the-capture", .covers = {Symbol::capture_snapshot_nodes},
          .needs = {Symbol::capturer_begin}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Recording recording(c, stream.raw());
    ROW_EQ(c, nodes_so_far(c, stream.raw()).size(), 0u);
    twice_and(c, stream.raw(), 1, y);
    const Nodes one = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, one.size() == 1);
    ROW_EXPECT(c, one[0] != 0);
    twice_and(c, stream.raw(), 2, y);
    const Nodes two = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, two.size() == 2);
    ROW_EQ(c, two[0], one[0]);
    ROW_EXPECT(c, two[1] != two[0]);
    const Captured captured = recording.end();
}

EAGLE_ROW("attribution-snapshot-is-checked", .covers = {Symbol::capture_snapshot_nodes},
          .needs = {Symbol::capturer_begin}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    std::uint64_t* nodes = nullptr;
    std::int64_t count = 0;
    ROW_REFUSED(c, c.seam.capture_snapshot_nodes(stream.raw(), &nodes, &count));  // in no capture
    Recording recording(c, stream.raw());
    ROW_STATUS(c, c.seam.capture_snapshot_nodes(stream.raw(), nullptr, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.capture_snapshot_nodes(stream.raw(), &nodes, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    const Captured captured = recording.end();
    ROW_REFUSED(c, c.seam.capture_snapshot_nodes(stream.raw(), &nodes, &count));
    ROW_EXPECT(c, nodes == nullptr);
}

EAGLE_ROW("attribution-kernels-copies-and-fills-are-switched",
          .covers = {Symbol::is_node_toggleable, Symbol::capture_snapshot_nodes},
          .needs = {Symbol::capturer_begin, Symbol::memcpy_device, Symbol::memset_device, Symbol::host_func},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0, 0});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    ROW_OK(c, c.seam.memcpy_device(y.address(), y.address_of(1), 8, stream.raw()));
    ROW_OK(c, c.seam.memset_device(y.address(), 8, stream.raw()));
    ROW_OK(c, c.seam.host_func(stream.raw(), [](void*) {}, nullptr));
    const Nodes nodes = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, nodes.size() == 4);
    std::vector<std::int32_t> found(4, -1);
    for (std::size_t i = 0; i < 4; ++i) ROW_OK(c, c.seam.is_node_toggleable(nodes[i], &found[i]));
    ROW_EQ(c, found, (std::vector<std::int32_t>{1, 1, 1, 0}));
    ROW_STATUS(c, c.seam.is_node_toggleable(nodes[0], nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_REFUSED(c, c.seam.is_node_toggleable(0, &found[0]));
    const Captured captured = recording.end();
}

EAGLE_ROW("attribution-conditional-nodes-are-not-switched", .covers = {Symbol::is_node_toggleable},
          .needs = {Symbol::conditional_nodes, Symbol::conditional_create, Symbol::capture_snapshot_nodes},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    twice_and(c, begin(c, guarded), 1, y);
    end(c, guarded);
    const Nodes outer = nodes_so_far(c, stream.raw()), inner = nodes_of(c, guarded, 0);
    ROW_REQUIRE(c, outer.size() == 2 && inner.size() == 1);
    std::int32_t toggleable = -1;
    ROW_OK(c, c.seam.is_node_toggleable(outer[1], &toggleable));  // the conditional itself
    ROW_EQ(c, toggleable, 0);
    ROW_OK(c, c.seam.is_node_toggleable(inner[0], &toggleable));
    ROW_EQ(c, toggleable, 1);
    const Captured captured = recording.end();
}

EAGLE_ROW("attribution-snapshot-of-a-branch-holds-all", .covers = {Symbol::capture_snapshot_nodes},
          .needs = {Symbol::fork_create}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0}), z(c, Words{0});
    const Fork two = make_fork(c, stream.raw(), 2);
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    fork(c, two);
    twice_and(c, branch(c, two, 0), 1, y);
    twice_and(c, branch(c, two, 1), 1, z);
    ROW_EQ(c, nodes_so_far(c, branch(c, two, 1)), nodes_so_far(c, stream.raw()));
    ROW_EQ(c, nodes_so_far(c, stream.raw()).size(), 3u);
    join(c, two);
    const Captured captured = recording.end();
}
