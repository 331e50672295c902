// Nodes of a capture: snapshots, what can be switched, and foreign graphs as children.
#include "Recording.h"

using namespace client;

namespace {

TEST(Attribution, a_snapshot_grows_with_the_capture) {
    Stream stream;
    Plane plane(1, 0);
    Recording recording(stream.raw());
    EXPECT_TRUE(nodes_so_far(stream.raw()).empty());
    launch_twice_and(stream.raw(), 1, plane);
    auto one = nodes_so_far(stream.raw());
    ASSERT_EQ(one.size(), 1u);
    launch_twice_and(stream.raw(), 1, plane);
    auto two = nodes_so_far(stream.raw());
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(two[0], one[0]);
    EXPECT_NE(two[1], two[0]);
    recording.end();
    std::uint64_t* nodes = nullptr;
    std::int64_t count = 0;
    EXPECT_TRUE(says(capture_snapshot_nodes(stream.raw(), &nodes, &count), EAGLE_BACKEND_ERROR, "in no capture"));
    EXPECT_TRUE(says(capture_snapshot_nodes(3, &nodes, &count), EAGLE_BACKEND_BAD_HANDLE, "stream"));
    EXPECT_TRUE(says(capture_snapshot_nodes(stream.raw(), nullptr, &count), EAGLE_BACKEND_INVALID_ARGUMENT, "nodes"));
    EXPECT_TRUE(says(capture_snapshot_nodes(stream.raw(), &nodes, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "count"));
}

TEST(Attribution, kernels_copies_and_fills_can_be_switched) {
    Stream stream;
    Plane plane(2, 0);
    std::uint64_t at = std::uint64_t(plane.data());
    Recording recording(stream.raw());
    launch_twice_and(stream.raw(), 1, plane);
    ASSERT_EQ(memcpy_device(at, at + 8, 8, stream.raw()), EAGLE_BACKEND_OK);
    ASSERT_EQ(memset_device(at, 8, stream.raw()), EAGLE_BACKEND_OK);
    ASSERT_EQ(host_func(stream.raw(), [](void*) {}, nullptr), EAGLE_BACKEND_OK);
    auto nodes = nodes_so_far(stream.raw());
    ASSERT_EQ(nodes.size(), 4u);
    std::vector<std::int32_t> toggleable(4, -1);
    for (std::size_t i = 0; i < 4; ++i)
        ASSERT_EQ(is_node_toggleable(nodes[i], &toggleable[i]), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(toggleable, (std::vector<std::int32_t>{1, 1, 1, 0}));
    EXPECT_TRUE(says(is_node_toggleable(nodes[0], nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "toggleable is null"));
    recording.end();
    EXPECT_TRUE(says(is_node_toggleable(nodes[0], &toggleable[0]), EAGLE_BACKEND_BAD_HANDLE, "died with its graph"));
    EXPECT_TRUE(says(is_node_toggleable(0, &toggleable[0]), EAGLE_BACKEND_BAD_HANDLE, "the node is 0"));
}

TEST(Attribution, a_foreign_graph_is_one_child_each_time) {
    Stream stream;
    Plane plane(1, 0);
    std::uint64_t child = 0;
    Recording inner(stream.raw());
    launch_twice_and(stream.raw(), 1, plane);
    launch_twice_and(stream.raw(), 2, plane);
    auto inner_nodes = nodes_so_far(stream.raw());
    ASSERT_EQ(capturer_graph(inner.handle(), &child), EAGLE_BACKEND_OK);
    EXPECT_TRUE(says(capture_add_child(stream.raw(), child, 0), EAGLE_BACKEND_ERROR, "still recorded"));
    Captured held = inner.end();

    Recording outer(stream.raw());
    ASSERT_EQ(capture_add_child(stream.raw(), child, 0), EAGLE_BACKEND_OK) << last_error();
    launch_twice_and(stream.raw(), 7, plane);
    ASSERT_EQ(capture_add_child(stream.raw(), child, 1), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(nodes_so_far(stream.raw()).size(), 3u);
    Launcher launcher = launcher_of(as_it_is(outer.end()), stream.raw());
    held = Captured();
    replay(launcher);
    std::int64_t wanted = 0;
    for (std::int64_t add : {1, 2, 7, 1, 2}) wanted = 2 * wanted + add;
    EXPECT_EQ(plane, Plane(1, wanted));
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), inner_nodes[0], 0), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "belongs to another graph"));
}

TEST(Attribution, a_child_is_checked) {
    Stream stream;
    std::uint64_t child = 0;
    EXPECT_TRUE(says(capture_add_child(stream.raw(), 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "child_graph is 0"));
    Recording inner(stream.raw());
    ASSERT_EQ(host_func(stream.raw(), [](void*) {}, nullptr), EAGLE_BACKEND_OK);
    ASSERT_EQ(capturer_graph(inner.handle(), &child), EAGLE_BACKEND_OK);
    Captured held = inner.end();
    EXPECT_TRUE(says(capture_add_child(stream.raw(), child, 0), EAGLE_BACKEND_ERROR, "in no capture"));
    {
        Recording outer(stream.raw());
        EXPECT_TRUE(says(capture_add_child(stream.raw(), child, 1), EAGLE_BACKEND_UNSUPPORTED, "host function"));
        EXPECT_TRUE(nodes_so_far(stream.raw()).empty());
        EXPECT_EQ(capture_add_child(stream.raw(), child, 0), EAGLE_BACKEND_OK) << last_error();
    }
    held = Captured();
    Recording late(stream.raw());
    EXPECT_TRUE(says(capture_add_child(stream.raw(), child, 0), EAGLE_BACKEND_BAD_HANDLE, "died"));
    EXPECT_TRUE(says(capture_add_child(stream.raw(), 55, 0), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
}

}  // namespace
