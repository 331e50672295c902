// Reorder and reset against a loop over the samples.
#include <eagle/conformance/Row.h>

#include <cstring>
#include <numeric>

#include "Refused.h"
#include "Reordering.h"

using namespace eagle::conformance;
using namespace eagle::conformance::filtering;
using namespace eagle::conformance::filtering::reordering;

namespace {

void judge(Context& c, const Samples& before) {
    OnDevice device(c, before);
    device.run_reorder();
    expect_same(c, device.left(before), reordered(before));
}

}  // namespace

EAGLE_ROW("filtering-reorder-sizes-and-patterns", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    for (const std::size_t n : {0u, 1u, 31u, 32u, 33u, 255u, 257u, 4096u, 4097u, 8193u}) {
        for (const Mask& mask : masks_of(c, n)) {
            judge(c, Samples(c, mask, std::uint32_t(n)));
        }
    }
}

EAGLE_ROW("filtering-reorder-part-of-the-samples", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    for (const std::uint32_t span : {0u, 1u, 31u, 4096u, 6999u, 7000u}) {
        judge(c, Samples(c, random_mask(c, 7000, 0.5), span));  // what lies past the span stays
    }
}

EAGLE_ROW("filtering-reorder-again", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Samples state(c, random_mask(c, 9001, 0.8), 9001);
    for (int round = 0; round < 4; ++round) {
        judge(c, state);
        state = reordered(state);
        for (std::size_t i = 0; i < state.span; ++i) {
            if (c.random() % 4 == 0) state.mask[i] = 0;
        }
        state.fire = 1;
    }
}

EAGLE_ROW("filtering-reorder-does-nothing-unfired", .covers = {Symbol::reorder_device},
          .needs = {Symbol::stream_create}, .memory = true) {
    Samples state(c, random_mask(c, 5000, 0.5), 5000);
    state.fire = 0;
    judge(c, state);
    // Without a word there it always runs.
    state.fire = 77;
    OnDevice device(c, state);
    device.desc.fire = 0;
    device.run_reorder();
    Samples expected = reordered(state);
    expected.fire = 77;
    expect_same(c, device.left(state), expected);
}

EAGLE_ROW("filtering-reorder-query", .covers = {Symbol::reorder_device}) {
    const PlaneRow rows[2] = {{0, 1, 0}, {0, 16, 0}};
    auto desc = make<Desc>();
    desc.device = c.device;
    desc.n_planes = 2;
    desc.planes = reinterpret_cast<std::uint64_t>(rows);
    desc.n = 1000;
    desc.scratch_bytes = -1;
    Desc before = desc;
    ROW_OK(c, c.seam.reorder_device(&desc));
    ROW_EXPECT(c, desc.scratch_bytes > 0);
    before.scratch_bytes = desc.scratch_bytes;
    ROW_EQ(c, std::memcmp(&desc, &before, sizeof desc), 0);
}

EAGLE_ROW("filtering-reorder-refusals", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    const Samples before(c, random_mask(c, 64, 0.5), 64);
    OnDevice device(c, before);
    ROW_OK(c, c.seam.reorder_device(&device.desc));
    const Buffer<std::uint8_t> scratch(c, std::size_t(device.desc.scratch_bytes));
    device.desc.scratch = scratch.address();
    const Desc good = device.desc;
    auto refused = [&](eagle_backend_status status, auto&& spoil) {
        Desc desc = good;
        spoil(desc);
        ROW_STATUS(c, c.seam.reorder_device(&desc), status);
    };
    ROW_STATUS(c, c.seam.reorder_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.struct_size = 111, d.flags = 2; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [&](Desc& d) { d.flags = 2, d.device = c.facts.devices; });
    expect_bits_named(c, 2);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n = -1; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [](Desc& d) { d.n = std::int64_t(1) << 31; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n_planes = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.planes = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.mask = d.perm; });  // none of the planes
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.perm = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.inv = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.count = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.span = 0; });
    for (const std::uint32_t bytes : {0u, 3u, 32u}) {
        const PlaneRow kept = device.rows[2];
        device.rows[2].elem_bytes = bytes;
        refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc&) {});
        device.rows[2] = kept;
    }
    device.stream.synchronize();
    expect_same(c, device.left(before), before);
}

EAGLE_ROW("filtering-reset", .covers = {Symbol::reset_device}, .needs = {Symbol::stream_create}, .memory = true) {
    for (const std::size_t n : sizes) {
        for (const bool with_map : {true, false}) {
            const Samples before(c, random_mask(c, n, 0.5), std::uint32_t(n / 2));
            OnDevice device(c, before);
            if (!with_map) device.desc.index_map = 0;
            ROW_OK(c, c.seam.reset_device(&device.desc));
            device.stream.synchronize();
            Samples expected = before;
            std::iota(expected.perm.begin(), expected.perm.end(), 0);
            expected.inv = expected.perm;
            if (with_map) expected.map = expected.perm;
            expected.count = expected.span = std::uint32_t(n);
            expect_same(c, device.left(before), expected);  // the fire word is not its business
        }
    }
}

EAGLE_ROW("filtering-reset-refusals", .covers = {Symbol::reset_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    const Samples before(c, random_mask(c, 64, 0.5), 32);
    OnDevice device(c, before);
    auto refused = [&](eagle_backend_status status, auto&& spoil) {
        Desc desc = device.desc;
        spoil(desc);
        ROW_STATUS(c, c.seam.reset_device(&desc), status);
    };
    ROW_STATUS(c, c.seam.reset_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.struct_size = 11, d.flags = 8; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [&](Desc& d) { d.flags = 8, d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n = -1; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.perm = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.inv = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.count = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.span = 0; });
    device.stream.synchronize();
    expect_same(c, device.left(before), before);
}
