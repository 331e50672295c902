// Captures: what becomes a node, what is refused, and what an end leaves behind.
#include <thread>

#include "Recording.h"

using namespace client;

namespace {

TEST(Captures, record_and_run_nothing) {
    Stream stream;
    Plane plane(100, 1), other(100, 7);
    int called = 0;
    Recording recording(stream.raw());
    launch_twice_and(stream.raw(), 3, plane);
    ASSERT_EQ(client::memcpy(std::uint64_t(other.data()), std::uint64_t(plane.data()), 800,
                             EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream.raw()),
              EAGLE_BACKEND_OK);
    ASSERT_EQ(memset_device(std::uint64_t(plane.data()), 8, stream.raw()), EAGLE_BACKEND_OK);
    ASSERT_EQ(host_func(stream.raw(), [](void* p) { ++*static_cast<int*>(p); }, &called), EAGLE_BACKEND_OK);
    Graph graph = as_it_is(recording.end());
    EXPECT_EQ(plane, Plane(100, 1));
    EXPECT_EQ(other, Plane(100, 7));
    EXPECT_EQ(called, 0);
    std::int64_t last = -1;
    ASSERT_EQ(graph_last_node(graph.get(), &last), EAGLE_BACKEND_OK);
    EXPECT_EQ(last, 3);

    Launcher launcher = launcher_of(graph, stream.raw());
    replay(launcher);
    EXPECT_EQ(other, Plane(100, 5));  // 2 * 1 + 3
    EXPECT_EQ(plane[0], 0);
    EXPECT_EQ(plane[1], 5);
    EXPECT_EQ(called, 1);
    replay(launcher);
    EXPECT_EQ(other[0], 3);   // 2 * 0 + 3
    EXPECT_EQ(other[1], 13);  // 2 * 5 + 3
    EXPECT_EQ(called, 2);
}

TEST(Captures, arguments_with_sizes_are_copied_and_others_read_at_the_replay) {
    Stream stream;
    Plane plane(4, 0);
    std::int64_t add = 1;
    std::int64_t* y = plane.data();
    Launch launch(&twice_and, 0, 4, stream.raw(), add, y);
    Recording copying(stream.raw());
    launch.run();
    Graph copied = as_it_is(copying.end());
    Recording keeping(stream.raw());
    launch.desc.param_sizes = nullptr;
    launch.run();
    Graph kept = as_it_is(keeping.end());
    add = 100;
    replay(launcher_of(copied, stream.raw()));
    EXPECT_EQ(plane, Plane(4, 1));
    replay(launcher_of(kept, stream.raw()));
    EXPECT_EQ(plane, Plane(4, 102));
}

TEST(Captures, a_second_on_the_thread_is_refused_and_the_first_goes_on) {
    Stream stream, other;
    Plane plane(1, 0);
    Recording first(stream.raw());
    launch_twice_and(stream.raw(), 1, plane);
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.stream = other.raw();
    eagle_backend_capturer second = nullptr;
    ASSERT_EQ(capturer_create(&desc, &second), EAGLE_BACKEND_OK);
    EXPECT_TRUE(says(capturer_begin(second), EAGLE_BACKEND_ERROR, "a capture is open on this thread already"));
    EXPECT_TRUE(says(capturer_begin(first.handle()), EAGLE_BACKEND_ERROR, "the capturer's capture is open already"));
    launch_twice_and(stream.raw(), 10, plane);
    Graph graph = as_it_is(first.end());
    replay(launcher_of(graph, stream.raw()));
    EXPECT_EQ(plane, Plane(1, 12));  // 2 * (0 + 1) + 10
    EXPECT_EQ(capturer_begin(second), EAGLE_BACKEND_OK) << last_error();
    capturer_release(second);  // while it is open: nothing is kept
    launch_twice_and(other.raw(), 0, plane);
    EXPECT_EQ(plane, Plane(1, 24));
}

TEST(Captures, other_threads_have_their_own) {
    Stream stream, other;
    Plane plane(1, 0), elsewhere(1, 0);
    Recording recording(stream.raw());
    std::thread([&] {
        Recording theirs(other.raw());
        launch_twice_and(other.raw(), 5, elsewhere);
        Captured none;
        EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR, "on another thread"));
        replay(launcher_of(as_it_is(theirs.end()), other.raw()));
    }).join();
    EXPECT_EQ(elsewhere, Plane(1, 5));
    launch_twice_and(stream.raw(), 4, plane);
    replay(launcher_of(as_it_is(recording.end()), stream.raw()));
    EXPECT_EQ(plane, Plane(1, 4));
}

TEST(Captures, a_stream_is_in_one_at_a_time) {
    Stream stream;
    Recording recording(stream.raw());
    std::thread([&] {
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.stream = stream.raw();
        eagle_backend_capturer theirs = nullptr;
        ASSERT_EQ(capturer_create(&desc, &theirs), EAGLE_BACKEND_OK);
        EXPECT_TRUE(says(capturer_begin(theirs), EAGLE_BACKEND_ERROR, "in another capture already"));
        capturer_release(theirs);
    }).join();
}

