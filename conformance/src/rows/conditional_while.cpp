// While: how many turns, what the cells say in each and afterwards.
#include <algorithm>

#include "Conditionals.h"

using namespace eagle::conformance;

EAGLE_ROW("conditional-while-up-to-its-cap", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop loop(c, {.cap = 5});
    for (std::uint32_t count : {0u, 1u, 4u, 5u, 6u, 1000u, 2u}) {
        ROW_EQ(c, loop.turns(count), std::min(count, 5u));
        ROW_EQ(c, loop.cell(Loop::remaining), 5 - std::min(count, 5u));
        ROW_EQ(c, loop.cell(Loop::count), count - std::min(count, 5u));
    }
}

EAGLE_ROW("conditional-while-derived-from-its-counter", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop derived(c, {.cap = 3, .kind = EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED});
    ROW_EQ(c, derived.turns(2), 2u);
    ROW_EQ(c, derived.turns(9), 3u);
    // A client of minor 0 sends 48 bytes; what lies behind them is not read.
    Loop short_desc(c, {.cap = 4, .has_limit = true, .kind = 99, .struct_size = 48});
    short_desc.set(Loop::limit, 1);
    ROW_EQ(c, short_desc.turns(9), 4u);
}

EAGLE_ROW("conditional-while-cap-1", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop once(c, {.cap = 1});
    for (std::uint32_t count : {0u, 1u, 2u}) {
        ROW_EQ(c, once.turns(count), std::min(count, 1u));
        ROW_EQ(c, once.cell(Loop::remaining), 1 - std::min(count, 1u));
    }
}

EAGLE_ROW("conditional-while-uncapped", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop uncapped(c, {.cap = EAGLE_BACKEND_LOOP_UNCAPPED});
    for (std::uint32_t count : {0u, 1u, 1000u}) {
        ROW_EQ(c, uncapped.turns(count), count);
        ROW_EQ(c, uncapped.cell(Loop::remaining), EAGLE_BACKEND_LOOP_UNCAPPED - count);
    }
}

EAGLE_ROW("conditional-while-negated-and-against-a-baseline", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop negated(c, {.cap = 7, .is_negated = true});
    ROW_EQ(c, negated.turns(0), 7u);  // the count stays at 0
    ROW_EQ(c, negated.turns(2), 0u);
    Loop against(c, {.cap = 50, .has_baseline = true});
    against.set(Loop::baseline, 3);
    ROW_EQ(c, against.turns(3), 0u);
    ROW_EQ(c, against.turns(8), 5u);
    against.set(Loop::baseline, 7);
    ROW_EQ(c, against.turns(8), 1u);
}

EAGLE_ROW("conditional-while-stops-at-its-limit", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::conditional_arm_stream},
          .memory = true, .kernels = true) {
    Loop limited(c, {.cap = 100, .has_limit = true});
    for (std::uint32_t limit : {0u, 1u, 4u, 0xffffffffu}) {
        limited.set(Loop::limit, limit);
        ROW_EQ(c, limited.turns(50), std::min(limit, 50u));
        ROW_EQ(c, limited.turns(2), std::min(limit, 2u));
    }
    Loop both(c, {.cap = 3, .has_limit = true});
    both.set(Loop::limit, 5);
    ROW_EQ(c, both.turns(50), 3u);  // whichever comes first
    both.set(Loop::limit, 3);
    ROW_EQ(c, both.turns(50), 3u);
}

EAGLE_ROW("conditional-while-stops-at-a-break", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::conditional_arm_stream},
          .memory = true, .kernels = true) {
    for (std::uint32_t turn : {0u, 3u}) {
        Loop breaking(c, {.cap = 100, .has_break = true, .breaks_in_turn = turn});
        for (int round = 0; round < 2; ++round) {  // the head clears the break of the round before
            breaking.set(Loop::brk, 5);
            ROW_EQ(c, breaking.turns(50), turn + 1);
            ROW_EQ(c, breaking.cell(Loop::brk), 1u);
        }
        breaking.set(Loop::brk, 5);
        ROW_EQ(c, breaking.turns(0), 0u);
        ROW_EQ(c, breaking.cell(Loop::brk), 0u);
    }
}

EAGLE_ROW("conditional-while-replayed-without-a-look", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    Loop loop(c, {.cap = 4});
    loop.cells.upload({10, 0, 0, 0, 0, 0, 0, 0});
    for (int i = 0; i < 3; ++i) launch(c, loop.launcher);
    ROW_OK(c, c.seam.launcher_synchronize(loop.launcher.get()));
    ROW_EQ(c, loop.cell(Loop::cursor), 10u);  // 4, 4 and 2 turns
    ROW_EQ(c, loop.cell(Loop::ran), 2u);
    ROW_EQ(c, loop.cell(Loop::remaining), 2u);
    ROW_EQ(c, loop.cell(Loop::count), 0u);
    auto seen = loop.log.download();
    seen.resize(10);
    ROW_EQ(c, seen, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1}));
}
