// Bodies hold what a graph holds: other conditionals, forks, copies, fills and the backend's own kernels.
#include "Conditionals.h"

using namespace eagle::conformance;

EAGLE_ROW("conditional-nested", .covers = {Symbol::conditional_create, Symbol::conditional_body_stream},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    // 0 count, 1 remaining, 2 ran of the outer while; 3 count, 4 remaining, 5 ran of the inner; 6 count of the if
    Cells cells(c, std::vector<std::uint32_t>(8, 0));
    auto outer_desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells, 0);
    outer_desc.counter_ptr = cells.address_of(1);
    outer_desc.loop_cap = 5;
    const Conditional outer = make_conditional(c, outer_desc);
    std::uint64_t outer_stream = 0, inner_stream = 0;
    ROW_OK(c, c.seam.conditional_body_stream(outer.get(), &outer_stream));
    auto inner_desc = desc_of(outer_stream, EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells, 3);
    inner_desc.counter_ptr = cells.address_of(4);
    inner_desc.loop_cap = 2;
    const Conditional inner = make_conditional(c, inner_desc);
    ROW_OK(c, c.seam.conditional_body_stream(inner.get(), &inner_stream));
    const Conditional odd = make_conditional(c, desc_of(inner_stream, EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells, 6));
    Recording recording(c, stream.raw());
    ROW_EQ(c, begin(c, outer), outer_stream);
    twice_and(c, outer_stream, 1, y);
    Launch(c, "conformance_set").with(3u).with(cells.pointer() + 3).on(outer_stream).run();
    ROW_EQ(c, begin(c, inner), inner_stream);
    Launch(c, "conformance_fall").with(cells.pointer() + 3).on(inner_stream).run();
    Launch(c, "conformance_reached")
        .with(2u)
        .with(cells.pointer() + 3)
        .with(cells.pointer() + 6)
        .on(inner_stream)
        .run();
    twice_and(c, begin(c, odd), 2, y);  // in the first of two turns: the count is 2, then 1
    end(c, odd);
    twice_and(c, inner_stream, 3, y);
    end(c, inner);
    Launch(c, "conformance_fall").with(cells.pointer()).on(outer_stream).run();
    end(c, outer);
    twice_and(c, stream.raw(), 4, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (std::uint32_t count : {0u, 1u, 3u, 9u}) {
        cells.set(0, count);
        y.set(0, 0);
        replay(c, launcher);
        std::int64_t wanted = 0;
        for (std::uint32_t turn = 0; turn < std::min(count, 5u); ++turn) wanted = after(wanted, {1, 2, 3, 3});
        ROW_EQ(c, y.at(0), after(wanted, {4}));
    }
}

EAGLE_ROW("conditional-body-forks", .covers = {Symbol::conditional_body_stream, Symbol::fork_create},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0}), z(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0, 0, 0});
    auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells, 0);
    desc.counter_ptr = cells.address_of(1);
    desc.loop_cap = 10;
    const Conditional loop = make_conditional(c, desc);
    std::uint64_t body = 0;
    ROW_OK(c, c.seam.conditional_body_stream(loop.get(), &body));
    const Fork two = make_fork(c, body, 2);
    Recording recording(c, stream.raw());
    begin(c, loop);
    twice_and(c, body, 1, y);
    fork(c, two);
    twice_and(c, branch(c, two, 0), 2, y);
    twice_and(c, branch(c, two, 1), 3, z);
    join(c, two);
    Launch(c, "conformance_gather").with(z.pointer()).with(y.pointer()).on(body).run();
    Launch(c, "conformance_fall").with(cells.pointer()).on(body).run();
    end(c, loop);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (std::uint32_t count : {3u, 0u, 1u}) {
        cells.set(0, count);
        y.set(0, 0);
        z.set(0, 0);
        replay(c, launcher);
        std::int64_t wanted = 0, other = 0;
        for (; count > 0; --count) {
            other = after(other, {3});
            wanted = after(wanted, {1, 2}) + other;
        }
        ROW_EQ(c, y.at(0), wanted);
        ROW_EQ(c, z.at(0), other);
    }
}

EAGLE_ROW("conditional-in-a-branch", .covers = {Symbol::conditional_begin, Symbol::fork_join},
          .needs = {Symbol::fork_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0}), z(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0});
    const Fork two = make_fork(c, stream.raw(), 2);
    const Conditional guarded =
        make_conditional(c, desc_of(branch(c, two, 1), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    fork(c, two);
    twice_and(c, branch(c, two, 0), 1, z);
    twice_and(c, begin(c, guarded), 2, y);
    end(c, guarded);
    twice_and(c, branch(c, two, 1), 3, y);
    join(c, two);
    Launch(c, "conformance_gather").with(z.pointer()).with(y.pointer()).on(stream.raw()).run();
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (std::uint32_t count : {0u, 1u}) {
        cells.set(0, count);
        y.set(0, 0);
        z.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), (count ? after(0, {2, 3}) : 3) + 1);
    }
}

