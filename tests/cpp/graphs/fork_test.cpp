// Forks: edges of branches, marks and joins, and what is refused.
#include <cstdlib>
#include <memory>
#include <set>

#include "Forking.h"

using namespace client;

namespace {

// The results that orders drawn from twenty seeds give.
std::set<std::int64_t> results(const Stream& stream, const Graph& graph, Plane& plane) {
    std::set<std::int64_t> found;
    for (int seed = 0; seed < 20; ++seed) {
        setenv("EAGLE_CPU_SCHEDULE", ("random:" + std::to_string(seed)).c_str(), 1);
        Launcher launcher = launcher_of(graph, stream.raw());
        unsetenv("EAGLE_CPU_SCHEDULE");
        plane.assign(1, 0);
        replay(launcher);
        found.insert(plane[0]);
    }
    return found;
}

TEST(Forks, branches_follow_the_origin_and_the_origin_follows_them) {
    Stream stream;
    Plane plane(1, 0), other(1, 0);
    Fork fork(stream.raw(), 2);
    Recording recording(stream.raw());
    launch_twice_and(stream.raw(), 1, plane);
    fork.fork();
    launch_twice_and(fork.branch(0), 2, plane);
    launch_twice_and(fork.branch(1), 3, other);
    fork.join();
    launch_twice_and(stream.raw(), 4, plane);
    EXPECT_EQ(nodes_so_far(stream.raw()).size(), 4u);
    EXPECT_EQ(results(stream, as_it_is(recording.end()), plane), std::set<std::int64_t>{2 * (2 * 1 + 2) + 4});
}

// The same program with and without its edge: a schedule that runs any order must tell them apart.
TEST(Forks, an_edge_that_is_missing_shows) {
    Stream stream;
    Plane plane(1, 0);
    for (bool waits : {false, true}) {
        Fork fork(stream.raw(), 2, 1);
        Recording recording(stream.raw());
        fork.fork();
        launch_twice_and(fork.branch(0), 5, plane);
        std::uint64_t mark = fork.mark(0);
        if (waits) fork.wait(1, mark);
        launch_twice_and(fork.branch(1), 7, plane);
        std::size_t nodes = nodes_so_far(stream.raw()).size();
        fork.join();
        EXPECT_EQ(nodes, 2u);  // an edge is no node
        auto found = results(stream, as_it_is(recording.end()), plane);
        EXPECT_EQ(found, waits ? std::set<std::int64_t>{17} : (std::set<std::int64_t>{17, 19}));
    }
}

TEST(Forks, a_mark_is_the_tip_at_its_time) {
    Stream stream;
    Plane plane(1, 0), other(1, 0);
    Fork fork(stream.raw(), 2, 1);
    Recording recording(stream.raw());
    fork.fork();
    launch_twice_and(fork.branch(0), 1, plane);
    std::uint64_t mark = fork.mark(0);
    launch_twice_and(fork.branch(0), 9, other);
    fork.wait(1, mark);
    launch_twice_and(fork.branch(1), 3, plane);
    fork.join();
    EXPECT_EQ(results(stream, as_it_is(recording.end()), plane), std::set<std::int64_t>{5});
}

TEST(Forks, are_used_again_and_nest) {
    Stream stream;
    Plane plane(1, 0), other(1, 0);
    Fork outer(stream.raw(), 2);
    Fork inner(outer.branch(1), 3);
    Recording recording(stream.raw());
    for (int round = 0; round < 2; ++round) {
        outer.fork();
        launch_twice_and(outer.branch(0), 9, other);
        launch_twice_and(outer.branch(1), 1, plane);
        inner.fork();
        launch_twice_and(inner.branch(2), 2, plane);
        inner.join();
        launch_twice_and(outer.branch(1), 3, plane);
        outer.join();
        launch_twice_and(stream.raw(), 4, plane);
    }
    std::int64_t wanted = 0;
    for (std::int64_t add : {1, 2, 3, 4, 1, 2, 3, 4}) wanted = 2 * wanted + add;
    EXPECT_EQ(results(stream, as_it_is(recording.end()), plane), std::set{wanted});
}

TEST(Forks, a_branch_that_is_not_joined_fails_the_end_by_name) {
    Stream stream;
    Plane plane(1, 0);
    Fork fork(stream.raw(), 3);
    auto end_says = [](const Recording& recording, const char* words) {
        Captured none;
        return says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR, words);
    };
    {
        Recording recording(stream.raw());
        fork.fork();
        launch_twice_and(fork.branch(1), 1, plane);
        EXPECT_TRUE(end_says(recording, "branch 1 of a fork of 3 was not joined"));
    }
    {
        Recording recording(stream.raw());
        fork.fork();
        EXPECT_TRUE(end_says(recording, "branch 0 of a fork of 3 was not joined"));
    }
    {
        Recording recording(stream.raw());
        fork.fork();
        fork.join();
        launch_twice_and(fork.branch(2), 1, plane);
        EXPECT_TRUE(says(fork_fork(fork.handle()), EAGLE_BACKEND_ERROR, "branch 2 of a fork of 3 has work behind"));
        EXPECT_TRUE(end_says(recording, "branch 2 of a fork of 3 has work behind its join"));
    }
    std::int32_t forked = -1;
    ASSERT_EQ(fork_forked(fork.handle(), &forked), EAGLE_BACKEND_OK);
    EXPECT_EQ(forked, 0);
    EXPECT_EQ(plane, Plane(1, 0));
    launch_twice_and(fork.branch(1), 8, plane);  // a stream like any other
    EXPECT_EQ(plane, Plane(1, 8));
}

