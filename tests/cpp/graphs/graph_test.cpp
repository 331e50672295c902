// Graphs: from a capture as it is, put together from several, and what the calls refuse.
#include "Recording.h"

using namespace client;

namespace {

Captured one_launch(const Stream& stream, std::int64_t add, Plane& plane) {
    Recording recording(stream.raw());
    launch_twice_and(stream.raw(), add, plane);
    return recording.end();
}

TEST(Graphs, captures_are_added_one_behind_another) {
    Stream stream;
    Plane plane(10, 0);
    Graph graph = new_graph();
    std::int64_t last = -1;
    ASSERT_EQ(graph_last_node(graph.get(), &last), EAGLE_BACKEND_OK);
    EXPECT_EQ(last, 0);  // the empty root
    for (std::int64_t k : {1, 2, 3}) {
        add(graph, one_launch(stream, k, plane));
        ASSERT_EQ(graph_last_node(graph.get(), &last), EAGLE_BACKEND_OK);
        EXPECT_EQ(last, k);
    }
    replay(launcher_of(graph, stream.raw()));
    EXPECT_EQ(plane, Plane(10, 2 * (2 * 1 + 2) + 3));
}

TEST(Graphs, a_graph_of_its_root_alone_runs_nothing) {
    Stream stream;
    replay(launcher_of(new_graph(), stream.raw()));
}

TEST(Graphs, a_launcher_has_the_graph_as_it_was) {
    Stream stream;
    Plane plane(10, 0);
    Graph graph = new_graph();
    add(graph, one_launch(stream, 1, plane));
    Launcher before = launcher_of(graph, stream.raw());
    add(graph, one_launch(stream, 5, plane));
    Launcher after = launcher_of(graph, stream.raw());
    graph = Graph();
    replay(before);
    EXPECT_EQ(plane, Plane(10, 1));
    replay(after);
    EXPECT_EQ(plane, Plane(10, 2 * (2 * 1 + 1) + 5));
}

TEST(Graphs, several_launchers_of_one_capture) {
    Stream stream, other;
    Plane plane(10, 0);
    Graph graph = as_it_is(one_launch(stream, 1, plane));
    Launcher one = launcher_of(graph, stream.raw()), two = launcher_of(graph, other.raw());
    replay(one);
    replay(two);
    EXPECT_EQ(plane, Plane(10, 3));
}

TEST(Graphs, a_captured_is_consumed_when_the_call_succeeds_and_only_then) {
    Stream stream;
    Plane plane(1, 0);
    Captured captured = one_launch(stream, 1, plane);
    EXPECT_TRUE(says(graph_from_captured(captured.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(says(graph_from_captured(nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(says(graph_add_node(nullptr, captured.get()), EAGLE_BACKEND_BAD_HANDLE, "the graph is null"));
    eagle_backend_captured dead = captured.get();
    Graph graph = as_it_is(std::move(captured)), none;
    std::int32_t valid = 0;
    EXPECT_TRUE(says(captured_is_valid(dead, &valid), EAGLE_BACKEND_BAD_HANDLE, "consumed"));
    EXPECT_TRUE(says(graph_from_captured(dead, none.out()), EAGLE_BACKEND_BAD_HANDLE, "consumed"));
    EXPECT_TRUE(says(graph_add_node(new_graph().get(), dead), EAGLE_BACKEND_BAD_HANDLE, "consumed"));

    Captured late = one_launch(stream, 1, plane);
    EXPECT_TRUE(says(graph_add_node(graph.get(), late.get()), EAGLE_BACKEND_ERROR, "a capture as it is"));
    ASSERT_EQ(captured_is_valid(late.get(), &valid), EAGLE_BACKEND_OK);
    EXPECT_EQ(valid, 1);
}

TEST(Graphs, an_empty_capture_makes_none) {
    Stream stream;
    Captured empty = Recording(stream.raw()).end();
    Graph none;
    EXPECT_TRUE(says(graph_from_captured(empty.get(), none.out()), EAGLE_BACKEND_INVALID_ARGUMENT, "is empty"));
    std::int32_t valid = 0;
    ASSERT_EQ(captured_is_valid(empty.get(), &valid), EAGLE_BACKEND_OK);
    Graph graph = new_graph();
    add(graph, std::move(empty));
    replay(launcher_of(graph, stream.raw()));
}

TEST(Graphs, calls_check_what_they_get) {
    auto desc = make<struct eagle_backend_graph_desc>();
    Graph graph = new_graph(), none;
    desc.flags = 1;
    EXPECT_TRUE(says(graph_create(&desc, none.out()), EAGLE_BACKEND_UNSUPPORTED, "0x1"));
    desc.flags = 0;
    EXPECT_TRUE(says(graph_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(says(graph_launcher(nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    Launcher launcher;
    EXPECT_TRUE(says(graph_launcher(nullptr, launcher.out()), EAGLE_BACKEND_BAD_HANDLE, "the graph is null"));
    EXPECT_TRUE(says(graph_last_node(graph.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "index is null"));
    EXPECT_TRUE(says(graph_last_node(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE, "the graph is null"));
    EXPECT_TRUE(says(graph_stream(graph.get(), 77), EAGLE_BACKEND_BAD_HANDLE, "stream"));
    eagle_backend_graph dead = graph.get();
    graph = Graph();
    EXPECT_TRUE(says(graph_stream(dead, 0), EAGLE_BACKEND_BAD_HANDLE, "was released"));
}

TEST(Graphs, the_schedule_of_the_environment_is_read_and_checked) {
    Stream stream;
    Plane plane(1, 0);
    Graph graph = as_it_is(one_launch(stream, 3, plane));
    Launcher launcher;
    for (const char* wrong : {"random", "random:", "random:x", "random:1x", "serial", "random:18446744073709551616"}) {
        setenv("EAGLE_CPU_SCHEDULE", wrong, 1);
        EXPECT_TRUE(says(graph_launcher(graph.get(), launcher.out()), EAGLE_BACKEND_INVALID_ARGUMENT,
                         std::string("EAGLE_CPU_SCHEDULE is '") + wrong + "'"));
    }
    setenv("EAGLE_CPU_SCHEDULE", "random:18446744073709551615", 1);
    EXPECT_EQ(graph_launcher(graph.get(), launcher.out()), EAGLE_BACKEND_OK) << last_error();
    unsetenv("EAGLE_CPU_SCHEDULE");
    replay(launcher);
    EXPECT_EQ(plane, Plane(1, 3));
}

TEST(Graphs, kernels_run_under_the_default_floating_point_environment) {
    Stream stream;
    double tiny = 1e-310, *at = &tiny;
    auto halve = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        **static_cast<double* const*>(params[0]) *= 0.5;
    };
    Recording recording(stream.raw());
    Launch(halve, 0, 1, stream.raw(), at).run();
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
#if defined(__x86_64__)
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040u);  // subnormal numbers become zero
    for (int i = 0; i < 10; ++i) replay(launcher);
    unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before);
    EXPECT_EQ(after & 0x8040u, 0x8040u);
#else
    for (int i = 0; i < 10; ++i) replay(launcher);
#endif
    EXPECT_EQ(tiny, 1e-310 / 1024);
}

}  // namespace
