// How long scratch is alive, and what may share bytes, by hand.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <array>

#include "Brute.h"
#include "Handmade.h"
#include "Interpret.h"
#include "Kernels.h"

using namespace eagle;
using namespace eagle::graph;

namespace {

class Arena : public testing::Test {
  protected:
    PlaneRef line(const char* name, std::vector<double>& memory) { return g.plane(name, handmade::view(memory)); }
    PlaneRef scratch(const char* name, std::int64_t n = 32) { return g.scratch(name, {n}, Dtype::float64); }
    ArenaPlan plan() {
        const ArenaPlan made = plan_arena(g, analyze(g));
        EXPECT_EQ(graphtest::arena_fault(g, made), "");
        return made;
    }
    Lifetime life(PlaneRef plane) {
        for (const Lifetime& one : analyze(g).lifetimes)
            if (one.plane == plane.index) return one;
        return {};
    }
    std::vector<double> a = std::vector<double>(32), b = std::vector<double>(32), c = std::vector<double>(32);
    GraphDescription g;
    PlaneRef x = line("x", a), y = line("y", b), z = line("z", c);
};

// 32 doubles are 256 bytes, one unit of the arena.
TEST_F(Arena, a_chain_takes_turns_in_two_places) {
    PlaneRef last = x;
    for (const char* name : {"s0", "s1", "s2", "s3", "s4"}) {
        const PlaneRef next = scratch(name);
        g.copy(next, last);
        last = next;
    }
    g.copy(y, last);
    const ArenaPlan made = plan();
    EXPECT_EQ(made.bytes, 512u);
    EXPECT_EQ(made.without_sharing, 5u * 256);
    EXPECT_EQ(made.offsets[x.index], ArenaPlan::nowhere);
}

TEST_F(Arena, what_nothing_orders_shares_nothing) {
    const PlaneRef s = scratch("s"), t = scratch("t");
    g.copy(s, x);
    g.copy(y, s);
    // After the first two in the recording, and in no order with them.
    g.fill(t, 1);
    g.copy(z, t);
    EXPECT_EQ(plan().bytes, 512u);
}

// big (768 bytes) is dead when p and q are alive, which lie side by side in its place.
TEST_F(Arena, small_planes_lie_where_a_large_one_was) {
    std::vector<double> large(96);
    const PlaneRef wide = line("wide", large);
    const PlaneRef big = scratch("big", 96), p = scratch("p"), q = scratch("q");
    g.fill(big, 1);
    g.copy(wide, big);
    graphtest::mix(g, p, g.view("low", wide, 0, std::array<std::int64_t, 1>{32}, std::array<std::int64_t, 1>{8}), x, 0);
    graphtest::mix(g, q, p, p, 0);
    graphtest::mix(g, y, p, q, 0);
    const ArenaPlan made = plan();
    EXPECT_EQ(made.bytes, 768u);
    EXPECT_EQ(made.without_sharing, 768u + 256 + 256);
}

TEST_F(Arena, arms_of_one_node_share) {
    const CellRef flag = g.cell("flag");
    g.fill(flag, 1);
    auto branch = g.if_(flag);
    PlaneRef s, t;
    {
        auto then = branch.then();
        s = scratch("s");
        g.copy(s, x);
        g.copy(y, s);
    }
    {
        auto otherwise = branch.otherwise();
        t = scratch("t");
        g.copy(t, x);
        g.copy(z, t);
    }
    const ArenaPlan made = plan();
    EXPECT_EQ(made.offsets[s.index], made.offsets[t.index]);
    EXPECT_EQ(life(s).body, 1u);
    EXPECT_EQ(life(t).body, 2u);
}

TEST_F(Arena, a_body_that_writes_it_first_keeps_it_for_an_iteration) {
    const PlaneRef s = scratch("s"), t = scratch("t");
    {
        auto loop = g.repeat(3);
        g.copy(s, x);
        g.copy(y, s);
        g.copy(t, y);
        g.copy(x, t);
    }
    EXPECT_EQ(life(s).body, 1u);
    const ArenaPlan made = plan();
    EXPECT_EQ(made.offsets[s.index], made.offsets[t.index]);
}

// Written in the first iteration only, read in all: its bytes must wait for it while `t` comes and goes.
TEST_F(Arena, what_an_iteration_leaves_for_the_next_is_alive_through_the_loop) {
    const PlaneRef s = scratch("s"), t = scratch("t");
    {
        auto loop = g.repeat(3);
        g.fill(t, 7.0);
        g.copy(x, t);
        auto branch = g.if_(loop.iteration(), {.negate = true});
        {
            auto then = branch.then();
            graphtest::mix(g, s, x, x, 1.0);
        }
        graphtest::mix(g, z, s, s, 0.0);
    }
    EXPECT_EQ(life(s).body, 0u);
    EXPECT_EQ(life(t).body, 1u);
    const ArenaPlan made = plan();
    EXPECT_NE(made.offsets[s.index], made.offsets[t.index]);
    graphtest::Interpreter(g).run();
    const auto expected = c;
    EXPECT_EQ(c[0], 0.75 * (0.75 * 7.0 + 1.0));
    const GraphAnalysis analysis = analyze(g);
    graphtest::Interpreter(g, analysis, made, 1).run();
    EXPECT_EQ(c, expected);
}

TEST_F(Arena, a_view_lies_in_what_it_is_a_view_of) {
    const PlaneRef s = scratch("s", 64);
    const std::int64_t eight = 8, sixteen = 16;
    const PlaneRef odd = g.view("odd", s, 8, {&eight, 1}, {&sixteen, 1});
    g.fill(s, 1);
    graphtest::add(g, odd, 1);
    const ArenaPlan made = plan();
    EXPECT_EQ(made.offsets[odd.index], made.offsets[s.index] + 8);
}

TEST_F(Arena, a_backend_may_ask_for_another_size) {
    const PlaneRef mask = g.scratch("mask", {100}, Dtype::boolean), map = g.scratch("map", {100}, Dtype::int32);
    g.fill(mask, 1);
    g.compact(mask, map, g.cell("count"));
    const PlaneRef workspace = std::get<Compact>(g.nodes().back().work).workspace;
    EXPECT_EQ(g.plane(workspace).bytes, 1200u);
    const auto analysis = analyze(g);
    std::vector<std::uint64_t> bytes;
    for (const Plane& plane : g.planes()) bytes.push_back(plane.bytes);
    bytes[workspace.index] = 100000;
    EXPECT_GE(plan_arena(g, analysis, bytes).bytes, 100000u);
    EXPECT_LT(plan_arena(g, analysis).bytes, 4096u);
}

TEST_F(Arena, a_child_has_its_scratch_in_the_parent) {
    auto inner = std::make_shared<GraphDescription>("inner");
    const auto from = inner->plane("from", handmade::view(a)), to = inner->plane("to", handmade::view(b));
    const auto middle = inner->scratch("middle", {32}, Dtype::float64);
    inner->copy(middle, from);
    inner->copy(to, middle);
    g.child(inner);
    const PlaneRef arena = std::get<Child>(g.nodes().back().work).arena;
    EXPECT_EQ(g.plane(arena).bytes, 256u);
    EXPECT_EQ(plan().offsets[arena.index], 0u);
}

}  // namespace
