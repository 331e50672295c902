// If, if and else, switch: what runs is decided from cells, at each replay, where the work runs.
#include "Conditionals.h"

using namespace eagle::conformance;

namespace {

// One conditional with the count in cell 0 and, where asked for, the baseline in cell 1.
void check_if(Context& c, bool is_negated, bool has_baseline, std::uint32_t kind) {
    OneNode node(c);
    Cells cells(c, std::vector<std::uint32_t>{0, 0});
    auto desc = desc_of(node.stream.raw(), kind, cells);
    desc.negate = is_negated;
    if (has_baseline) desc.baseline_ptr = cells.address_of(1);
    node.record(desc, 1);
    for (std::uint32_t count : {0u, 1u, 7u, 0xffffffffu, 0u}) {
        for (std::uint32_t baseline : {0u, 7u}) {
            cells.upload({count, baseline});
            const bool runs = (count != (has_baseline ? baseline : 0)) != is_negated;
            ROW_EQ(c, node.run(), runs ? 1 : 0);
        }
    }
}

}  // namespace

EAGLE_ROW("conditional-if",
          .covers = {Symbol::conditional_create, Symbol::conditional_begin, Symbol::conditional_end,
                     Symbol::conditional_release},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    check_if(c, false, false, EAGLE_BACKEND_CONDITIONAL_KIND_IF);
    check_if(c, false, false, EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED);
}

EAGLE_ROW("conditional-if-against-a-baseline", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    check_if(c, false, true, EAGLE_BACKEND_CONDITIONAL_KIND_IF);
    check_if(c, false, true, EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED);
}

EAGLE_ROW("conditional-if-negated", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    check_if(c, true, false, EAGLE_BACKEND_CONDITIONAL_KIND_IF);
    check_if(c, true, true, EAGLE_BACKEND_CONDITIONAL_KIND_IF);
}

EAGLE_ROW("conditional-if-else", .covers = {Symbol::conditional_create, Symbol::conditional_arm_stream},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch},
          .bits = EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE, .memory = true, .kernels = true) {
    for (bool is_negated : {false, true}) {
        OneNode node(c);
        Cells cells(c, std::vector<std::uint32_t>{0});
        auto desc = desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE, cells);
        desc.negate = is_negated;
        node.record(desc, 2);
        for (std::uint32_t count : {0u, 3u, 0u}) {
            cells.set(0, count);
            ROW_EQ(c, node.run(), (count != 0) != is_negated ? 1 : 2);
        }
    }
}

EAGLE_ROW("conditional-switch", .covers = {Symbol::conditional_create, Symbol::conditional_arm_stream},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .bits = EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH,
          .memory = true, .kernels = true) {
    OneNode node(c);
    Cells cells(c, std::vector<std::uint32_t>{0});
    auto desc = desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH, cells);
    desc.arms = 4;
    node.record(desc, 4);
    for (std::uint32_t index : {0u, 3u, 4u, 2u, 0xffffffffu, 1u, 5u, 0u}) {
        cells.set(0, index);
        ROW_EQ(c, node.run(), index < 4 ? std::int64_t(index) + 1 : 0);  // out of range: none
    }
}

EAGLE_ROW("conditional-switch-of-one-arm", .covers = {Symbol::conditional_create},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .bits = EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH,
          .memory = true, .kernels = true) {
    OneNode node(c);
    Cells cells(c, std::vector<std::uint32_t>{0});
    auto desc = desc_of(node.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH, cells);
    desc.arms = 1;
    node.record(desc, 1);
    for (std::uint32_t index : {0u, 1u, 0u}) {
        cells.set(0, index);
        ROW_EQ(c, node.run(), index == 0 ? 1 : 0);
    }
}

EAGLE_ROW("conditional-decided-by-work-before-it", .covers = {Symbol::conditional_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0}), z(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0, 0});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells, 1));
    Recording recording(c, stream.raw());
    Launch(c, "conformance_increment").with(cells.pointer()).on(stream.raw()).run();
    Launch(c, "conformance_reached").with(3u).with(cells.pointer()).with(cells.pointer() + 1).on(stream.raw()).run();
    twice_and(c, begin(c, guarded), 1, y);
    end(c, guarded);
    Launch(c, "conformance_copy").with(y.pointer()).with(z.pointer()).on(stream.raw()).run();  // behind the node
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    // No host read between replays: five are put at once.
    for (int i = 0; i < 5; ++i) launch(c, launcher);
    ROW_OK(c, c.seam.launcher_synchronize(launcher.get()));
    ROW_EQ(c, z.at(0), after(0, {1, 1, 1}));  // replays 3, 4 and 5
}

EAGLE_ROW("conditional-one-behind-another", .covers = {Symbol::conditional_begin, Symbol::conditional_end},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0, 0});
    const Conditional first = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells, 0));
    const Conditional second = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells, 1));
    Recording recording(c, stream.raw());
    twice_and(c, begin(c, first), 1, y);
    end(c, first);
    twice_and(c, stream.raw(), 5, y);
    twice_and(c, begin(c, second), 2, y);
    end(c, second);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (std::uint32_t bits : {0u, 1u, 2u, 3u}) {
        cells.upload({bits & 1u, bits & 2u});
        y.set(0, 0);
        replay(c, launcher);
        Words adds{5};
        if (bits & 1u) adds.insert(adds.begin(), 1);
        if (bits & 2u) adds.push_back(2);
        ROW_EQ(c, y.at(0), after(0, adds));
    }
}
