// Conditional nodes: decided where the work runs, from cells, at each replay.
#include <cstdlib>

#include "Conditionals.h"

using namespace client;

namespace {

TEST(Conditionals, an_if_runs_where_the_count_differs_from_the_baseline) {
    for (bool is_negated : {false, true}) {
        OneNode with, without;
        Cell count = 0, baseline = 0;
        auto desc = desc_of(with.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count);
        desc.negate = is_negated;
        desc.baseline_ptr = at(baseline);
        with.record(desc, 1);
        desc.origin = without.stream.raw();
        desc.baseline_ptr = 0;
        desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED;  // an if: there is no counter
        without.record(desc, 1);
        for (Cell c : {0u, 1u, 7u, 0u}) {
            for (Cell b : {0u, 1u, 7u}) {
                count = c;
                baseline = b;
                EXPECT_EQ(with.run(), (c != b) != is_negated ? 1 : 0) << c << " " << b;
            }
            EXPECT_EQ(without.run(), (c != 0) != is_negated ? 1 : 0) << c;
        }
    }
}

TEST(Conditionals, an_else_runs_where_the_if_does_not) {
    for (bool is_negated : {false, true}) {
        OneNode one;
        Cell count = 0;
        auto desc = desc_of(one.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE, count);
        desc.negate = is_negated;
        one.record(desc, 2);
        for (Cell c : {0u, 3u}) {
            count = c;
            EXPECT_EQ(one.run(), (c != 0) != is_negated ? 1 : 2) << c;
        }
    }
}

TEST(Conditionals, a_switch_runs_the_arm_of_its_index_or_none) {
    OneNode one;
    Cell index = 0;
    auto desc = desc_of(one.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH, index);
    desc.arms = 4;
    one.record(desc, 4);
    const std::pair<Cell, std::int64_t> rows[] = {{0, 1}, {3, 4}, {4, 0}, {2, 3}, {0xffffffffu, 0}, {1, 2}};
    for (auto [found, wanted] : rows) {
        index = found;
        EXPECT_EQ(one.run(), wanted) << found;
    }
}

// params: Cells*. Notes what the counter says inside a turn, and lets the count
// fall.
void turn(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    Cells& c = **static_cast<Cells* const*>(params[0]);
    c.turns.emplace_back(c.counter[0], c.counter[1]);
    if (c.count > 0) --c.count;
    if (c.counter[1] == c.brk_at) c.brk = 1;
}

struct Loop {
    Stream stream;
    Cells cells;
    Launcher launcher;

    explicit Loop(Cell cap, bool has_limit = false, bool has_brk = false, bool is_negated = false) {
        auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells.count);
        desc.counter_ptr = at(cells.counter[0]);
        desc.loop_cap = cap;
        desc.negate = is_negated;
        if (has_limit) desc.limit_ptr = at(cells.limit);
        if (has_brk) desc.brk_ptr = at(cells.brk);
        Conditional conditional(desc);
        Recording recording(stream.raw());
        Cells* p = &cells;
        Launch(&turn, 0, 1, conditional.begin(), p).run();
        conditional.end();
        launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    }
    std::size_t turns(Cell count) {
        cells.turns.clear();
        cells.count = count;
        replay(launcher);
        EXPECT_EQ(cells.counter[1], cells.turns.size());  // ran
        for (std::size_t i = 0; i < cells.turns.size(); ++i) EXPECT_EQ(cells.turns[i].second, i);
        return cells.turns.size();
    }
};

TEST(Conditionals, a_while_goes_on_as_long_as_its_guard_up_to_its_cap) {
    Loop loop(5);
    const std::pair<Cell, std::size_t> rows[] = {{0, 0}, {1, 1}, {3, 3}, {5, 5}, {6, 5}, {100, 5}, {2, 2}};
    for (auto [count, wanted] : rows) {
        EXPECT_EQ(loop.turns(count), wanted) << count;
        EXPECT_EQ(loop.cells.counter[0], 5 - wanted) << count;  // remaining
        for (std::size_t i = 0; i < wanted; ++i) EXPECT_EQ(loop.cells.turns[i].first, 5 - i);
    }
    Loop uncapped(EAGLE_BACKEND_LOOP_UNCAPPED);
    EXPECT_EQ(uncapped.turns(1000), 1000u);
    Loop negated(7, false, false, true);
    EXPECT_EQ(negated.turns(0), 7u);
    EXPECT_EQ(negated.turns(2), 0u);
}