TEST(Forks, one_released_while_it_is_open_fails_the_end) {
    Stream stream;
    Plane plane(1, 0);
    auto fork = std::make_unique<Fork>(stream.raw(), 2), joined = std::make_unique<Fork>(stream.raw(), 2);
    Recording recording(stream.raw());
    joined->fork();
    launch_twice_and(joined->branch(0), 1, plane);
    joined->join();
    joined.reset();  // its edges stay
    fork->fork();
    launch_twice_and(fork->branch(1), 1, plane);
    fork.reset();
    Captured none;
    EXPECT_TRUE(says(capturer_end(recording.handle(), none.out()), EAGLE_BACKEND_ERROR,
                     "branch 1 of a fork of 2 was not joined"));
}

TEST(Forks, calls_come_in_their_order) {
    Stream stream;
    Fork fork(stream.raw(), 2, 1);
    std::uint64_t number = 7;
    std::int32_t forked = -1;
    EXPECT_TRUE(says(fork_fork(fork.handle()), EAGLE_BACKEND_ERROR, "the fork's origin is in no capture"));
    EXPECT_TRUE(says(fork_join(fork.handle()), EAGLE_BACKEND_ERROR, "the fork is not open"));
    EXPECT_TRUE(says(fork_mark(fork.handle(), 0, &number), EAGLE_BACKEND_ERROR, "the fork is not open"));
    EXPECT_TRUE(says(fork_wait(fork.handle(), 0, 0), EAGLE_BACKEND_ERROR, "the fork is not open"));
    Recording recording(stream.raw());
    fork.fork();
    ASSERT_EQ(fork_forked(fork.handle(), &forked), EAGLE_BACKEND_OK);
    EXPECT_EQ(forked, 1);
    EXPECT_TRUE(says(fork_fork(fork.handle()), EAGLE_BACKEND_ERROR, "the fork is open already"));
    EXPECT_TRUE(says(fork_mark(fork.handle(), 2, &number), EAGLE_BACKEND_INDEX, "branch 2 of a fork of 2"));
    EXPECT_TRUE(says(fork_wait(fork.handle(), 0, 0), EAGLE_BACKEND_INDEX, "mark 0 of 0"));
    EXPECT_EQ(fork.mark(0), 0u);
    EXPECT_TRUE(says(fork_mark(fork.handle(), 0, &number), EAGLE_BACKEND_INDEX, "made with 1 waits"));
    EXPECT_TRUE(says(fork_wait(fork.handle(), 5, 0), EAGLE_BACKEND_INDEX, "branch 5 of a fork of 2"));
    fork.join();
    ASSERT_EQ(fork_forked(fork.handle(), &forked), EAGLE_BACKEND_OK);
    EXPECT_EQ(forked, 0);
    recording.end();
    // Marks are of a graph: a later capture has none.
    Recording later(stream.raw());
    fork.fork();
    EXPECT_TRUE(says(fork_wait(fork.handle(), 1, 0), EAGLE_BACKEND_INDEX, "mark 0 of 0"));
    EXPECT_EQ(fork.mark(1), 0u);
    fork.join();
    later.end();
}

