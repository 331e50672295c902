// Launchers: streams, sizes, and changes between replays.
#include <chrono>

#include "Gate.h"
#include "Recording.h"

using namespace client;

namespace {

struct TwoLaunches {
    Stream stream;
    Plane plane = Plane(10, 0);
    std::vector<std::uint64_t> nodes;
    Graph graph;

    TwoLaunches() {
        Recording recording(stream.raw());
        launch_twice_and(stream.raw(), 1, plane);
        launch_twice_and(stream.raw(), 5, plane);
        nodes = nodes_so_far(stream.raw());
        graph = as_it_is(recording.end());
    }
};

TEST(Launchers, nodes_are_enabled_and_disabled_each_for_itself) {
    TwoLaunches two;
    Launcher one = launcher_of(two.graph, two.stream.raw()), other = launcher_of(two.graph, two.stream.raw());
    ASSERT_EQ(launcher_set_node_enabled(one.get(), two.nodes[1], 0), EAGLE_BACKEND_OK) << last_error();
    replay(one);
    EXPECT_EQ(two.plane, Plane(10, 1));
    replay(other);
    EXPECT_EQ(two.plane, Plane(10, 2 * (2 * 1 + 1) + 5));
    ASSERT_EQ(launcher_set_node_enabled(one.get(), two.nodes[1], 1), EAGLE_BACKEND_OK);
    two.plane.assign(10, 0);
    replay(one);
    EXPECT_EQ(two.plane, Plane(10, 7));
}

TEST(Launchers, parameters_are_set_and_copied) {
    TwoLaunches two;
    Launcher launcher = launcher_of(two.graph, two.stream.raw());
    std::int64_t add = 3;
    std::uint64_t params[3] = {std::uint64_t(&add), 0, 0};
    ASSERT_EQ(launcher_set_kernel_params(launcher.get(), two.nodes[0], params, 1), EAGLE_BACKEND_OK) << last_error();
    add = 1000;
    replay(launcher);
    EXPECT_EQ(two.plane, Plane(10, 2 * 3 + 5));
    two.plane.assign(10, 0);
    Plane other(10, 1);
    std::int64_t* y = other.data();
    params[0] = 0;
    params[1] = std::uint64_t(&y);
    ASSERT_EQ(launcher_set_kernel_params(launcher.get(), two.nodes[1], params, 2), EAGLE_BACKEND_OK) << last_error();
    replay(launcher);
    EXPECT_EQ(two.plane, Plane(10, 3));
    EXPECT_EQ(other, Plane(10, 7));
    EXPECT_TRUE(says(launcher_set_kernel_params(launcher.get(), two.nodes[0], params, 3),
                     EAGLE_BACKEND_INVALID_ARGUMENT, "recorded with 2 arguments"));
    EXPECT_TRUE(
        says(launcher_set_kernel_params(nullptr, 0, params, -1), EAGLE_BACKEND_INVALID_ARGUMENT, "nparams is -1"));
    EXPECT_TRUE(
        says(launcher_set_kernel_params(nullptr, 0, nullptr, 1), EAGLE_BACKEND_INVALID_ARGUMENT, "params is null"));
    EXPECT_TRUE(says(launcher_set_kernel_params(nullptr, 0, params, 1), EAGLE_BACKEND_BAD_HANDLE, "is null"));
}

TEST(Launchers, changes_leave_queued_replays_as_they_were_put) {
    TwoLaunches two;
    Launcher launcher = launcher_of(two.graph, two.stream.raw());
    std::int64_t add = 100;
    std::uint64_t param = std::uint64_t(&add);
    {
        Gate gate(two.stream.raw());
        ASSERT_EQ(launcher_launch(launcher.get()), EAGLE_BACKEND_OK);
        ASSERT_EQ(launcher_set_kernel_params(launcher.get(), two.nodes[0], &param, 1), EAGLE_BACKEND_OK);
        ASSERT_EQ(launcher_set_node_enabled(launcher.get(), two.nodes[1], 0), EAGLE_BACKEND_OK);
        ASSERT_EQ(launcher_launch(launcher.get()), EAGLE_BACKEND_OK);
        EXPECT_TRUE(says(launcher_stream(launcher.get(), 0), EAGLE_BACKEND_ERROR, "a replay is still on"));
        EXPECT_EQ(launcher_stream(launcher.get(), two.stream.raw()), EAGLE_BACKEND_OK);
        EXPECT_EQ(two.plane, Plane(10, 0));
    }
    ASSERT_EQ(launcher_synchronize(launcher.get()), EAGLE_BACKEND_OK);
    EXPECT_EQ(two.plane, Plane(10, 2 * 7 + 100));
    EXPECT_EQ(launcher_stream(launcher.get(), 0), EAGLE_BACKEND_OK) << last_error();
    replay(launcher);
    EXPECT_EQ(two.plane, Plane(10, 2 * 114 + 100));
}

TEST(Launchers, queued_replays_outlive_graph_and_launcher) {
    TwoLaunches two;
    {
        Launcher launcher = launcher_of(two.graph, two.stream.raw());
        Gate gate(two.stream.raw());
        ASSERT_EQ(launcher_launch(launcher.get()), EAGLE_BACKEND_OK);
        launcher = Launcher();
        two.graph = Graph();
    }
    two.stream.synchronize();
    EXPECT_EQ(two.plane, Plane(10, 7));
}

TEST(Launchers, a_copy_reads_from_elsewhere) {
    Stream stream;
    Plane from(4, 1), elsewhere(4, 2), to(4, 0);
    Recording recording(stream.raw());
    ASSERT_EQ(memcpy_device(std::uint64_t(to.data()), std::uint64_t(from.data()), 32, stream.raw()), EAGLE_BACKEND_OK);
    ASSERT_EQ(memset_device(std::uint64_t(to.data()), 8, stream.raw()), EAGLE_BACKEND_OK);
    auto nodes = nodes_so_far(stream.raw());
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    ASSERT_EQ(launcher_set_memcpy_source(launcher.get(), nodes[0], std::uint64_t(elsewhere.data())), EAGLE_BACKEND_OK);
    replay(launcher);
    EXPECT_EQ(to, (Plane{0, 2, 2, 2}));
    EXPECT_TRUE(
        says(launcher_set_memcpy_source(launcher.get(), nodes[0], 0), EAGLE_BACKEND_INVALID_ARGUMENT, "src is null"));
    EXPECT_TRUE(says(launcher_set_memcpy_source(launcher.get(), nodes[1], std::uint64_t(from.data())),
                     EAGLE_BACKEND_INVALID_ARGUMENT, "the node is of type fill"));
    EXPECT_TRUE(says(launcher_set_kernel_params(launcher.get(), nodes[0], nullptr, 0), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "the node is of type copy"));
}

TEST(Launchers, nodes_of_others_are_refused) {
    TwoLaunches two, others;
    Launcher launcher = launcher_of(two.graph, two.stream.raw());
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), others.nodes[0], 0), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "belongs to another graph"));
    others.graph = Graph();
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), others.nodes[0], 0), EAGLE_BACKEND_BAD_HANDLE,
                     "died with its graph"));
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), 0, 0), EAGLE_BACKEND_BAD_HANDLE, "the node is 0"));
    EXPECT_TRUE(says(launcher_set_node_enabled(nullptr, two.nodes[0], 0), EAGLE_BACKEND_BAD_HANDLE, "is null"));
}

