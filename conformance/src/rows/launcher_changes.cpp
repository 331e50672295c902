// What changes between replays: nodes on and off, parameters, sources, cells, and whole captures of the same shape.
#include "Conditionals.h"

using namespace eagle::conformance;

namespace {

constexpr auto invalid = EAGLE_BACKEND_INVALID_ARGUMENT;

// y = 2 y + 1, y = 2 y + 5, with their nodes.
struct TwoLaunches {
    StreamHandle stream;
    Plane y;
    Nodes nodes;
    Graph graph;
    explicit TwoLaunches(Context& c) : stream(c), y(c, Words(10, 0)), graph(c) {
        Recording recording(c, stream.raw());
        twice_and(c, stream.raw(), 1, y);
        twice_and(c, stream.raw(), 5, y);
        nodes = nodes_so_far(c, stream.raw());
        ROW_REQUIRE(c, nodes.size() == 2);
        graph = as_it_is(c, recording.end());
    }
};

}  // namespace

EAGLE_ROW("launcher-nodes-on-and-off-each-for-itself", .covers = {Symbol::launcher_set_node_enabled},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    const Launcher one = launcher_of(c, two.graph, two.stream.raw()),
                   other = launcher_of(c, two.graph, two.stream.raw());
    ROW_OK(c, c.seam.launcher_set_node_enabled(one.get(), two.nodes[1], 0));
    replay(c, one);
    ROW_EQ(c, two.y.at(0), 1);
    replay(c, other);
    ROW_EQ(c, two.y.at(0), after(1, {1, 5}));
    ROW_OK(c, c.seam.launcher_set_node_enabled(one.get(), two.nodes[0], 0));
    two.y.set(0, 3);
    replay(c, one);
    ROW_EQ(c, two.y.at(0), 3);
    for (std::uint64_t node : two.nodes) ROW_OK(c, c.seam.launcher_set_node_enabled(one.get(), node, 1));
    replay(c, one);
    ROW_EQ(c, two.y.at(0), after(3, {1, 5}));
}

EAGLE_ROW("launcher-copies-and-fills-on-and-off", .covers = {Symbol::launcher_set_node_enabled},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes,
                    Symbol::memcpy_device, Symbol::memset_device},
          .memory = true) {
    StreamHandle stream(c);
    Plane from(c, Words{1, 2}), to(c, Words{0, 0});
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.memcpy_device(to.address(), from.address(), 16, stream.raw()));
    ROW_OK(c, c.seam.memset_device(to.address_of(1), 8, stream.raw()));
    const Nodes nodes = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, nodes.size() == 2);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    const Words wanted[] = {{9, 9}, {1, 2}, {9, 0}, {1, 0}};
    for (int bits = 0; bits < 4; ++bits) {
        to.upload({9, 9});
        ROW_OK(c, c.seam.launcher_set_node_enabled(launcher.get(), nodes[0], bits & 1));
        ROW_OK(c, c.seam.launcher_set_node_enabled(launcher.get(), nodes[1], bits & 2));
        replay(c, launcher);
        ROW_EQ(c, to.download(), wanted[bits]);
    }
}

EAGLE_ROW("launcher-other-nodes-are-refused", .covers = {Symbol::launcher_set_node_enabled},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes,
                    Symbol::host_func},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    Recording recording(c, two.stream.raw());
    ROW_OK(c, c.seam.host_func(two.stream.raw(), [](void*) {}, nullptr));
    const Nodes host = nodes_so_far(c, two.stream.raw());
    ROW_REQUIRE(c, host.size() == 1);
    const Launcher others = launcher_of(c, as_it_is(c, recording.end()), two.stream.raw());
    const Launcher launcher = launcher_of(c, two.graph, two.stream.raw());
    ROW_STATUS(c, c.seam.launcher_set_node_enabled(others.get(), host[0], 0), invalid);
    ROW_REFUSED(c, c.seam.launcher_set_node_enabled(launcher.get(), host[0], 0));  // of another graph
    ROW_REFUSED(c, c.seam.launcher_set_node_enabled(launcher.get(), 0, 0));
    replay(c, launcher);
    ROW_EQ(c, two.y.at(0), after(0, {1, 5}));
}