TEST(Forks, answer_what_they_are) {
    Stream stream;
    Fork fork(stream.raw(), 3);
    std::uint64_t number = 0;
    ASSERT_EQ(fork_size(fork.handle(), &number), EAGLE_BACKEND_OK);
    EXPECT_EQ(number, 3u);
    ASSERT_EQ(fork_origin(fork.handle(), &number), EAGLE_BACKEND_OK);
    EXPECT_EQ(number, stream.raw());
    std::set<std::uint64_t> streams{stream.raw(), fork.branch(0), fork.branch(1), fork.branch(2)};
    EXPECT_EQ(streams.size(), 4u);
    EXPECT_TRUE(says(fork_branch(fork.handle(), 3, &number), EAGLE_BACKEND_INDEX, "branch 3 of a fork of 3"));
    EXPECT_TRUE(says(fork_branch(fork.handle(), 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "stream is null"));
    EXPECT_TRUE(says(fork_origin(fork.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "stream is null"));
    EXPECT_TRUE(says(fork_forked(fork.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "forked is null"));
    EXPECT_TRUE(says(fork_size(fork.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "n is null"));
    EXPECT_TRUE(says(fork_mark(fork.handle(), 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "mark is null"));
    EXPECT_TRUE(says(fork_size(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE, "the fork is null"));
}

TEST(Forks, are_made_before_a_capture_and_of_a_stream) {
    Stream stream;
    auto desc = make<struct eagle_backend_fork_desc>();
    eagle_backend_fork out = nullptr;
    desc.flags = 2;
    EXPECT_TRUE(says(fork_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x2"));
    desc.flags = 0;
    EXPECT_TRUE(says(fork_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(says(fork_create(&desc, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "branch_count is 0"));
    desc.branch_count = 2;
    EXPECT_TRUE(says(fork_create(&desc, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "origin is 0"));
    desc.origin = 99;
    EXPECT_TRUE(says(fork_create(&desc, &out), EAGLE_BACKEND_BAD_HANDLE, "stream"));
    desc.origin = stream.raw();
    Recording recording(stream.raw());
    EXPECT_TRUE(says(fork_create(&desc, &out), EAGLE_BACKEND_ERROR, "before eagle_backend_capturer_begin"));
}

TEST(Forks, a_description_without_waits_is_read_as_far_as_it_goes) {
    Stream stream;
    struct eagle_backend_fork_desc desc{};
    desc.struct_size = 32;
    desc.origin = stream.raw();
    desc.branch_count = 1;
    desc.waits = 5;
    eagle_backend_fork fork = nullptr;
    ASSERT_EQ(fork_create(&desc, &fork), EAGLE_BACKEND_OK) << last_error();
    Recording recording(stream.raw());
    ASSERT_EQ(fork_fork(fork), EAGLE_BACKEND_OK);
    std::uint64_t mark = 0;
    EXPECT_TRUE(says(fork_mark(fork, 0, &mark), EAGLE_BACKEND_INDEX, "made with 0 waits"));
    fork_release(fork);
}

}  // namespace