TEST(Conditionals, a_while_stops_at_its_limit_and_at_a_break) {
    Loop limited(100, true);
    for (Cell limit : {0u, 1u, 4u}) {
        limited.cells.limit = limit;
        EXPECT_EQ(limited.turns(50), limit);
        EXPECT_EQ(limited.turns(2), std::min<std::size_t>(limit, 2));
    }
    Loop breaking(100, false, true);
    for (Cell brk_at : {0u, 3u}) {
        breaking.cells.brk_at = brk_at;
        breaking.cells.brk = 5;  // the head clears it
        EXPECT_EQ(breaking.turns(50), brk_at + 1);
        EXPECT_EQ(breaking.cells.brk, 1u);
    }
    breaking.cells.brk_at = 1000;
    EXPECT_EQ(breaking.turns(3), 3u);
    EXPECT_EQ(breaking.cells.brk, 0u);
}

// while (count--) { if (odd) plane = 2 plane + 1; plane = 2 plane + 3 }, with a
// fork in the body of the while.
TEST(Conditionals, nest_and_fork) {
    Stream stream;
    Plane plane(1, 0), other(1, 0);
    Cells cells;
    Cell odd = 0, *odd_at = &odd;
    Cells* cells_at = &cells;
    auto loop_desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells.count);
    loop_desc.counter_ptr = at(cells.counter[0]);
    loop_desc.loop_cap = 50;
    Conditional loop(loop_desc);
    auto if_desc = desc_of(loop.arm(0), EAGLE_BACKEND_CONDITIONAL_KIND_IF, odd);
    Conditional branch(if_desc);
    Fork fork(loop.arm(0), 2);
    auto parity = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        **static_cast<Cell* const*>(params[0]) = (*static_cast<const Cells* const*>(params[1]))->count % 2;
    };
    Recording recording(stream.raw());
    std::uint64_t body = loop.begin();
    Launch(parity, 0, 1, body, odd_at, cells_at).run();
    launch_twice_and(branch.begin(), 1, plane);
    branch.end();
    fork.fork();
    launch_twice_and(fork.branch(0), 3, plane);
    launch_twice_and(fork.branch(1), 1, other);
    fork.join();
    Launch(&turn, 0, 1, body, cells_at).run();
    loop.end();
    launch_twice_and(stream.raw(), 4, plane);
    Graph graph = as_it_is(recording.end());
    setenv("EAGLE_CPU_SCHEDULE", "random:3", 1);
    Launcher launcher = launcher_of(graph, stream.raw());
    unsetenv("EAGLE_CPU_SCHEDULE");
    for (Cell count : {0u, 1u, 6u, 5u}) {
        std::int64_t wanted = 0, wanted_other = 0;
        for (Cell c = count; c > 0; --c) {
            if (c % 2) wanted = 2 * wanted + 1;
            wanted = 2 * wanted + 3;
            wanted_other = 2 * wanted_other + 1;
        }
        wanted = 2 * wanted + 4;
        plane[0] = other[0] = 0;
        cells.count = count;
        replay(launcher);
        EXPECT_EQ(plane[0], wanted) << count;
        EXPECT_EQ(other[0], wanted_other) << count;
    }
}

