// Compaction against a loop that asks one sample after the other.
#include <algorithm>
#include <cstring>

#include "Gate.h"
#include "Masks.h"

using client::Gate;
using client::Stream;
using namespace filtering;

namespace {

using Desc = struct eagle_backend_compact_desc;

constexpr std::int32_t untouched = -77;

// The arrays of one compaction; all memory is exactly as large as the contract says.
struct Compaction {
    Mask mask;
    std::vector<std::int32_t> map;
    std::uint32_t count = 999, live32 = 999, span = 0, fire = 999;
    std::vector<std::uint8_t> scratch;
    Desc desc = client::make<Desc>();

    explicit Compaction(Mask bytes, std::uint32_t flags = 0) : mask(std::move(bytes)), map(mask.size(), untouched) {
        desc.flags = flags;
        desc.n = static_cast<std::int64_t>(mask.size());
        EXPECT_EQ(client::compact_device(&desc), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_GT(desc.scratch_bytes, 0);
        scratch.resize(static_cast<std::size_t>(desc.scratch_bytes));
        desc.mask = at(mask.data());
        desc.index_map = at(map.data());
        desc.count = at(&count);
        desc.scratch = at(scratch.data());
        desc.live32 = at(&live32);
    }
    void with_trigger(std::uint32_t in_use, float theta) {
        span = in_use;
        desc.span = at(&span);
        desc.fire = at(&fire);
        desc.theta = theta;
    }
    void run() { ASSERT_EQ(client::compact_device(&desc), EAGLE_BACKEND_OK) << client::last_error(); }
};

struct Expected {
    std::vector<std::int32_t> map;
    std::uint32_t count = 0, live32 = 0;
};

Expected expected(const Mask& mask, bool is_drop) {
    Expected e{std::vector<std::int32_t>(mask.size(), untouched)};
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if ((mask[i] == 0) == is_drop) e.map[e.count++] = static_cast<std::int32_t>(i);
    }
    for (std::size_t group = 0; group < mask.size(); group += 32) {
        bool live = false;
        for (std::size_t i = group; i < std::min(group + 32, mask.size()); ++i)
            live = live || (mask[i] == 0) == is_drop;
        e.live32 += live ? 1 : 0;
    }
    return e;
}

TEST(Compact, every_size_and_pattern) {
    for (std::int64_t n : sizes) {
        for (const Pattern& pattern : patterns) {
            for (std::uint32_t flags : {0u, EAGLE_BACKEND_COMPACT_MASK_IS_DROP}) {
                Compaction c(pattern.make(static_cast<std::size_t>(n)), flags);
                const Mask before = c.mask;
                c.run();
                const Expected e = expected(before, flags != 0);
                ASSERT_EQ(c.count, e.count) << n << ' ' << pattern.name << ' ' << flags;
                ASSERT_EQ(c.live32, e.live32) << n << ' ' << pattern.name << ' ' << flags;
                ASSERT_EQ(c.map, e.map) << n << ' ' << pattern.name << ' ' << flags;
                ASSERT_EQ(c.mask, before);
            }
        }
    }
}

void expect_right(std::size_t n, double share) {
    Compaction c(random_mask(n, share, 13));
    c.run();
    const Expected e = expected(c.mask, false);
    EXPECT_EQ(c.count, e.count) << n << ' ' << share;
    EXPECT_EQ(c.live32, e.live32) << n << ' ' << share;
    EXPECT_TRUE(c.map == e.map) << n << ' ' << share;
}

void expect_right_for_few_and_many(std::size_t n) {
    for (double share : {0.0, 0.01, 0.04, 0.5, 0.9, 1.0}) expect_right(n, share);
}

TEST(Compact, samples_that_are_compacted_in_two_rounds) {
    constexpr std::size_t least = 1 << 18, a_block = 16384;
    for (std::size_t n : {least - 1, least, least + 1, least + a_block - 1, least + a_block, least + 77})
        expect_right_for_few_and_many(n);
}

TEST(Compact, samples_that_are_too_many_for_two_rounds) {
    constexpr std::size_t most = 1 << 22, a_block = 32768;  // from here on in one pass over larger blocks
    for (std::size_t n : {most, most + 1, most + a_block - 1, most + a_block}) {
        expect_right(n, 0.01);
        expect_right(n, 0.5);
    }
}

TEST(Compact, a_mask_whose_blocks_differ) {
    Compaction c(random_mask(std::size_t(1) << 20, 0.7, 14));
    for (std::size_t b = 0; b < 64; ++b) {
        if (b % 3 == 0) continue;
        for (std::size_t i = 0; i < 16384; ++i) {
            auto& m = c.mask[b * 16384 + i];
            m = b % 3 == 1 ? 0 : m && i % 100 == 0;
        }
    }
    for (int i = 0; i < 20; ++i) {
        std::fill(c.map.begin(), c.map.end(), untouched);
        c.run();
        const Expected e = expected(c.mask, false);
        ASSERT_EQ(c.live32, e.live32);
        ASSERT_TRUE(c.map == e.map);
    }
}

TEST(Compact, a_map_that_is_too_large_for_the_caches) { expect_right(std::size_t(18) << 20, 0.95); }

TEST(Compact, the_same_bits_every_time) {
    Compaction c(random_mask(large, 0.3, 11));
    c.run();
    EXPECT_EQ(c.map, expected(c.mask, false).map);
    const auto first = c.map;
    for (int i = 0; i < 20; ++i) {
        std::fill(c.map.begin(), c.map.end(), untouched);
        c.run();
        ASSERT_EQ(c.map, first);
    }
}

TEST(Compact, memory_may_begin_anywhere) {
    Compaction c(random_mask(20001, 0.5, 12));
    Mask shifted(c.mask.size() + 1);
    std::memcpy(shifted.data() + 1, c.mask.data(), c.mask.size());
    std::vector<std::uint8_t> scratch(c.scratch.size() + 5);
    c.desc.mask = at(shifted.data() + 1);
    c.desc.scratch = at(scratch.data() + 5);
    c.run();
    EXPECT_EQ(c.map, expected(c.mask, false).map);
}

TEST(Compact, a_query_writes_the_bytes_of_scratch_alone) {
    for (std::int64_t n : {0, 1, 1000, 1000000}) {
        Desc desc = client::make<Desc>(), before;
        desc.n = n;
        desc.mask = desc.index_map = desc.count = desc.live32 = desc.fire = 8;  // never followed
        desc.theta = 0.5f;
        desc.scratch_bytes = -1;
        before = desc;
        ASSERT_EQ(client::compact_device(&desc), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_GT(desc.scratch_bytes, 0);
        before.scratch_bytes = desc.scratch_bytes;
        EXPECT_EQ(std::memcmp(&desc, &before, sizeof desc), 0);
    }
}

TEST(Compact, a_caller_of_the_first_published_part_is_served) {
    Compaction c(random_mask(5000, 0.5, 13));
    c.desc.struct_size = 72;
    c.run();
    EXPECT_EQ(c.map, expected(c.mask, false).map);
    EXPECT_EQ(c.live32, 999u);  // beyond what the caller knows of
}

TEST(Compact, no_samples_leave_a_count_of_zero) {
    Compaction c{Mask{}};
    c.with_trigger(4096, 0.5f);
    c.desc.mask = c.desc.index_map = 0;
    c.run();
    EXPECT_EQ(c.count, 0u);
    EXPECT_EQ(c.live32, 0u);
    EXPECT_EQ(c.fire, 0u);
}

// 256 groups of 32 samples, of each of which `kept` are kept.
Mask thinned(std::size_t kept) {
    Mask mask(8192, 0);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 32 < kept ? 1 : 0;
    return mask;
}

std::uint32_t fired(const Mask& mask, std::uint32_t span, float theta) {
    Compaction c(mask);
    c.with_trigger(span, theta);
    c.run();
    EXPECT_EQ(c.span, span);
    return c.fire;
}

TEST(Compact, fires_where_live_groups_are_thin_and_the_span_is_worth_it) {
    EXPECT_EQ(fired(thinned(15), 8192, 0.5f), 1u);
    EXPECT_EQ(fired(thinned(16), 8192, 0.5f), 0u);  // 4096 is not less than 0.5 * 32 * 256
    EXPECT_EQ(fired(thinned(15), 4096, 0.5f), 1u);
    EXPECT_EQ(fired(thinned(15), 4095, 0.5f), 0u);  // too small to be worth it
    EXPECT_EQ(fired(thinned(15), 0, 0.5f), 0u);
    Mask tight(8192, 0);
    std::fill(tight.begin(), tight.begin() + 4096, 1);  // nothing to gain: full groups
    EXPECT_EQ(fired(tight, 8192, 0.99f), 0u);
    EXPECT_EQ(fired(thinned(20), 5120, 0.99f), 0u);  // 5120 kept: the span is as small as it can be
    EXPECT_EQ(fired(thinned(20), 5121, 0.99f), 1u);
    EXPECT_EQ(fired(Mask(8192, 0), 8192, 0.5f), 0u);  // 0 is not less than 0
}

// 0.9f is 0.89999997615814; times 32 * 312502 that is 9000057.36, which single precision rounds to 9000057.
TEST(Compact, the_trigger_s_product_is_made_in_double) {
    const std::size_t n = 32 * 312502;
    ASSERT_EQ(0.9f * 32.0f * 312502.0f, 9000057.0f);
    Mask mask(n, 1);
    std::size_t kept = n;
    for (std::size_t i = 0; kept > 9000057; ++i) {
        if (i % 32 != 0) mask[i] = 0, --kept;  // every group keeps its first
    }
    EXPECT_EQ(fired(mask, static_cast<std::uint32_t>(n), 0.9f), 1u);
    mask[1] = 1;
    EXPECT_EQ(fired(mask, static_cast<std::uint32_t>(n), 0.9f), 0u);
}

TEST(Compact, waits_for_the_work_before_it_and_reads_the_span_then) {
    Stream stream;
    Compaction c(Mask(8192, 0));
    Mask later = thinned(3);
    c.with_trigger(0, 0.5f);
    c.desc.stream = stream.raw();
    std::uint32_t span_later = 8192;
    {
        Gate gate(stream.raw());
        ASSERT_EQ(client::memcpy(at(c.mask.data()), at(later.data()), later.size(), 2, stream.raw()), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::memcpy(at(&c.span), at(&span_later), 4, 2, stream.raw()), EAGLE_BACKEND_OK);
        c.run();
        const std::uint64_t map = c.desc.index_map;
        std::memset(&c.desc, 0xee, sizeof c.desc);  // nothing of it is read any more
        c.desc.index_map = map;
        EXPECT_EQ(c.count, 999u);
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(c.map, expected(later, false).map);
    EXPECT_EQ(c.fire, 1u);
}

}  // namespace
