// Compaction against a loop that asks one sample after the other.
#include <eagle/conformance/Row.h>

#include <cstring>
#include <limits>

#include "Compaction.h"
#include "Refused.h"

using namespace eagle::conformance;
using namespace eagle::conformance::filtering;
using namespace eagle::conformance::filtering::compaction;

namespace {

void judge(Arrays& arrays, const Mask& mask, bool is_drop) {
    Desc desc = arrays.desc_for(mask);
    desc.flags = is_drop ? EAGLE_BACKEND_COMPACT_MASK_IS_DROP : 0;
    arrays.run(desc);
    expect_kept(arrays, mask, is_drop);
}

void judge_trigger(Arrays& arrays, const Mask& mask, std::uint32_t span, float theta) {
    Context& c = arrays.c;
    Desc desc = arrays.desc_for(mask);
    arrays.with_trigger(desc, span, theta);
    arrays.run(desc);
    const auto words = arrays.words.download();
    ROW_EQ(c, words[2], span);
    ROW_EQ(c, words[3], std::uint32_t(fires(kept_of(mask, false), span, theta)));
}

}  // namespace

EAGLE_ROW("filtering-compact-sizes-and-patterns", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    for (const std::size_t n : sizes) {
        Arrays arrays(c, n);  // memory exactly as large as the contract says, and one element
        for (const Mask& mask : masks_of(c, n)) {
            for (const bool is_drop : {false, true}) judge(arrays, mask, is_drop);
        }
    }
}

EAGLE_ROW("filtering-compact-random", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 300007);
    for (const double share : {0.001, 0.3, 0.5, 0.999}) judge(arrays, random_mask(c, 300007, share), false);
}

EAGLE_ROW("filtering-compact-same-bits", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 100003);
    const Mask mask = random_mask(c, 100003, 0.4);
    Desc desc = arrays.desc_for(mask);
    arrays.run(desc);
    const auto first = arrays.map_of(mask.size());
    for (int i = 0; i < 10; ++i) {
        desc = arrays.desc_for(mask);
        arrays.run(desc);
        ROW_EQ(c, arrays.map_of(mask.size()), first);
    }
    ROW_EQ(c, arrays.mask.download()[0], mask[0]);
}

EAGLE_ROW("filtering-compact-query", .covers = {Symbol::compact_device}) {
    for (const std::int64_t n : {std::int64_t(0), std::int64_t(1), std::int64_t(1000), std::int64_t(0x7fffffff)}) {
        auto desc = make<Desc>();
        desc.device = c.device;
        desc.n = n;
        desc.mask = desc.index_map = desc.count = desc.live32 = 8;  // never followed
        desc.scratch_bytes = -1;
        Desc before = desc;
        ROW_OK(c, c.seam.compact_device(&desc));
        ROW_EXPECT(c, desc.scratch_bytes > 0);
        before.scratch_bytes = desc.scratch_bytes;
        ROW_EQ(c, std::memcmp(&desc, &before, sizeof desc), 0);  // nothing else is written
    }
}

EAGLE_ROW("filtering-compact-of-none", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 0);
    Desc desc = arrays.desc_for({});
    arrays.with_trigger(desc, 4096, 0.5f);
    arrays.run(desc);
    ROW_EQ(c, arrays.words.download(), (std::vector<std::uint32_t>{0, 0, 4096, 0}));
    ROW_EQ(c, arrays.map_of(0)[0], untouched);
}

EAGLE_ROW("filtering-compact-desc-sizes", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 5000);
    const Mask mask = random_mask(c, 5000, 0.5);
    struct {
        Desc desc;
        unsigned char behind[4096 - sizeof(Desc)];
    } longer;
    for (const std::uint32_t size : {72u, 80u, 104u, 4096u}) {
        std::memset(static_cast<void*>(&longer), 0xff, sizeof longer);
        Desc known = arrays.desc_for(mask);
        std::memcpy(static_cast<void*>(&longer.desc), &known, std::min<std::size_t>(size, sizeof known));
        longer.desc.struct_size = size;
        arrays.run(longer.desc);
        const auto words = arrays.words.download();
        const Kept kept = kept_of(mask, false);
        ROW_EQ(c, words[0], std::uint32_t(kept.samples.size()));
        ROW_EQ(c, words[1], size < 80 ? 999u : kept.live32);  // beyond what the caller knows of
        ROW_EQ(c, words[3], 999u);
    }
}

