// Captures on a simulated device, replayed in every order that their edges allow.
#include <set>

#include "Device.h"

using namespace device;

namespace {

class Recorded {
  public:
    template <class Record>
    Recorded(const On& stream, Record&& record) {
        auto desc = client::make<struct eagle_backend_capturer_desc>();
        desc.stream = stream.raw;
        desc.device = -1;
        EXPECT_EQ(client::capturer_create(&desc, &capturer_), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_EQ(client::capturer_begin(capturer_), EAGLE_BACKEND_OK) << client::last_error();
        record();
        eagle_backend_captured captured = nullptr;
        EXPECT_EQ(client::capturer_end(capturer_, &captured), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_EQ(client::graph_from_captured(captured, &graph_), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_EQ(client::graph_stream(graph_, stream.raw), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_EQ(client::graph_launcher(graph_, &launcher_), EAGLE_BACKEND_OK) << client::last_error();
    }
    ~Recorded() {
        client::launcher_release(launcher_);
        client::graph_release(graph_);
        client::capturer_release(capturer_);
    }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
    void launch() { EXPECT_EQ(client::launcher_launch(launcher_), EAGLE_BACKEND_OK) << client::last_error(); }
    void synchronize() { EXPECT_EQ(client::launcher_synchronize(launcher_), EAGLE_BACKEND_OK) << client::last_error(); }
    eagle_backend_graph graph() const { return graph_; }

  private:
    eagle_backend_capturer capturer_ = nullptr;
    eagle_backend_graph graph_ = nullptr;
    eagle_backend_launcher launcher_ = nullptr;
};

struct Forked {
    explicit Forked(const On& stream) {
        auto desc = client::make<struct eagle_backend_fork_desc>();
        desc.origin = stream.raw;
        desc.device = -1;
        desc.branch_count = 2;
        desc.waits = 1;
        EXPECT_EQ(client::fork_create(&desc, &handle), EAGLE_BACKEND_OK) << client::last_error();
        for (std::uint64_t i = 0; i < 2; ++i)
            EXPECT_EQ(client::fork_branch(handle, i, &branch[i]), EAGLE_BACKEND_OK) << client::last_error();
    }
    ~Forked() { client::fork_release(handle); }
    Forked(const Forked&) = delete;
    Forked& operator=(const Forked&) = delete;
    eagle_backend_fork handle = nullptr;
    std::uint64_t branch[2] = {};
};

// Two branches, of which one writes what the other reads, with the edge between them or without.
std::set<std::int64_t> results(bool with_edge, std::int32_t device) {
    On stream(device);
    Forked fork(stream);
    Numbers start(device, {5}), cell(device, {0}), result(device, {0});
    Recorded recorded(stream, [&] {
        put_add(stream.raw, cell.data(), start.data(), 0, 1);
        EXPECT_EQ(client::fork_fork(fork.handle), EAGLE_BACKEND_OK);
        put_add(fork.branch[0], cell.data(), start.data(), 100, 1);
        std::uint64_t mark = 0;
        EXPECT_EQ(client::fork_mark(fork.handle, 0, &mark), EAGLE_BACKEND_OK) << client::last_error();
        if (with_edge) {
            EXPECT_EQ(client::fork_wait(fork.handle, 1, mark), EAGLE_BACKEND_OK);
        }
        put_add(fork.branch[1], result.data(), cell.data(), 1000, 1);
        EXPECT_EQ(client::fork_join(fork.handle), EAGLE_BACKEND_OK);
        put_add(stream.raw, result.data(), result.data(), 10000, 1);
    });
    std::set<std::int64_t> found;
    for (int i = 0; i < 64; ++i) {
        recorded.launch();
        recorded.synchronize();
        found.insert(result.get()[0]);
    }
    return found;
}

TEST(SimGraphs, an_edge_that_is_missing_shows) { EXPECT_EQ(results(false, 0), (std::set<std::int64_t>{11005, 11105})); }

TEST(SimGraphs, edges_hold_in_every_order) {
    EXPECT_EQ(results(true, 0), std::set<std::int64_t>{11105});
    EXPECT_EQ(results(true, 1), std::set<std::int64_t>{11105});
}

TEST(SimGraphs, several_replays_follow_each_other_and_host_functions_run_outside_the_device) {
    On stream(0);
    Numbers cell(0, {0});
    int calls = 0;
    Recorded recorded(stream, [&] {
        put_add(stream.raw, cell.data(), cell.data(), 1, 1);
        client::host_func(stream.raw, [](void* count) { ++*static_cast<int*>(count); }, &calls);
    });
    for (int i = 0; i < 20; ++i) recorded.launch();
    recorded.synchronize();
    EXPECT_EQ(cell.get()[0], 20);
    EXPECT_EQ(calls, 20);
}

TEST(SimGraphs, a_loop_runs_on_the_device) {
    On stream(0);
    Numbers guard(0, {1}), counter(0, {0}), cell(0, {0});
    auto desc = client::make<struct eagle_backend_conditional_desc>();
    desc.device = -1;
    desc.origin = stream.raw;
    desc.count_ptr = guard.address;
    desc.counter_ptr = counter.address;
    desc.loop_cap = 7;
    eagle_backend_conditional loop = nullptr;
    ASSERT_EQ(client::conditional_create(&desc, &loop), EAGLE_BACKEND_OK) << client::last_error();
    Recorded recorded(stream, [&] {
        std::uint64_t body = 0;
        EXPECT_EQ(client::conditional_begin(loop, &body), EAGLE_BACKEND_OK);
        put_add(body, cell.data(), cell.data(), 1, 1);
        EXPECT_EQ(client::conditional_end(loop), EAGLE_BACKEND_OK) << client::last_error();
    });
    recorded.launch();
    recorded.synchronize();
    EXPECT_EQ(cell.get()[0], 7);
    EXPECT_EQ(counter.get()[0], std::int64_t{7} << 32u);  // {remaining 0, ran 7}
    client::conditional_release(loop);
}

TEST(SimGraphs, a_graph_keeps_to_its_device) {
    On here(0), there(1);
    Numbers cell(0, {0});
    Recorded recorded(here, [&] { put_add(here.raw, cell.data(), cell.data(), 1, 1); });
    EXPECT_TRUE(client::says(client::graph_stream(recorded.graph(), there.raw), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "the stream belongs to device 1 and the call is for device 0"));
}

}  // namespace