TEST(Conditionals, nodes_are_the_setters_and_the_bodies) {
    Stream stream;
    Plane plane(1, 0);
    Cells cells;
    auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED, cells.count);
    desc.counter_ptr = at(cells.counter[0]);  // a while
    desc.loop_cap = 3;
    Conditional loop(desc);
    std::uint64_t* none = nullptr;
    std::int64_t count = 0;
    EXPECT_TRUE(says(conditional_nodes(loop.handle(), 0, &none, &count), EAGLE_BACKEND_ERROR, "has no body"));
    Recording recording(stream.raw());
    std::uint64_t body = loop.begin();
    EXPECT_TRUE(loop.nodes(0).empty());
    auto outer = nodes_so_far(stream.raw());
    ASSERT_EQ(outer.size(), 2u);  // head and conditional
    EXPECT_EQ(loop.nodes(-1), std::vector{outer[0]});
    launch_twice_and(body, 1, plane);
    EXPECT_EQ(loop.nodes(0), nodes_so_far(body));
    loop.end();
    auto setters = loop.nodes(-1), inner = loop.nodes(0);
    ASSERT_EQ(setters.size(), 2u);
    ASSERT_EQ(inner.size(), 2u);
    EXPECT_EQ(setters, (std::vector{outer[0], inner[1]}));
    EXPECT_TRUE(says(conditional_nodes(loop.handle(), 1, &none, &count), EAGLE_BACKEND_INDEX, "arm 1 of"));
    EXPECT_TRUE(says(conditional_nodes(loop.handle(), -2, &none, &count), EAGLE_BACKEND_INDEX, "arm -2 of"));
    for (auto [node, wanted] : {std::pair{inner[0], 1}, {inner[1], 0}, {outer[0], 0}, {outer[1], 0}}) {
        std::int32_t toggleable = -1;
        ASSERT_EQ(is_node_toggleable(node, &toggleable), EAGLE_BACKEND_OK);
        EXPECT_EQ(toggleable, wanted);
    }
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    cells.count = 1;
    replay(launcher);
    EXPECT_EQ(plane[0], 7);  // three turns: nothing lets the count fall
    std::int64_t add = 5;
    std::uint64_t param = std::uint64_t(&add);
    ASSERT_EQ(launcher_set_kernel_params(launcher.get(), inner[0], &param, 1), EAGLE_BACKEND_OK) << last_error();
    plane[0] = 0;
    replay(launcher);
    EXPECT_EQ(plane[0], 35);  // 5, 15, 35
    EXPECT_TRUE(says(launcher_set_node_enabled(launcher.get(), setters[0], 0), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "the node is of type guard setter"));
}

TEST(Conditionals, cells_of_a_node_are_changed) {
    OneNode one;
    Cell count = 0, elsewhere = 1;
    auto desc = desc_of(one.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count);
    one.record(desc, 1);
    EXPECT_EQ(one.run(), 0);
    desc.count_ptr = at(elsewhere);
    ASSERT_EQ(sdk_launcher_set_conditional(one.launcher.get(), one.nodes[1], &desc), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(one.run(), 1);
    desc.negate = 1;
    ASSERT_EQ(sdk_launcher_set_conditional(one.launcher.get(), one.nodes[1], &desc), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(one.run(), 0);
    auto set = [&](std::uint64_t node) { return sdk_launcher_set_conditional(one.launcher.get(), node, &desc); };
    desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE;
    EXPECT_TRUE(says(set(one.nodes[1]), EAGLE_BACKEND_INVALID_ARGUMENT, "which keeps its own"));
    desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_IF;
    EXPECT_TRUE(says(set(one.nodes[0]), EAGLE_BACKEND_INVALID_ARGUMENT, "the node is of type guard setter"));
    desc.count_ptr = 0;
    EXPECT_TRUE(says(set(one.nodes[1]), EAGLE_BACKEND_INVALID_ARGUMENT, "count_ptr is null"));
    EXPECT_TRUE(says(sdk_launcher_set_conditional(nullptr, one.nodes[1], &desc), EAGLE_BACKEND_BAD_HANDLE, "is null"));
    EXPECT_EQ(one.run(), 0);
}

TEST(Conditionals, a_capture_of_the_same_shape_is_taken_over) {
    OneNode one, other;
    Cell count = 0, elsewhere = 1;
    one.record(desc_of(one.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, count), 1);
    Conditional again(desc_of(other.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, elsewhere));
    Conditional both(desc_of(other.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE, elsewhere));
    std::int32_t updated = -1;
    {
        Recording recording(other.stream.raw());
        both.begin();
        launch_twice_and(both.arm(0), 1, other.plane);
        launch_twice_and(both.arm(1), 1, other.plane);
        both.end();
        Captured captured = recording.end();
        ASSERT_EQ(launcher_exec_update(one.launcher.get(), captured.get(), &updated), EAGLE_BACKEND_OK);
        EXPECT_EQ(updated, 0);
    }
    Recording recording(other.stream.raw());
    launch_twice_and(again.begin(), 8, other.plane);
    again.end();
    Captured captured = recording.end();
    ASSERT_EQ(launcher_exec_update(one.launcher.get(), captured.get(), &updated), EAGLE_BACKEND_OK);
    EXPECT_EQ(updated, 1);
    EXPECT_EQ(one.run(), 0);
    EXPECT_EQ(other.plane[0], 8);
}

// A client of minor 0 knows no kind, no break and no limit.

}  // namespace