EAGLE_ROW("launcher-parameters-are-set-and-copied", .covers = {Symbol::launcher_set_kernel_params},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    const Launcher launcher = launcher_of(c, two.graph, two.stream.raw());
    std::int64_t add = 3;
    std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&add), 0};
    ROW_OK(c, c.seam.launcher_set_kernel_params(launcher.get(), two.nodes[0], params, 1));
    add = 1000;  // the value was taken at the call
    replay(c, launcher);
    ROW_EQ(c, two.y.download(), Words(10, after(0, {3, 5})));
    Plane z(c, Words(10, 1));
    std::int64_t* elsewhere = z.pointer();
    params[0] = 0;  // kept
    params[1] = reinterpret_cast<std::uint64_t>(&elsewhere);
    ROW_OK(c, c.seam.launcher_set_kernel_params(launcher.get(), two.nodes[1], params, 2));
    two.y.upload(Words(10, 0));
    replay(c, launcher);
    ROW_EQ(c, two.y.download(), Words(10, 3));
    ROW_EQ(c, z.download(), Words(10, 7));
}

EAGLE_ROW("launcher-parameters-are-checked", .covers = {Symbol::launcher_set_kernel_params}, .devices = 0) {
    const std::uint64_t params[1] = {0};
    ROW_STATUS(c, c.seam.launcher_set_kernel_params(nullptr, 0, params, -1), invalid);  // before the handle
    ROW_STATUS(c, c.seam.launcher_set_kernel_params(nullptr, 0, nullptr, 1), invalid);
    ROW_STATUS(c, c.seam.launcher_set_kernel_params(nullptr, 0, params, 1), EAGLE_BACKEND_BAD_HANDLE);
}

EAGLE_ROW("launcher-parameters-in-a-body", .covers = {Symbol::launcher_set_kernel_params, Symbol::conditional_nodes},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    twice_and(c, begin(c, guarded), 1, y);
    end(c, guarded);
    const Nodes body = nodes_of(c, guarded, 0);
    ROW_REQUIRE(c, body.size() == 1);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    const std::int64_t add = 9;
    const std::uint64_t param = reinterpret_cast<std::uint64_t>(&add);
    ROW_OK(c, c.seam.launcher_set_kernel_params(launcher.get(), body[0], &param, 1));
    replay(c, launcher);
    ROW_EQ(c, y.at(0), 9);
}

EAGLE_ROW("launcher-copy-reads-from-elsewhere", .covers = {Symbol::launcher_set_memcpy_source},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes,
                    Symbol::memcpy_device},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane from(c, Words(4, 1)), elsewhere(c, Words(4, 2)), to(c, Words(4, 0));
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.memcpy_device(to.address(), from.address(), 24, stream.raw()));
    twice_and(c, stream.raw(), 5, from);
    const Nodes nodes = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, nodes.size() == 2);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    ROW_OK(c, c.seam.launcher_set_memcpy_source(launcher.get(), nodes[0], elsewhere.address()));
    replay(c, launcher);
    ROW_EQ(c, to.download(), (Words{2, 2, 2, 0}));  // size and destination stay
    ROW_STATUS(c, c.seam.launcher_set_memcpy_source(launcher.get(), nodes[0], 0), invalid);
    ROW_REFUSED(c, c.seam.launcher_set_memcpy_source(launcher.get(), nodes[1], from.address()));  // no copy
    ROW_STATUS(c, c.seam.launcher_set_memcpy_source(nullptr, nodes[0], from.address()), EAGLE_BACKEND_BAD_HANDLE);
    elsewhere.upload(Words(4, 8));
    replay(c, launcher);
    ROW_EQ(c, to.download(), (Words{8, 8, 8, 0}));
}

EAGLE_ROW("launcher-takes-over-a-capture-of-the-same-shape", .covers = {Symbol::launcher_exec_update},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes,
                    Symbol::captured_is_valid},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    const Launcher launcher = launcher_of(c, two.graph, two.stream.raw());
    Plane z(c, Words(20, 1));
    Captured same = capture_of(c, two.stream.raw(), z, {10, 20});
    const Captured shorter = capture_of(c, two.stream.raw(), z, {10}),
                   longer = capture_of(c, two.stream.raw(), z, {1, 2, 3});
    std::int32_t updated = -1;
    for (eagle_backend_captured other : {shorter.get(), longer.get()}) {
        updated = -1;
        ROW_OK(c, c.seam.launcher_exec_update(launcher.get(), other, &updated));
        ROW_EQ(c, updated, 0);
    }
    replay(c, launcher);  // as it was
    ROW_EQ(c, two.y.at(0), after(0, {1, 5}));
    ROW_EQ(c, z.at(0), 1);
    ROW_OK(c, c.seam.launcher_exec_update(launcher.get(), same.get(), &updated));
    ROW_EQ(c, updated, 1);
    std::int32_t valid = 0;
    ROW_OK(c, c.seam.captured_is_valid(same.get(), &valid));  // not consumed
    ROW_EQ(c, valid, 1);
    same.reset();
    replay(c, launcher);
    ROW_EQ(c, two.y.at(0), after(0, {1, 5}));
    ROW_EQ(c, z.download(), Words(20, after(1, {10, 20})));
}

