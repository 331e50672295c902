// Conditional nodes: what is refused, and what a refusal leaves as it was.
#include <functional>
#include <memory>

#include "Conditionals.h"

using namespace client;

namespace {

TEST(Conditionals, an_empty_body_is_refused_and_stays_open) {
    Stream stream;
    Plane plane(1, 0);
    Cell count = 1;
    Conditional both(desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE, count));
    Recording recording(stream.raw());
    both.begin();
    EXPECT_TRUE(
        says(conditional_end(both.handle()), EAGLE_BACKEND_INVALID_ARGUMENT, "the body of arm 0 of 2 is empty"));
    launch_twice_and(both.arm(0), 1, plane);
    EXPECT_TRUE(
        says(conditional_end(both.handle()), EAGLE_BACKEND_INVALID_ARGUMENT, "the body of arm 1 of 2 is empty"));
    launch_twice_and(both.arm(1), 2, plane);
    both.end();
    EXPECT_TRUE(says(conditional_end(both.handle()), EAGLE_BACKEND_ERROR, "the body is not open"));
    replay(launcher_of(as_it_is(recording.end()), stream.raw()));
    EXPECT_EQ(plane[0], 1);
}

TEST(Conditionals, a_body_holds_no_host_function) {
    Stream stream;
    Plane plane(1, 0);
    Cell count = 1;
    std::uint64_t child = 0, memory = 0;
    Conditional one(desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count));
    Fork fork(one.arm(0), 1);
    Recording inner(stream.raw());
    ASSERT_EQ(host_func(stream.raw(), [](void*) {}, nullptr), EAGLE_BACKEND_OK);
    ASSERT_EQ(capturer_graph(inner.handle(), &child), EAGLE_BACKEND_OK);
    Captured held = inner.end();
    Recording recording(stream.raw());
    std::uint64_t body = one.begin();
    auto refused = [](eagle_backend_status status) { return says(status, EAGLE_BACKEND_UNSUPPORTED, "host function"); };
    EXPECT_TRUE(refused(host_func(body, [](void*) {}, nullptr)));
    EXPECT_TRUE(refused(capture_add_child(body, child, 1)));
    EXPECT_TRUE(refused(capture_add_child(body, child, 0)));
    EXPECT_TRUE(says(sdk_device_alloc(0, 8, body, &memory), EAGLE_BACKEND_ERROR, "an allocation on a stream"));
    fork.fork();
    EXPECT_TRUE(refused(host_func(fork.branch(0), [](void*) {}, nullptr)));
    EXPECT_TRUE(nodes_so_far(body).empty());
    launch_twice_and(body, 1, plane);
    EXPECT_TRUE(says(conditional_end(one.handle()), EAGLE_BACKEND_ERROR, "branch 0 of a fork of 1 was not joined"));
    fork.join();
    one.end();
    recording.end();
}

TEST(Conditionals, bodies_are_closed_from_the_inside_out) {
    Stream stream;
    Plane plane(1, 0);
    Cell count = 1;
    Conditional outer(desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count));
    Conditional inner(desc_of(outer.arm(0), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count));
    std::uint64_t body = 0;
    EXPECT_TRUE(says(conditional_begin(outer.handle(), &body), EAGLE_BACKEND_ERROR, "origin is in no capture"));
    {
        Recording recording(stream.raw());
        outer.begin();
        EXPECT_TRUE(says(conditional_begin(outer.handle(), &body), EAGLE_BACKEND_ERROR, "the body is open already"));
        launch_twice_and(inner.begin(), 1, plane);
        EXPECT_TRUE(
            says(conditional_end(outer.handle()), EAGLE_BACKEND_ERROR, "a conditional inside the body is open"));
        inner.end();
        Captured none;
        EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR,
                         "the body of a conditional is open"));
    }
    Recording recording(stream.raw());
    outer.begin();
    launch_twice_and(inner.begin(), 1, plane);
    inner.end();
    outer.end();
    replay(launcher_of(as_it_is(recording.end()), stream.raw()));
    EXPECT_EQ(plane[0], 1);
}

TEST(Conditionals, one_released_while_it_is_open_fails_the_end) {
    Stream stream;
    Cell count = 1;
    auto one = std::make_unique<Conditional>(desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count));
    Recording recording(stream.raw());
    one->begin();
    one.reset();
    Captured none;
    EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR,
                     "a conditional was released while its body was open"));
}

