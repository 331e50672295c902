// Compaction, reorder and reset inside graphs: nothing is done at the call, and each replay does what its cells say
// then.
#include <cstring>

#include "Compaction.h"
#include "Graphs.h"
#include "Reordering.h"

using namespace eagle::conformance;
using namespace eagle::conformance::filtering;
using compaction::Arrays;
using compaction::expect_kept;
using reordering::expect_same;
using reordering::OnDevice;
using reordering::reordered;
using reordering::Samples;

namespace {

using CompactDesc = struct eagle_backend_compact_desc;

// Nothing of a description is read after the call.
template <class T>
void spoil(T& desc) {
    std::memset(static_cast<void*>(&desc), 0xee, sizeof desc);
}

void expect_untouched(Arrays& arrays, std::size_t n, std::uint32_t span) {
    Context& c = arrays.c;
    ROW_EQ(c, arrays.words.download(), (std::vector<std::uint32_t>{999, 999, span, 999}));
    ROW_EQ(c, arrays.map_of(n), std::vector<std::int32_t>(n + 1, untouched));
}

// A compaction with a trigger, recorded over a mask and a span that no replay will see.
Launcher recorded_compaction(Arrays& arrays, std::size_t n, float theta, bool is_drop) {
    Context& c = arrays.c;
    CompactDesc desc = arrays.desc_for(Mask(n, 1));
    desc.flags = is_drop ? EAGLE_BACKEND_COMPACT_MASK_IS_DROP : 0;
    arrays.with_trigger(desc, 1, theta);
    Recording recording(c, arrays.stream.raw());
    ROW_OK(c, c.seam.compact_device(&desc));
    spoil(desc);
    Captured captured = recording.end();
    expect_untouched(arrays, n, 1);
    return launcher_of(c, as_it_is(c, std::move(captured)), arrays.stream.raw());
}

// What a compaction writes of the samples' own arrays.
Samples compacted(const Samples& before, float theta) {
    const Kept kept = kept_of(before.mask, false);
    Samples after = before;
    std::copy(kept.samples.begin(), kept.samples.end(), after.map.begin());
    after.count = std::uint32_t(kept.samples.size());
    after.fire = fires(kept, before.span, theta) ? 1 : 0;
    return after;
}

}  // namespace