EAGLE_ROW("launcher-update-knows-edges-and-kinds-of-nodes", .covers = {Symbol::launcher_exec_update},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes,
                    Symbol::fork_create, Symbol::memset_device},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    const Launcher launcher = launcher_of(c, two.graph, two.stream.raw());
    Plane z(c, Words(10, 1));
    const Fork branches = make_fork(c, two.stream.raw(), 2);
    Recording side_by_side(c, two.stream.raw());
    fork(c, branches);
    twice_and(c, branch(c, branches, 0), 1, z);
    twice_and(c, branch(c, branches, 1), 5, two.y);
    join(c, branches);
    const Captured other_edges = side_by_side.end();
    Recording with_fill(c, two.stream.raw());
    twice_and(c, two.stream.raw(), 1, z);
    ROW_OK(c, c.seam.memset_device(z.address(), 8, two.stream.raw()));
    const Captured other_kinds = with_fill.end();
    for (eagle_backend_captured other : {other_edges.get(), other_kinds.get()}) {
        std::int32_t updated = -1;
        ROW_OK(c, c.seam.launcher_exec_update(launcher.get(), other, &updated));
        ROW_EQ(c, updated, 0);
    }
    replay(c, launcher);
    ROW_EQ(c, two.y.at(0), after(0, {1, 5}));
    ROW_EQ(c, z.at(0), 1);
}

EAGLE_ROW("launcher-update-is-checked", .covers = {Symbol::launcher_exec_update},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::capture_snapshot_nodes},
          .memory = true, .kernels = true) {
    TwoLaunches two(c);
    const Launcher launcher = launcher_of(c, two.graph, two.stream.raw());
    Captured again = capture_of(c, two.stream.raw(), two.y, {1, 2});
    std::int32_t updated = -1;
    ROW_STATUS(c, c.seam.launcher_exec_update(launcher.get(), again.get(), nullptr), invalid);
    ROW_STATUS(c, c.seam.launcher_exec_update(launcher.get(), nullptr, &updated), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.launcher_exec_update(nullptr, again.get(), &updated), EAGLE_BACKEND_BAD_HANDLE);
    eagle_backend_captured stale = again.get();
    again.reset();
    ROW_STATUS(c, c.seam.launcher_exec_update(launcher.get(), stale, &updated), EAGLE_BACKEND_BAD_HANDLE);
    replay(c, launcher);
    ROW_EQ(c, two.y.at(0), after(0, {1, 5}));
}

EAGLE_ROW("launcher-cells-of-a-conditional-are-re-pointed", .covers = {Symbol::sdk_launcher_set_conditional},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch,
                    Symbol::capture_snapshot_nodes, Symbol::sdk_version},
          .memory = true, .kernels = true) {
    OneNode node(c);
    Cells cells(c, std::vector<std::uint32_t>{0, 1});
    auto desc = desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells);
    node.record(desc, 1);
    ROW_REQUIRE(c, node.nodes.size() == 2);
    auto set = [&](std::uint64_t at) { return c.seam.sdk_launcher_set_conditional(node.launcher.get(), at, &desc); };
    ROW_EQ(c, node.run(), 0);
    desc.count_ptr = cells.address_of(1);
    ROW_OK(c, set(node.nodes[1]));
    ROW_EQ(c, node.run(), 1);
    desc.negate = 1;
    ROW_OK(c, set(node.nodes[1]));
    ROW_EQ(c, node.run(), 0);
    desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_WHILE;  // its kind stays
    desc.counter_ptr = cells.address();
    desc.loop_cap = 1;
    ROW_REFUSED(c, set(node.nodes[1]));
    desc = desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells);
    ROW_REFUSED(c, set(node.nodes[0]));  // the head is no conditional
    desc.count_ptr = 0;
    ROW_STATUS(c, set(node.nodes[1]), invalid);
    ROW_EQ(c, node.run(), 0);
    ROW_STATUS(c, c.seam.sdk_launcher_set_conditional(nullptr, node.nodes[1], &desc), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.sdk_launcher_set_conditional(node.launcher.get(), node.nodes[1], nullptr), invalid);
}
