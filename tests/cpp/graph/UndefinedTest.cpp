// Scratch that would be read undefined: in part, or on one of the ways that control flow can take.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "Handmade.h"

using namespace eagle;
using namespace eagle::graph;
using handmade::refusal;

namespace {

class Undefined : public testing::Test {
  protected:
    PlaneRef part(const char* name, std::int64_t from, std::int64_t count, std::int64_t step = 1) {
        const std::int64_t stride = 8 * step;
        return g.view(name, s, 8 * from, {&count, 1}, {&stride, 1}, {"heat.py", 4});
    }
    void read() { g.copy(x, s, "load", {"heat.py", 9}); }
    std::string text() {
        return refusal<InvalidArgument>([&] { g.check_complete(); });
    }
    std::vector<double> a = std::vector<double>(8);
    std::uint32_t word = 0;
    GraphDescription g{"heat", {"heat.py", 1}};
    PlaneRef x = g.plane("x", handmade::view(a), {"heat.py", 2});
    PlaneRef s = g.scratch("s", {8}, Dtype::float64, {"heat.py", 3});
    CellRef cell = g.cell("cell", reinterpret_cast<std::uint64_t>(&word), {1, 0}, {"heat.py", 3});
    const std::string reads = "heat.py:9: node 'load' reads plane 's' (float64[8], scratch, heat.py:3)";
    const std::string undefined = "; scratch is undefined at the start of every replay: ";
};

TEST_F(Undefined, in_its_second_half) {
    g.fill(part("head", 0, 4), 1);
    read();
    EXPECT_EQ(text(), reads + " before any node wrote elements 4 to 7 of it" + undefined + "fill it first");
}

TEST_F(Undefined, in_one_element_between_two_parts) {
    g.fill(part("head", 0, 3), 1);
    g.fill(part("tail", 4, 4), 1);
    read();
    EXPECT_EQ(text(), reads + " before any node wrote element 3 of it" + undefined + "fill it first");
}

TEST_F(Undefined, of_a_view_says_whose_elements) {
    g.fill(part("head", 0, 4), 1);
    std::vector<double> three(3);
    g.copy(g.plane("three", handmade::view(three)), part("middle", 3, 3), "load", {"heat.py", 9});
    EXPECT_EQ(text(),
              "heat.py:9: node 'load' reads plane 'middle' (float64[3], scratch, heat.py:4) before any node wrote "
              "elements 4 to 5 of 's'" +
                  undefined + "fill it first");
}

TEST_F(Undefined, of_half_an_integer_names_the_integer) {
    const PlaneRef flag = g.scratch("flag", {1}, Dtype::int64, {"heat.py", 5});
    auto branch = g.if_(g.cell("cell of flag", flag, 0, {"heat.py", 6}), {}, {"heat.py", 9});
    auto then = branch.then();
    g.fill(x, 1);
    then.end();
    EXPECT_EQ(text(),
              "heat.py:9: node 'if' reads plane 'flag' (int64[1], scratch, heat.py:5) before any node wrote it" +
                  undefined + "fill it first");
}

TEST_F(Undefined, parts_that_make_up_the_whole_are_enough) {
    g.fill(part("tail", 3, 5), 1);
    g.fill(part("head", 0, 3), 1);
    read();
    EXPECT_NO_THROW(g.check_complete());
}

TEST_F(Undefined, where_a_then_alone_wrote) {
    auto branch = g.if_(cell, {.name = "hot"}, {"heat.py", 5});
    auto then = branch.then();
    g.fill(s, 1, "cool", {"heat.py", 6});
    then.end();
    read();
    EXPECT_EQ(text(), reads +
                          ", which node 'cool' (heat.py:6) writes only where the then of node 'hot' (heat.py:5) runs" +
                          undefined + "write it in every body, or fill it before");
}

TEST_F(Undefined, not_where_both_bodies_wrote_it_nor_inside_them) {
    auto branch = g.if_(cell);
    {
        auto then = branch.then();
        g.fill(s, 1);
        g.copy(x, s);
    }
    {
        auto otherwise = branch.otherwise();
        g.fill(part("head", 0, 4), 2);
        g.fill(part("tail", 4, 4), 2);
        g.copy(x, s);
    }
    read();
    EXPECT_NO_THROW(g.check_complete());
}

TEST_F(Undefined, where_two_bodies_have_no_element_in_common) {
    auto branch = g.if_(cell, {.name = "hot"}, {"heat.py", 5});
    {
        auto then = branch.then();
        g.fill(part("head", 0, 6), 1, "low", {"heat.py", 6});
    }
    {
        auto otherwise = branch.otherwise();
        g.fill(part("tail", 2, 6), 2, "high", {"heat.py", 7});
    }
    std::vector<double> four(4);
    g.copy(g.plane("four", handmade::view(four)), part("both", 2, 4));
    EXPECT_NO_THROW(g.check_complete());
    read();
    EXPECT_EQ(text(), reads +
                          ", which node 'low' (heat.py:6) writes only where the then of node 'hot' (heat.py:5) runs" +
                          undefined + "write it in every body, or fill it before");
}

TEST_F(Undefined, after_a_loop_that_may_run_no_iteration) {
    {
        auto loop = g.while_(cell, {.cap = 3, .name = "turn"}, {"heat.py", 5});
        g.fill(s, 1, "cool", {"heat.py", 6});
    }
    read();
    EXPECT_EQ(text(), reads +
                          ", which node 'cool' (heat.py:6) writes only where the body of node 'turn' (heat.py:5) runs" +
                          undefined + "write it in every body, or fill it before");
}

TEST_F(Undefined, not_after_a_loop_that_runs_once_at_least) {
    g.fill(cell, 1);
    g.fill(x, 0);
    {
        auto loop = g.while_(cell, {.cap = 3});
        g.fill(part("head", 0, 4), 1);
    }
    {
        auto loop = g.repeat(2);
        g.fill(part("tail", 4, 4), 1);
    }
    read();
    EXPECT_NO_THROW(g.check_complete());
}

TEST_F(Undefined, not_where_the_first_iteration_writes_for_the_others) {
    auto loop = g.repeat(3);
    auto branch = g.if_(loop.iteration(), {.negate = true});
    auto then = branch.then();
    g.fill(s, 1);
    then.end();
    read();
    loop.end();
    EXPECT_NO_THROW(g.check_complete());
}

TEST_F(Undefined, where_every_iteration_but_the_first_writes) {
    auto loop = g.repeat(3);
    auto branch = g.if_(loop.iteration());
    auto then = branch.then();
    g.fill(s, 1);
    then.end();
    read();
    loop.end();
    EXPECT_NE(text().find("writes only where the then of"), std::string::npos) << text();
}

TEST_F(Undefined, after_a_loop_whose_guard_was_filled_with_what_ends_it) {
    g.fill(cell, 1);
    {
        auto loop = g.while_(cell, {.cap = 3, .negate = true});
        g.fill(s, 1);
    }
    read();
    EXPECT_NE(text().find("writes only where the body of"), std::string::npos) << text();
}

TEST_F(Undefined, not_after_a_switch_whose_arms_all_wrote_it) {
    auto node = g.switch_(cell, 2, "which", {"heat.py", 5});
    for (std::uint32_t arm = 0; arm < 2; ++arm) {
        auto body = node.arm(arm);
        g.fill(s, static_cast<int>(arm));
    }
    read();
    EXPECT_NO_THROW(g.check_complete());
}

TEST_F(Undefined, results) {
    const PlaneRef t = g.scratch("t", {2}, Dtype::float64, {"heat.py", 4});
    g.keep(t);
    auto branch = g.if_(cell, {.name = "hot"}, {"heat.py", 5});
    auto then = branch.then();
    g.fill(t, 1, "cool", {"heat.py", 6});
    then.end();
    EXPECT_EQ(text(),
              "heat.py:4: plane 't' (float64[2], scratch, heat.py:4) is a result of the graph, and node 'cool' "
              "(heat.py:6) writes only where the then of node 'hot' (heat.py:5) runs; write it in every body, or fill "
              "it before");
}

TEST_F(Undefined, results_that_are_views_ask_for_their_own_elements) {
    g.fill(part("head", 0, 4), 1);
    g.keep(part("some", 1, 3));
    EXPECT_NO_THROW(g.check_complete());
    g.keep(part("more", 3, 2));
    EXPECT_EQ(text(),
              "heat.py:4: plane 'more' (float64[2], scratch, heat.py:4) is a result of the graph, and no node "
              "writes element 4 of 's'; write it, or do not keep it");
}

}  // namespace