EAGLE_ROW("conditional-body-copies-and-fills",
          .covers = {Symbol::conditional_begin, Symbol::memcpy_device, Symbol::memset_device},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1, 2}), z(c, Words{8, 9});
    Cells cells(c, std::vector<std::uint32_t>{0});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    ROW_OK(c, c.seam.memcpy_device(z.address(), y.address(), 16, body));
    ROW_OK(c, c.seam.memset_device(y.address(), 8, body));
    end(c, guarded);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    replay(c, launcher);
    ROW_EQ(c, z.download(), (Words{8, 9}));
    cells.set(0, 1);
    replay(c, launcher);
    ROW_EQ(c, z.download(), (Words{1, 2}));
    ROW_EQ(c, y.download(), (Words{0, 2}));
}

EAGLE_ROW("conditional-body-compacts", .covers = {Symbol::conditional_begin, Symbol::compact_device},
          .needs = {Symbol::conditional_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true) {
    constexpr std::size_t n = 300;
    StreamHandle stream(c);
    std::vector<std::uint8_t> third(n, 0);
    std::vector<std::int32_t> wanted;
    for (std::size_t i = 0; i < n; i += 3) {
        third[i] = 1;
        wanted.push_back(std::int32_t(i));
    }
    Buffer<std::uint8_t> mask(c, third);
    Buffer<std::int32_t> map(c, n);
    Cells cells(c, std::vector<std::uint32_t>{0, 55});  // the guard, the count of the compaction
    auto desc = make<struct eagle_backend_compact_desc>();
    desc.device = c.device;
    desc.mask = mask.address();
    desc.index_map = map.address();
    desc.count = cells.address_of(1);
    desc.n = n;
    desc.stream = stream.raw();
    ROW_OK(c, c.seam.compact_device(&desc));
    const Buffer<std::uint8_t> scratch(c, static_cast<std::size_t>(desc.scratch_bytes));
    desc.scratch = scratch.address();
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    desc.stream = begin(c, guarded);
    ROW_OK(c, c.seam.compact_device(&desc));
    end(c, guarded);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    replay(c, launcher);
    ROW_EQ(c, cells.at(1), 55u);
    cells.set(0, 1);
    replay(c, launcher);
    ROW_EQ(c, cells.at(1), std::uint32_t(wanted.size()));
    auto found = map.download();
    found.resize(wanted.size());
    ROW_EQ(c, found, wanted);
}

EAGLE_ROW("conditional-nodes-are-setters-and-bodies", .covers = {Symbol::conditional_nodes},
          .needs = {Symbol::conditional_create, Symbol::capture_snapshot_nodes}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{0, 0, 0});
    auto desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, cells, 0);
    desc.counter_ptr = cells.address_of(1);
    desc.loop_cap = 3;
    const Conditional loop = make_conditional(c, desc);
    std::uint64_t* none = nullptr;
    std::int64_t count = 0;
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, loop);
    ROW_EQ(c, nodes_of(c, loop, 0).size(), 0u);
    const Nodes outer = nodes_so_far(c, stream.raw());
    ROW_REQUIRE(c, outer.size() == 2);  // the head and the node
    ROW_EQ(c, nodes_of(c, loop, -1), (Nodes{outer[0]}));
    twice_and(c, body, 1, y);
    ROW_EQ(c, nodes_of(c, loop, 0), nodes_so_far(c, body));
    end(c, loop);
    const Nodes setters = nodes_of(c, loop, -1), inner = nodes_of(c, loop, 0);
    ROW_REQUIRE(c, setters.size() == 2 && inner.size() == 2);
    ROW_EQ(c, setters, (Nodes{outer[0], inner[1]}));  // the body ends with the tail
    ROW_STATUS(c, c.seam.conditional_nodes(loop.get(), 1, &none, &count), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.conditional_nodes(loop.get(), -2, &none, &count), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.conditional_nodes(loop.get(), 0, nullptr, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.conditional_nodes(loop.get(), 0, &none, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.conditional_nodes(nullptr, 0, &none, &count), EAGLE_BACKEND_BAD_HANDLE);
    const Captured captured = recording.end();
}