TEST(Launchers, a_host_function_is_not_switched_off) {
    Stream stream;
    Recording recording(stream.raw());
    ASSERT_EQ(host_func(stream.raw(), [](void*) {}, nullptr), EAGLE_BACKEND_OK);
    auto nodes = nodes_so_far(stream.raw());
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), nodes[0], 0), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "the node is of type host function"));
}

// A launch whose blocks are counted, as a device counts them.
Captured blocks_of(std::uint32_t block, std::uint32_t grid, const Stream& stream, Plane& plane) {
    std::int64_t add = 1;
    std::int64_t* y = plane.data();
    Recording recording(stream.raw());
    Launch launch(&twice_and, 0, std::int64_t(plane.size()), stream.raw(), add, y);
    launch.desc.block = block;
    launch.options.grid = grid;
    launch.run();
    return recording.end();
}

std::int64_t ones(const Plane& plane) {
    std::int64_t n = 0;
    while (n < std::int64_t(plane.size()) && plane[std::size_t(n)] == 1) ++n;
    for (std::size_t i = std::size_t(n); i < plane.size(); ++i) EXPECT_EQ(plane[i], 0) << i;
    return n;
}

TEST(Launchers, a_logical_size_is_so_many_blocks) {
    Stream stream;
    Plane plane(1000, 0);
    Graph graph = new_graph();
    add(graph, blocks_of(32, 0, stream, plane));
    Launcher launcher = launcher_of(graph, stream.raw());
    std::int64_t count = -1;
    ASSERT_EQ(launcher_kernel_node_count(launcher.get(), &count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 1);
    const std::pair<std::int64_t, std::int64_t> rows[] = {{64, 64},   {65, 96},    {1, 32},     {0, 32},
                                                          {992, 992}, {993, 1000}, {5000, 1000}};
    for (auto [size, samples] : rows) {
        plane.assign(1000, 0);
        ASSERT_EQ(launcher_set_logical_size(launcher.get(), size), EAGLE_BACKEND_OK);
        replay(launcher);
        EXPECT_EQ(ones(plane), samples) << size;
    }
    EXPECT_TRUE(
        says(launcher_set_logical_size(launcher.get(), -1), EAGLE_BACKEND_INVALID_ARGUMENT, "logical_size is -1"));
    EXPECT_TRUE(says(launcher_kernel_node_count(launcher.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "count"));
}

TEST(Launchers, a_capture_as_it_is_and_a_fixed_layout_have_no_logical_size) {
    Stream stream;
    Plane plane(100, 0);
    Launcher verbatim = launcher_of(as_it_is(blocks_of(10, 0, stream, plane)), stream.raw());
    std::int64_t count = -1;
    ASSERT_EQ(launcher_kernel_node_count(verbatim.get(), &count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 0);
    ASSERT_EQ(launcher_set_logical_size(verbatim.get(), 10), EAGLE_BACKEND_OK);
    replay(verbatim);
    EXPECT_EQ(ones(plane), 100);

    plane.assign(100, 0);
    Graph graph = new_graph();
    add(graph, blocks_of(10, 1, stream, plane));
    Launcher fixed = launcher_of(graph, stream.raw());
    ASSERT_EQ(launcher_kernel_node_count(fixed.get(), &count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 1);
    ASSERT_EQ(launcher_set_logical_size(fixed.get(), 10), EAGLE_BACKEND_OK);
    replay(fixed);
    EXPECT_EQ(ones(plane), 100);
}

TEST(Launchers, take_over_a_capture_of_the_same_shape) {
    TwoLaunches two;
    Launcher launcher = launcher_of(two.graph, two.stream.raw());
    ASSERT_EQ(launcher_set_node_enabled(launcher.get(), two.nodes[1], 0), EAGLE_BACKEND_OK);
    Plane other(20, 1);
    Captured same, longer;
    {
        Recording recording(two.stream.raw());
        launch_twice_and(two.stream.raw(), 10, other);
        launch_twice_and(two.stream.raw(), 20, other);
        same = recording.end();
    }
    {
        Recording recording(two.stream.raw());
        launch_twice_and(two.stream.raw(), 10, other);
        longer = recording.end();
    }
    std::int32_t updated = -1;
    ASSERT_EQ(launcher_exec_update(launcher.get(), longer.get(), &updated), EAGLE_BACKEND_OK);
    EXPECT_EQ(updated, 0);
    replay(launcher);
    EXPECT_EQ(two.plane, Plane(10, 1));
    ASSERT_EQ(launcher_exec_update(launcher.get(), same.get(), &updated), EAGLE_BACKEND_OK);
    EXPECT_EQ(updated, 1);
    std::int32_t valid = 0;
    ASSERT_EQ(captured_is_valid(same.get(), &valid), EAGLE_BACKEND_OK);
    same = Captured();
    replay(launcher);
    EXPECT_EQ(two.plane, Plane(10, 1));
    EXPECT_EQ(other, Plane(20, 12));  // the second launch is still off
    ASSERT_EQ(launcher_set_node_enabled(launcher.get(), two.nodes[1], 1), EAGLE_BACKEND_OK);
    replay(launcher);
    EXPECT_EQ(other, Plane(20, 2 * (2 * 12 + 10) + 20));
    EXPECT_TRUE(says(launcher_exec_update(launcher.get(), longer.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "updated is null"));
    EXPECT_TRUE(says(launcher_exec_update(launcher.get(), nullptr, &updated), EAGLE_BACKEND_BAD_HANDLE,
                     "the captured is null"));
}

TEST(Launchers, do_not_launch_into_a_capture) {
    TwoLaunches two;
    Launcher launcher = launcher_of(two.graph, two.stream.raw());
    Recording recording(two.stream.raw());
    EXPECT_TRUE(says(launcher_launch(launcher.get()), EAGLE_BACKEND_ERROR, "a launch of a graph on a stream"));
    EXPECT_TRUE(says(launcher_synchronize(launcher.get()), EAGLE_BACKEND_ERROR, "synchronize of a stream"));
    EXPECT_TRUE(says(launcher_stream(launcher.get(), 5), EAGLE_BACKEND_BAD_HANDLE, "stream"));
}

TEST(Launchers, a_graph_with_host_functions_does_not_hold_the_caller) {
    Stream stream;
    std::promise<void> go;
    auto gone = go.get_future();
    auto wait = [](void* raw) { static_cast<std::future<void>*>(raw)->wait(); };
    Recording recording(stream.raw());
    ASSERT_EQ(host_func(stream.raw(), wait, &gone), EAGLE_BACKEND_OK);
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    ASSERT_EQ(launcher_launch(launcher.get()), EAGLE_BACKEND_OK);  // would wait for ever on this thread
    go.set_value();
    ASSERT_EQ(launcher_synchronize(launcher.get()), EAGLE_BACKEND_OK);
}

TEST(Launchers, a_module_stays_while_a_graph_has_its_function) {
    auto desc = make<struct eagle_backend_sdk_module_desc>();
    desc.path = EAGLE_MODULE_ONE;
    std::uint64_t module = 0, function = 0;
    ASSERT_EQ(sdk_module_load(&desc, &module), EAGLE_BACKEND_OK) << last_error();
    ASSERT_EQ(sdk_module_function(module, "answer", &function), EAGLE_BACKEND_OK) << last_error();
    Stream stream;
    int out = 0, *at = &out;
    Recording recording(stream.raw());
    Launch launch(&twice_and, 0, 1, stream.raw(), at);
    launch.desc.function = function;
    launch.run();
    EXPECT_TRUE(says(sdk_module_unload(module), EAGLE_BACKEND_BAD_HANDLE, "a live graph launches"));
    Captured captured = recording.end();
    EXPECT_TRUE(says(sdk_module_unload(module), EAGLE_BACKEND_BAD_HANDLE, "a live graph launches"));
    Launcher launcher = launcher_of(as_it_is(std::move(captured)), stream.raw());
    EXPECT_TRUE(says(sdk_module_unload(module), EAGLE_BACKEND_BAD_HANDLE, "a live graph launches"));
    launcher = Launcher();
    EXPECT_EQ(sdk_module_unload(module), EAGLE_BACKEND_OK) << last_error();
}

}  // namespace