EAGLE_ROW("filtering-compact-trigger", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 8192);
    // On and about each of the three bounds: kept against theta * 32 * live32, kept against the span, the span against
    // 4096.
    for (const std::size_t share : {1u, 15u, 16u, 17u, 20u, 32u}) {
        for (const std::uint32_t span : {0u, 4095u, 4096u, 5119u, 5120u, 5121u, 8192u}) {
            for (const float theta : {0.25f, 0.5f, 0.625f, 0.99f}) judge_trigger(arrays, thinned(share), span, theta);
        }
    }
    judge_trigger(arrays, Mask(8192, 0), 8192, 0.5f);
    judge_trigger(arrays, Mask(8192, 1), 8192, 0.99f);
}

// 0.9f is 0.89999997615814; times 32 * 312502 that is 9000057.36, which single precision rounds to 9000057.
EAGLE_ROW("filtering-compact-trigger-in-double", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    const std::size_t n = 32 * 312502;
    Arrays arrays(c, n);
    Mask mask(n, 1);
    std::size_t kept = n;
    for (std::size_t i = 0; kept > 9000057; ++i) {
        if (i % 32 != 0) mask[i] = 0, --kept;  // every group keeps its first
    }
    for (const std::uint32_t expected : {1u, 0u}) {
        Desc desc = arrays.desc_for(mask);
        arrays.with_trigger(desc, std::uint32_t(n), 0.9f);
        arrays.run(desc);
        ROW_EQ(c, arrays.words.at(3), expected);
        mask[1] = 1;
    }
}

EAGLE_ROW("filtering-compact-is-stream-ordered", .covers = {Symbol::compact_device},
          .needs = {Symbol::stream_create, Symbol::host_func, Symbol::memcpy_device}, .memory = true) {
    Arrays arrays(c, 8192);
    const Mask later = thinned(3);
    const Buffer<std::uint8_t> from(c, later);
    const Buffer<std::uint32_t> span(c, std::vector<std::uint32_t>{8192});
    Desc desc = arrays.desc_for(Mask(8192, 0));
    arrays.with_trigger(desc, 0, 0.5f);
    {
        Gate gate(c, arrays.stream.raw());
        ROW_OK(c, c.seam.memcpy_device(arrays.mask.address(), from.address(), 8192, arrays.stream.raw()));
        ROW_OK(c, c.seam.memcpy_device(arrays.words.address_of(2), span.address(), 4, arrays.stream.raw()));
        ROW_OK(c, c.seam.compact_device(&desc));
        std::memset(static_cast<void*>(&desc), 0xee, sizeof desc);  // nothing of it is read any more
    }
    arrays.stream.synchronize();
    const Kept kept = kept_of(later, false);
    ROW_EQ(c, arrays.words.download(),
           (std::vector<std::uint32_t>{std::uint32_t(kept.samples.size()), kept.live32, 8192, 1}));
}

EAGLE_ROW("filtering-compact-refusals", .covers = {Symbol::compact_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Arrays arrays(c, 64);
    Desc good = arrays.desc_for(Mask(64, 1));
    arrays.with_trigger(good, 64, 0.5f);
    auto refused = [&](eagle_backend_status status, auto&& spoil) {
        Desc desc = good;
        spoil(desc);
        ROW_STATUS(c, c.seam.compact_device(&desc), status);
    };
    ROW_STATUS(c, c.seam.compact_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.struct_size = 71, d.flags = 6; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [&](Desc& d) { d.flags = 7, d.device = c.facts.devices + 3; });
    expect_bits_named(c, 6);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.device = -2; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.reserved2 = 5; });
    for (const std::int64_t n : {std::int64_t(-1), std::numeric_limits<std::int64_t>::min()}) {
        refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.n = n; });
        refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.n = n, d.scratch = 0; });
    }
    refused(EAGLE_BACKEND_UNSUPPORTED, [](Desc& d) { d.n = std::int64_t(1) << 31; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.mask = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.index_map = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.count = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.span = 0; });
    for (const float theta : {0.0f, 1.0f, -0.5f, 2.0f, std::numeric_limits<float>::quiet_NaN()}) {
        refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.theta = theta; });
    }
    arrays.stream.synchronize();
    ROW_EQ(c, arrays.words.download(), (std::vector<std::uint32_t>{999, 999, 64, 999}));
    ROW_EQ(c, arrays.map_of(64), std::vector<std::int32_t>(65, untouched));
}