TEST(Captures, refuse_what_cannot_be_recorded) {
    Stream stream, other;
    std::uint64_t memory = 1;
    Recording recording(stream.raw());
    EXPECT_TRUE(says(stream_synchronize(stream.handle()), EAGLE_BACKEND_ERROR,
                     "synchronize of a stream in a capture is refused"));
    EXPECT_TRUE(says(sdk_device_alloc(0, 64, stream.raw(), &memory), EAGLE_BACKEND_ERROR,
                     "an allocation on a stream in a capture is refused"));
    EXPECT_TRUE(says(sdk_device_alloc(0, 64, other.raw(), &memory), EAGLE_BACKEND_ERROR,
                     "an allocation is refused while a capture is open on this thread"));
    for (auto [producer, consumer] : {std::pair{stream.raw(), other.raw()}, {other.raw(), stream.raw()}}) {
        EXPECT_TRUE(says(fence(1, 0, std::int64_t(producer), std::int64_t(consumer)), EAGLE_BACKEND_ERROR,
                         "a fence of a stream in a capture is refused"));
    }
    other.synchronize();
    std::thread([&] { EXPECT_EQ(sdk_device_alloc(0, 64, other.raw(), &memory), EAGLE_BACKEND_OK); }).join();
    EXPECT_EQ(sdk_device_free(0, memory, other.raw()), EAGLE_BACKEND_OK);
    recording.end();
    stream.synchronize();
}

TEST(Captures, frees_wait_for_their_end) {
    Stream stream, other;
    std::uint64_t memory = 0;
    ASSERT_EQ(sdk_device_alloc(0, 64, other.raw(), &memory), EAGLE_BACKEND_OK);
    Recording recording(stream.raw());
    ASSERT_EQ(sdk_device_free(0, memory, other.raw()), EAGLE_BACKEND_OK);
    *reinterpret_cast<int*>(memory) = 5;  // still there
    EXPECT_TRUE(says(sdk_device_free(0, memory, stream.raw()), EAGLE_BACKEND_INVALID_ARGUMENT, "free it once"));
    recording.end();
    EXPECT_TRUE(says(sdk_device_free(0, memory, other.raw()), EAGLE_BACKEND_INVALID_ARGUMENT, "freed before"));
}

TEST(Captures, an_end_needs_a_beginning_and_a_place) {
    Stream stream;
    Plane plane(1, 0);
    Recording recording(stream.raw());
    launch_twice_and(stream.raw(), 9, plane);
    EXPECT_TRUE(says(capturer_end(recording.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    Captured captured = recording.end(), none;
    EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR, "no capture is open"));
    replay(launcher_of(as_it_is(std::move(captured)), stream.raw()));
    EXPECT_EQ(plane, Plane(1, 9));
}

TEST(Captures, of_a_stream_that_goes_cannot_end_well) {
    auto desc = make<struct eagle_backend_stream_desc>();
    eagle_backend_stream stream = nullptr;
    std::uint64_t raw = 0;
    ASSERT_EQ(stream_create(&desc, &stream), EAGLE_BACKEND_OK);
    ASSERT_EQ(stream_ptr(stream, &raw), EAGLE_BACKEND_OK);
    Recording recording(raw);
    stream_release(stream);
    Captured none;
    EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR, "a stream was released"));
    EXPECT_TRUE(says(capturer_begin(recording.handle()), EAGLE_BACKEND_BAD_HANDLE, "was released"));
}

TEST(Captures, the_open_graph_has_a_handle) {
    Stream stream;
    Recording recording(stream.raw());
    std::uint64_t graph = 0;
    ASSERT_EQ(capturer_graph(recording.handle(), &graph), EAGLE_BACKEND_OK);
    EXPECT_NE(graph, 0u);
    recording.end();
    ASSERT_EQ(capturer_graph(recording.handle(), &graph), EAGLE_BACKEND_OK);
    EXPECT_EQ(graph, 0u);
    EXPECT_TRUE(says(capturer_graph(recording.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "graph is null"));
}

TEST(Captures, checks_of_the_description_come_in_their_order) {
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.flags = 4;
    desc.device = 9;
    eagle_backend_capturer out = nullptr;
    EXPECT_TRUE(says(capturer_create(nullptr, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    EXPECT_TRUE(says(capturer_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x4"));
    desc.flags = 0;
    EXPECT_TRUE(says(capturer_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 9"));
    desc.device = -1;
    EXPECT_TRUE(says(capturer_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(says(capturer_create(&desc, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "legacy default stream"));
    desc.stream = 12345;
    EXPECT_TRUE(says(capturer_create(&desc, &out), EAGLE_BACKEND_BAD_HANDLE, "stream"));
}

TEST(Captures, dead_and_foreign_handles_are_found_out) {
    Stream stream;
    EXPECT_TRUE(says(capturer_begin(nullptr), EAGLE_BACKEND_BAD_HANDLE, "the capturer is null"));
    auto foreign = reinterpret_cast<eagle_backend_capturer>(stream.handle());
    EXPECT_TRUE(says(capturer_begin(foreign), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    eagle_backend_captured dead = nullptr;
    std::int32_t valid = -1;
    {
        Recording recording(stream.raw());
        Captured captured = recording.end();
        dead = captured.get();
        ASSERT_EQ(captured_is_valid(dead, &valid), EAGLE_BACKEND_OK);
        EXPECT_EQ(valid, 1);
        EXPECT_TRUE(says(captured_is_valid(dead, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "valid is null"));
    }
    EXPECT_TRUE(says(captured_is_valid(dead, &valid), EAGLE_BACKEND_BAD_HANDLE, "was released or consumed"));
    EXPECT_TRUE(says(captured_is_valid(nullptr, &valid), EAGLE_BACKEND_BAD_HANDLE, "the captured is null"));
    captured_release(nullptr);
    EXPECT_STREQ(last_error(), "");
}

}  // namespace
