// What is refused once all is recorded, in its words: bodies, loops, scratch, devices.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include "Handmade.h"
#include "Kernels.h"

using namespace eagle;
using namespace eagle::graph;
using handmade::refusal;

namespace {

class Complete : public testing::Test {
  protected:
    PlaneRef on(const char* name, std::int32_t type, std::int32_t id, std::uint32_t line, std::uint64_t address) {
        ArrayView view;
        view.data = reinterpret_cast<void*>(address);
        view.ndim = 1;
        view.shape[0] = 8;
        view.strides[0] = 8;
        view.device_type = type;
        view.device_id = id;
        return g.plane(name, view, {"heat.py", line});
    }
    template <class E>
    std::string text() {
        return refusal<E>([&] { analyze(g); });
    }
    std::vector<double> a = std::vector<double>(8), b = std::vector<double>(8);
    std::uint32_t word = 0;
    GraphDescription g{"heat", {"heat.py", 1}};
    PlaneRef x = g.plane("x", handmade::view(a), {"heat.py", 2});
    CellRef cell = g.cell("cell", reinterpret_cast<std::uint64_t>(&word), {1, 0}, {"heat.py", 3});
};

TEST_F(Complete, an_empty_graph) {
    EXPECT_EQ(text<InvalidArgument>(), "heat.py:1: graph 'heat' has no node; it needs 1 or more");
}

TEST_F(Complete, a_scope_that_is_open) {
    auto loop = g.repeat(2, "turn", {"heat.py", 4});
    g.fill(x, 1);
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:4: the body of node 'turn' (heat.py:4) is still open; end its scope before the graph is used");
}

TEST_F(Complete, an_empty_body) {
    {
        auto loop = g.repeat(2, "turn", {"heat.py", 4});
    }
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:4: the body of node 'turn' (heat.py:4) is empty; it needs 1 node or more: record its work, or "
              "leave it out");
}

TEST_F(Complete, an_if_without_a_then) {
    g.if_(cell, {.name = "check"}, {"heat.py", 4});
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:4: node 'check' is an if without a then; record what runs then in its then() (in Python `with "
              "branch.then:`), negated if need be");
}

TEST_F(Complete, an_arm_that_is_missing) {
    auto node = g.switch_(cell, 2, "which", {"heat.py", 4});
    {
        auto arm = node.arm(0);
        g.fill(x, 1);
    }
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:4: arm 1 of node 'which' (heat.py:4) was not recorded; each of its 2 arms needs a body");
}

TEST_F(Complete, forks_without_work) {
    g.fill(x, 1);
    auto fork = g.fork("sides", {"heat.py", 4});
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:4: fork 'sides' has no branch; open one with branch(), or leave it out");
    {
        auto branch = fork.branch("left", {"heat.py", 5});
    }
    EXPECT_EQ(text<InvalidArgument>(),
              "heat.py:5: branch 'left' of fork 'sides' (heat.py:4) is empty; it needs 1 node or more: leave it out");
}

TEST_F(Complete, a_loop_that_nothing_ends) {
    {
        auto loop = g.while_(cell, {.name = "ever"}, {"heat.py", 4});
        g.fill(x, 1);
    }
    EXPECT_EQ(
        text<InvalidArgument>(),
        "heat.py:4: nothing can end node 'ever': it has no cap and no limit, and its body writes neither its guard "
        "nor a stop cell; give it a cap, or write such a cell in the body");
}

TEST_F(Complete, a_loop_without_a_guard_that_nothing_ends) {
    const auto stop = g.cell("stop");
    {
        auto loop = g.repeat({.stop = stop, .name = "ever"}, {"heat.py", 4});
        g.fill(x, 1);
    }
    EXPECT_EQ(
        text<InvalidArgument>(),
        "heat.py:4: nothing can end node 'ever': it has no cap and no limit, and its body writes no stop cell; give "
        "it a cap, or write such a cell in the body");
}

TEST_F(Complete, loops_that_a_cell_ends_are_fine) {
    const auto stop = g.cell("stop");
    // The guard by another plane over its bytes, deep inside; a stop cell; a limit.
    const auto alias = g.cell("alias", reinterpret_cast<std::uint64_t>(&word), {1, 0});
    {
        auto loop = g.while_(cell);
        auto inner = g.repeat(2);
        g.fill(alias, 0);
    }
    {
        auto loop = g.while_(cell, {.stop = stop});
        g.fill(stop, 1);
    }
    {
        auto loop = g.while_(cell, {.limit = alias});
        g.fill(x, 1);
    }
    EXPECT_NO_THROW(analyze(g));
}

TEST_F(Complete, scratch_that_nothing_wrote) {
    const auto s = g.scratch("s", {8}, Dtype::float64, {"heat.py", 4});
    g.copy(x, s, "load", {"heat.py", 5});
    EXPECT_EQ(
        text<InvalidArgument>(),
        "heat.py:5: node 'load' reads plane 's' (float64[8], scratch, heat.py:4) before any node wrote it; scratch "
        "is undefined at the start of every replay: fill it first");
}