TEST(Conditionals, a_graph_with_one_has_one_launcher) {
    Stream stream;
    Plane plane(1, 0);
    Cell count = 1;
    Conditional one(desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count));
    Recording recording(stream.raw());
    launch_twice_and(one.begin(), 1, plane);
    one.end();
    Graph graph = new_graph();
    add(graph, recording.end());
    Launcher first = launcher_of(graph, stream.raw()), second;
    EXPECT_TRUE(says(graph_launcher(graph.get(), second.out()), EAGLE_BACKEND_ERROR, "one launcher is made"));
    std::int64_t kernels = -1;
    ASSERT_EQ(launcher_kernel_node_count(first.get(), &kernels), EAGLE_BACKEND_OK);
    EXPECT_EQ(kernels, 0);  // bodies keep their sizes
    replay(first);
    EXPECT_EQ(plane[0], 1);
}

TEST(Conditionals, answer_what_they_are) {
    Stream stream;
    Cells cells;
    auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells.count);
    Conditional branch(desc);
    desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_WHILE;
    desc.counter_ptr = at(cells.counter[0]);
    desc.loop_cap = 1;
    Conditional loop(desc);
    std::int32_t is_loop = -1;
    std::uint64_t arm = 0;
    ASSERT_EQ(conditional_is_loop(branch.handle(), &is_loop), EAGLE_BACKEND_OK);
    EXPECT_EQ(is_loop, 0);
    ASSERT_EQ(conditional_is_loop(loop.handle(), &is_loop), EAGLE_BACKEND_OK);
    EXPECT_EQ(is_loop, 1);
    EXPECT_TRUE(
        says(conditional_arm_stream(loop.handle(), 1, &arm), EAGLE_BACKEND_INDEX, "arm 1 of a conditional of 1"));
    EXPECT_TRUE(says(conditional_arm_stream(loop.handle(), 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "stream is"));
    EXPECT_TRUE(says(conditional_begin(loop.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "body_stream is null"));
    EXPECT_TRUE(says(conditional_is_loop(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE, "the conditional is null"));
}

TEST(Conditionals, descriptions_are_checked) {
    Stream stream;
    Cells cells;
    eagle_backend_conditional out = nullptr;
    const auto good = [&] {
        auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells.count);
        desc.counter_ptr = at(cells.counter[0]);
        desc.loop_cap = 1;
        return desc;
    }();
    auto refused = [&](eagle_backend_status status, const char* words,
                       const std::function<void(struct eagle_backend_conditional_desc&)>& spoil) {
        auto desc = good;
        spoil(desc);
        EXPECT_TRUE(says(conditional_create(&desc, &out), status, words));
    };
    constexpr auto invalid = EAGLE_BACKEND_INVALID_ARGUMENT;
    refused(EAGLE_BACKEND_UNSUPPORTED, "0x8", [](auto& d) { d.flags = 8; });
    refused(EAGLE_BACKEND_UNSUPPORTED, "kind is 5", [](auto& d) { d.kind = 5; });
    refused(invalid, "reserved is 1", [](auto& d) { d.reserved = 1; });
    refused(invalid, "negate is 2", [](auto& d) { d.negate = 2; });
    refused(invalid, "loop_cap is 0", [](auto& d) { d.loop_cap = 0; });
    refused(invalid, "count_ptr is null", [](auto& d) { d.count_ptr = 0; });
    refused(invalid, "counter_ptr is null", [](auto& d) { d.counter_ptr = 0; });
    refused(invalid, "count_ptr is not aligned", [](auto& d) { ++d.count_ptr; });
    refused(invalid, "origin is 0", [](auto& d) { d.origin = 0; });
    refused(EAGLE_BACKEND_BAD_HANDLE, "stream", [](auto& d) { d.origin = 5; });
    refused(invalid, "brk_ptr is of a while", [](auto& d) { d.kind = 1, d.brk_ptr = d.count_ptr; });
    refused(invalid, "limit_ptr is of a while", [](auto& d) { d.kind = 2, d.limit_ptr = d.count_ptr; });
    refused(invalid, "arms is 0", [](auto& d) { d.kind = 4; });
    refused(invalid, "a switch has no guard to invert", [](auto& d) { d.kind = 4, d.arms = 2, d.negate = 1; });
    EXPECT_TRUE(says(conditional_create(&good, nullptr), invalid, "out is null"));
    Recording recording(stream.raw());
    refused(EAGLE_BACKEND_ERROR, "making a conditional is refused while a capture is open", [](auto&) {});
}

TEST(Conditionals, a_short_description_is_read_as_far_as_it_goes) {
    Stream stream;
    Plane plane(1, 0);
    Cells cells;
    auto desc = desc_of(stream.raw(), 99, cells.count);
    desc.struct_size = 48;
    desc.counter_ptr = at(cells.counter[0]);
    desc.loop_cap = 4;
    Conditional loop(desc);
    Recording recording(stream.raw());
    launch_twice_and(loop.begin(), 1, plane);
    loop.end();
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    cells.count = 1;
    replay(launcher);
    EXPECT_EQ(plane[0], 15);
}

}  // namespace
