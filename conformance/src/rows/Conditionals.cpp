#include "Conditionals.h"

namespace eagle::conformance {

void OneNode::record(const struct eagle_backend_conditional_desc& desc, std::uint64_t arms) {
    const Conditional conditional = make_conditional(c, desc);
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, conditional);
    for (std::uint64_t k = 0; k < arms; ++k) {
        twice_and(c, k == 0 ? body : arm(c, conditional, k), std::int64_t(k) + 1, y);
    }
    end(c, conditional);
    if (c.facts.provides(Symbol::capture_snapshot_nodes)) nodes = nodes_so_far(c, stream.raw());
    graph = as_it_is(c, recording.end());
    launcher = launcher_of(c, graph, stream.raw());
}

std::int64_t OneNode::run() {
    y.set(0, 0);
    replay(c, launcher);
    return y.at(0);
}

Loop::Loop(Context& row, const Options& options)
    : c(row),
      stream(row),
      cells(row, std::vector<std::uint32_t>(8, 77)),
      log(row, most_turns),
      graph(row),
      launcher(row) {
    auto desc = desc_of(stream.raw(), options.kind, cells, count);
    desc.struct_size = options.struct_size;
    desc.counter_ptr = cells.address_of(remaining);
    desc.loop_cap = options.cap;
    desc.negate = options.is_negated;
    if (options.has_limit) desc.limit_ptr = cells.address_of(limit);
    if (options.has_break) desc.brk_ptr = cells.address_of(brk);
    if (options.has_baseline) desc.baseline_ptr = cells.address_of(baseline);
    const Conditional loop = make_conditional(c, desc);
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, loop);
    auto at = [&](std::size_t which) { return cells.pointer() + which; };
    Launch(c, "conformance_note").with(at(ran)).with(log.pointer()).with(at(cursor)).on(body).run();
    Launch(c, "conformance_fall").with(at(count)).on(body).run();
    if (options.has_break) {
        Launch(c, "conformance_reached").with(options.breaks_in_turn).with(at(ran)).with(at(brk)).on(body).run();
    }
    end(c, loop);
    graph = as_it_is(c, recording.end());
    launcher = launcher_of(c, graph, stream.raw());
}

std::uint32_t Loop::turns(std::uint32_t start) {
    cells.set(count, start);
    cells.set(cursor, 0);
    replay(c, launcher);
    const std::uint32_t turns = cells.at(cursor);
    ROW_EQ(c, cells.at(ran), turns);
    auto seen = log.download();
    for (std::uint32_t i = 0; i < turns && i < most_turns; ++i) ROW_EQ(c, seen[i], i);
    return turns;
}

}  // namespace eagle::conformance