TEST_F(Complete, scratch_that_only_the_other_arm_wrote) {
    const auto s = g.scratch("s", {8}, Dtype::float64, {"heat.py", 4});
    auto branch = g.if_(cell);
    {
        auto then = branch.then();
        g.fill(s, 1);
    }
    {
        auto otherwise = branch.otherwise();
        g.copy(x, s, "load", {"heat.py", 5});
    }
    EXPECT_NE(text<InvalidArgument>().find("node 'load' reads plane 's'"), std::string::npos);
}

TEST_F(Complete, two_devices) {
    const auto p = on("p", 2, 0, 4, 4096), q = on("q", 2, 1, 5, 8192);
    graphtest::add(g, p, 1, "one");
    graphtest::add(g, q, 1, "two");
    const std::string found = text<BufferRefused>();
    EXPECT_NE(found.find("node 'two' touches plane 'q' (float64[8], cuda:1, heat.py:5), and node 'one' ("),
              std::string::npos)
        << found;
    EXPECT_NE(found.find(") touches plane 'p' (float64[8], cuda:0, heat.py:4); a graph runs on one device: move one of "
                         "the two planes, or make a graph for each device"),
              std::string::npos)
        << found;
}

TEST_F(Complete, host_memory_in_device_work) {
    const auto p = on("p", 2, 0, 4, 4096);
    g.copy(p, x);
    graphtest::mix(g, p, x, x, 1, "mix");
    const std::string found = text<BufferRefused>();
    EXPECT_NE(
        found.find("node 'mix' (function) was given plane 'x' (float64[8], host memory, heat.py:2), and the graph "
                   "runs where plane 'p' (float64[8], cuda:0, heat.py:4) lives; only copies and host functions "
                   "take host memory there: copy it to the device first, with copy()"),
        std::string::npos)
        << found;
}

TEST_F(Complete, a_cell_of_host_memory_on_a_device) {
    const auto p = on("p", 2, 0, 4, 4096);
    auto branch = g.if_(cell, {.name = "check"});
    auto then = branch.then();
    g.fill(p, 1);
    then.end();
    EXPECT_NE(text<BufferRefused>().find("node 'check' (if) was given cell 'cell' (uint32[1], host memory, heat.py:3)"),
              std::string::npos);
}

TEST_F(Complete, device_memory_in_a_host_function) {
    const auto p = on("p", 2, 0, 4, 4096);
    g.fill(p, 1);
    g.host([] {}, {p}, {}, "print");
    EXPECT_NE(
        text<BufferRefused>().find("node 'print' (host) was given plane 'p' (float64[8], cuda:0, heat.py:4), which "
                                   "lives on cuda:0; a host function reads and writes host memory: copy it there "
                                   "first, with copy()"),
        std::string::npos);
}

TEST_F(Complete, scratch_of_a_device_in_a_host_function) {
    const auto p = on("p", 2, 0, 4, 4096);
    const auto s = g.scratch("s", {8}, Dtype::float64, {"heat.py", 5});
    g.copy(s, p);
    g.host([] {}, {s}, {}, "print");
    EXPECT_NE(
        text<BufferRefused>().find("plane 's' (float64[8], scratch, heat.py:5), which lives on cuda:0, as plane 'p' "
                                   "(float64[8], cuda:0, heat.py:4) does"),
        std::string::npos)
        << text<BufferRefused>();
}

TEST_F(Complete, one_device_with_copies_page_locked_and_managed_memory) {
    const auto p = on("p", 2, 0, 4, 4096), pinned = on("pinned", 3, 0, 5, 8192), both = on("both", 13, 0, 6, 12288);
    g.copy(p, x);
    g.copy(pinned, p);
    graphtest::mix(g, both, p, p, 1);
    g.host([] {}, {pinned, both}, {});
    EXPECT_EQ(analyze(g).device, (Device{2, 0}));
}

TEST_F(Complete, a_child_of_the_host_in_a_graph_of_a_device) {
    auto inner = std::make_shared<GraphDescription>("inner");
    graphtest::add(*inner, inner->plane("mine", handmade::view(b), {"heat.py", 7}), 1, "add");
    g.child(inner);
    EXPECT_EQ(analyze(g).device, (Device{1, 0}));
    g.fill(on("p", 2, 0, 4, 4096), 1);
    EXPECT_NE(text<BufferRefused>().find("node 'add' (function) was given plane 'mine' (float64[8], host memory, "
                                         "heat.py:7), and the graph runs where plane 'p'"),
              std::string::npos)
        << text<BufferRefused>();
}

TEST_F(Complete, only_scratch_runs_anywhere) {
    const auto s = g.scratch("s", {8}, Dtype::float64);
    g.fill(s, 1);
    EXPECT_EQ(analyze(g).device, std::nullopt);
}

TEST_F(Complete, the_arena_wants_a_size_for_every_plane) {
    g.fill(x, 1);
    const auto analysis = analyze(g);
    const std::vector<std::uint64_t> sizes(1, 8);
    EXPECT_EQ(
        refusal<InvalidArgument>([&] { plan_arena(g, analysis, sizes); }),
        "heat.py:1: the arena of graph 'heat' was given the bytes of 1 planes; it needs one number for each of its 2");
}

}  // namespace