EAGLE_ROW("filtering-compact-in-a-capture", .covers = {Symbol::compact_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true) {
    for (const std::size_t n : {std::size_t(1), std::size_t(65), std::size_t(8192), std::size_t(20001)}) {
        for (const bool is_drop : {false, true}) {
            Arrays arrays(c, n);
            const Launcher launcher = recorded_compaction(arrays, n, 0.5f, is_drop);
            for (const Mask& mask : masks_of(c, n)) {
                for (const std::uint32_t span : {0u, 4096u, std::uint32_t(n)}) {
                    arrays.set(mask, span);
                    replay(c, launcher);
                    expect_kept(arrays, mask, is_drop);
                    ROW_EQ(c, arrays.words.at(3), std::uint32_t(fires(kept_of(mask, is_drop), span, 0.5f)));
                }
            }
        }
    }
}

EAGLE_ROW("filtering-compact-replays-follow-each-other", .covers = {Symbol::compact_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::memcpy_device},
          .memory = true) {
    // The last replay's mask is copied in behind the replay before it, with nobody waiting between them.
    constexpr std::size_t n = 8192;
    Arrays arrays(c, n);
    const Launcher launcher = recorded_compaction(arrays, n, 0.5f, false);
    const Mask last = thinned(5);
    const Buffer<std::uint8_t> from(c, last);
    arrays.set(thinned(20), n);
    launch(c, launcher);
    ROW_OK(c, c.seam.memcpy_device(arrays.mask.address(), from.address(), n, arrays.stream.raw()));
    replay(c, launcher);
    const auto words = arrays.words.download();
    const Kept kept = kept_of(last, false), before = kept_of(thinned(20), false);
    ROW_EQ(c, words,
           (std::vector<std::uint32_t>{std::uint32_t(kept.samples.size()), kept.live32, std::uint32_t(n), 1}));
    std::vector<std::int32_t> map = before.samples;  // of the slots that only the first one wrote
    map.resize(n + 1, untouched);
    std::copy(kept.samples.begin(), kept.samples.end(), map.begin());
    ROW_EQ(c, arrays.map_of(n), map);
}

EAGLE_ROW("filtering-query-and-refusal-in-a-capture-record-nothing",
          .covers = {Symbol::compact_device, Symbol::reorder_device},
          .needs = {Symbol::capturer_end, Symbol::capture_snapshot_nodes, Symbol::graph_from_captured,
                    Symbol::launcher_launch},
          .memory = true) {
    constexpr std::size_t n = 4096;
    Arrays arrays(c, n);
    const Samples samples(c, random_mask(c, n, 0.5), n);
    OnDevice device(c, samples);
    CompactDesc compact = arrays.desc_for(Mask(n, 0));
    const std::uint64_t stream = compact.stream;
    device.desc.stream = stream;
    Recording recording(c, stream);
    CompactDesc asked = compact;
    asked.scratch = 0;
    ROW_OK(c, c.seam.compact_device(&asked));
    ROW_EXPECT(c, asked.scratch_bytes > 0);
    auto reorder = device.desc;  // without scratch: a query
    ROW_OK(c, c.seam.reorder_device(&reorder));
    ROW_EXPECT(c, reorder.scratch_bytes > 0);
    asked = compact;
    asked.n = -1;
    ROW_STATUS(c, c.seam.compact_device(&asked), EAGLE_BACKEND_INVALID_ARGUMENT);
    asked = compact;
    asked.flags = 6;
    ROW_STATUS(c, c.seam.compact_device(&asked), EAGLE_BACKEND_UNSUPPORTED);
    reorder = device.desc;
    reorder.n_planes = 0;
    ROW_STATUS(c, c.seam.reorder_device(&reorder), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EQ(c, nodes_so_far(c, stream).size(), std::size_t(0));
    ROW_OK(c, c.seam.compact_device(&compact));
    ROW_EXPECT(c, nodes_so_far(c, stream).size() > 0);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream);
    const Mask mask = random_mask(c, n, 0.2);
    arrays.set(mask);
    replay(c, launcher);
    expect_kept(arrays, mask, false);
    expect_same(c, device.left(samples), samples);
}

EAGLE_ROW("filtering-reorder-in-a-capture", .covers = {Symbol::reorder_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true) {
    Samples state(c, random_mask(c, 9001, 0.7), 9001);
    OnDevice device(c, state);
    device.add_scratch();
    Recording recording(c, device.stream.raw());
    ROW_OK(c, c.seam.reorder_device(&device.desc));
    spoil(device.desc);
    for (auto& row : device.rows) spoil(row);
    Captured captured = recording.end();
    expect_same(c, device.left(state), state);
    const Launcher launcher = launcher_of(c, as_it_is(c, std::move(captured)), device.stream.raw());
    for (const std::uint32_t fire : {0u, 1u, 0u, 1u, 1u}) {
        state.fire = fire;
        device.load(state);
        replay(c, launcher);
        state = reordered(state);
        expect_same(c, device.left(state), state);
        for (std::size_t i = 0; i < state.span; ++i) {
            if (c.random() % 4 == 0) state.mask[i] = 0;
        }
    }
}

EAGLE_ROW("filtering-reset-in-a-capture", .covers = {Symbol::reset_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true) {
    const Samples before(c, random_mask(c, 4097, 0.5), 1000);
    OnDevice device(c, before);
    Recording recording(c, device.stream.raw());
    ROW_OK(c, c.seam.reset_device(&device.desc));
    spoil(device.desc);
    Captured captured = recording.end();
    expect_same(c, device.left(before), before);
    const Launcher launcher = launcher_of(c, as_it_is(c, std::move(captured)), device.stream.raw());
    Samples expected = before;
    std::iota(expected.perm.begin(), expected.perm.end(), 0);
    expected.inv = expected.map = expected.perm;
    expected.count = expected.span = 4097;
    for (int round = 0; round < 2; ++round) {
        device.load(before);
        replay(c, launcher);
        expect_same(c, device.left(before), expected);
    }
}

EAGLE_ROW("filtering-a-compaction-fires-a-reorder-in-one-replay",
          .covers = {Symbol::compact_device, Symbol::reorder_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true) {
    // The fire word goes from one node to the other on the device; the host sees what is left, and decides nothing.
    constexpr std::size_t n = 8192;
    constexpr float theta = 0.5f;
    Samples state(c, Mask(n, 1), n);
    OnDevice device(c, state);
    device.add_scratch();
    auto compact = make<CompactDesc>();
    compact.device = c.device;
    compact.mask = device.desc.mask;
    compact.index_map = device.desc.index_map;
    compact.count = device.desc.count;
    compact.span = device.desc.span;
    compact.fire = device.desc.fire;
    compact.n = n;
    compact.stream = device.desc.stream;
    compact.theta = theta;
    const Buffer<std::uint32_t> live32(c, std::size_t(1));
    compact.live32 = live32.address();
    ROW_OK(c, c.seam.compact_device(&compact));
    const Buffer<std::uint8_t> scratch(c, std::size_t(compact.scratch_bytes));
    compact.scratch = scratch.address();
    Recording recording(c, device.stream.raw());
    ROW_OK(c, c.seam.compact_device(&compact));
    ROW_OK(c, c.seam.reorder_device(&device.desc));
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), device.stream.raw());
    // Thick groups stay where they are; thin ones are moved together; what is left is too little to move again.
    for (const auto& [share, span] : {std::pair(20u, 8192u), {12u, 12u * 256}, {9u, 12u * 256}}) {
        for (std::size_t i = 0; i < n; ++i) state.mask[i] = i < state.span && i % 32 < share ? 1 : 0;
        state.fire = 77;
        const std::uint32_t live = kept_of(state.mask, false).live32;
        device.load(state);
        replay(c, launcher);
        state = reordered(compacted(state, theta));
        expect_same(c, device.left(state), state);
        ROW_EQ(c, state.span, span);
        ROW_EQ(c, live32.at(0), live);
    }
}

EAGLE_ROW("filtering-compact-in-branches-of-a-fork", .covers = {Symbol::compact_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::fork_join,
                    Symbol::fork_branch},
          .memory = true) {
    constexpr std::size_t n = 10007;
    StreamHandle stream(c);
    Arrays first(c, n), second(c, n);
    const Fork forked = make_fork(c, stream.raw(), 2);
    CompactDesc left = first.desc_for(Mask(n, 0)), right = second.desc_for(Mask(n, 0));
    left.stream = branch(c, forked, 0);
    right.stream = branch(c, forked, 1);
    right.flags = EAGLE_BACKEND_COMPACT_MASK_IS_DROP;
    Recording recording(c, stream.raw());
    fork(c, forked);
    ROW_OK(c, c.seam.compact_device(&left));
    ROW_OK(c, c.seam.compact_device(&right));
    join(c, forked);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (const double share : {0.01, 0.5, 0.95}) {
        const Mask mask = random_mask(c, n, share);
        first.set(mask);
        second.set(mask);
        replay(c, launcher);
        expect_kept(first, mask, false);
        expect_kept(second, mask, true);
    }
}

EAGLE_ROW("filtering-compact-in-a-conditional-body", .covers = {Symbol::compact_device},
          .needs = {Symbol::capturer_end, Symbol::graph_from_captured, Symbol::launcher_launch,
                    Symbol::conditional_create, Symbol::conditional_begin, Symbol::conditional_end},
          .memory = true) {
    constexpr std::size_t n = 8192;
    Arrays arrays(c, n);
    Cells cells(c, std::vector<std::uint32_t>{0});
    CompactDesc desc = arrays.desc_for(Mask(n, 0));
    const Conditional made = make_conditional(c, desc_of(desc.stream, EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, arrays.stream.raw());
    desc.stream = begin(c, made);
    ROW_OK(c, c.seam.compact_device(&desc));
    end(c, made);
    const Graph graph = as_it_is(c, recording.end());
    const Launcher launcher = launcher_of(c, graph, arrays.stream.raw());
    for (const std::uint32_t runs : {0u, 1u, 0u, 3u}) {
        const Mask mask = random_mask(c, n, 0.3);
        arrays.set(mask);
        cells.set(0, runs);
        replay(c, launcher);
        if (runs == 0)
            expect_untouched(arrays, n, 0);
        else
            expect_kept(arrays, mask, false);
    }
}
