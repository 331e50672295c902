// Reorder and reset against records that are sorted one by one.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <tuple>

#include "Gate.h"
#include "Masks.h"

using client::Gate;
using client::Stream;
using namespace filtering;

namespace {

using Desc = struct eagle_backend_reorder_desc;
using Wide = std::array<std::uint64_t, 2>;

// A state of n samples in five planes, one of each width, of which the first is the mask.
struct State {
    Mask mask;
    std::vector<std::uint16_t> halves;
    std::vector<std::uint32_t> words;
    std::vector<double> reals;
    std::vector<Wide> wides;
    std::vector<std::int32_t> perm, inv, map;
    std::uint32_t count = 999, span = 0, fire = 1;

    explicit State(Mask bytes) : mask(std::move(bytes)), span(static_cast<std::uint32_t>(mask.size())) {
        const std::size_t n = mask.size();
        for (std::size_t i = 0; i < n; ++i) {
            halves.push_back(static_cast<std::uint16_t>(i * 7));
            words.push_back(static_cast<std::uint32_t>(i * 2654435761u));
            reals.push_back(static_cast<double>(i) * 0.25);
            wides.push_back({i, ~std::uint64_t(i)});
        }
        perm.resize(n);
        std::iota(perm.begin(), perm.end(), 0);
        inv = perm;
        map.assign(n, -77);
    }
    auto tie() const { return std::tie(mask, halves, words, reals, wides, perm, inv, map, count, span, fire); }
    bool operator==(const State& other) const { return tie() == other.tie(); }
};

// The same samples one by one, without a word of how slots are found in blocks.
State expected(const State& s, bool is_drop) {
    State out = s;
    std::vector<std::size_t> order;
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < s.span; ++i) {
            const bool kept = (s.mask[i] == 0) == is_drop;
            if (kept == (pass == 0)) order.push_back(i);
        }
        if (pass == 0) out.count = static_cast<std::uint32_t>(order.size());
    }
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        const std::size_t from = order[slot];
        out.mask[slot] = s.mask[from];
        out.halves[slot] = s.halves[from];
        out.words[slot] = s.words[from];
        out.reals[slot] = s.reals[from];
        out.wides[slot] = s.wides[from];
        out.perm[slot] = s.perm[from];
        out.inv[static_cast<std::size_t>(s.perm[from])] = static_cast<std::int32_t>(slot);
    }
    std::iota(out.map.begin(), out.map.begin() + out.count, 0);
    out.span = out.count;
    out.fire = 0;
    return out;
}

struct Reorder {
    std::array<struct eagle_backend_reorder_plane, 5> planes{};
    Desc desc = client::make<Desc>();
    std::vector<std::uint8_t> scratch;

    Reorder(State& s, std::uint32_t flags) {
        planes = {{{at(s.halves.data()), 2, 0},
                   {at(s.mask.data()), 1, 0},
                   {at(s.words.data()), 4, 0},
                   {at(s.wides.data()), 16, 0},
                   {at(s.reals.data()), 8, 0}}};
        desc.flags = flags;
        desc.n_planes = 5;
        desc.planes = at(planes.data());
        desc.mask = at(s.mask.data());
        desc.perm = at(s.perm.data());
        desc.inv = at(s.inv.data());
        desc.index_map = at(s.map.data());
        desc.count = at(&s.count);
        desc.span = at(&s.span);
        desc.fire = at(&s.fire);
        desc.n = static_cast<std::int64_t>(s.mask.size());
        EXPECT_EQ(client::reorder_device(&desc), EAGLE_BACKEND_OK) << client::last_error();
        scratch.resize(static_cast<std::size_t>(desc.scratch_bytes));
        desc.scratch = at(scratch.data());
    }
    void run() { ASSERT_EQ(client::reorder_device(&desc), EAGLE_BACKEND_OK) << client::last_error(); }
};

void reorder(State& s, std::uint32_t flags = 0) { Reorder(s, flags).run(); }

TEST(Reorder, every_size_and_pattern) {
    for (std::int64_t n : sizes) {
        for (const Pattern& pattern : patterns) {
            for (std::uint32_t flags : {0u, EAGLE_BACKEND_COMPACT_MASK_IS_DROP}) {
                State s(pattern.make(static_cast<std::size_t>(n)));
                const State e = expected(s, flags != 0);
                reorder(s, flags);
                ASSERT_TRUE(s == e) << n << ' ' << pattern.name << ' ' << flags;
            }
        }
    }
}

TEST(Reorder, many_samples) {
    State s(random_mask(large, 0.5, 20));
    const State e = expected(s, false);
    reorder(s);
    ASSERT_TRUE(s == e);
}

TEST(Reorder, samples_past_the_span_stay_and_later_ones_build_on_earlier_ones) {
    State s(random_mask(100003, 0.8, 21));
    s.span = 70001;
    for (std::uint32_t seed = 22; seed < 26; ++seed) {
        const State e = expected(s, false);
        reorder(s);
        ASSERT_TRUE(s == e) << seed;
        for (std::size_t i = 0; i < s.mask.size(); ++i) {
            ASSERT_EQ(s.perm[static_cast<std::size_t>(s.inv[i])], static_cast<std::int32_t>(i));
        }
        const Mask thinner = random_mask(s.span, 0.8, seed);
        std::copy(thinner.begin(), thinner.end(), s.mask.begin());
        s.fire = 1;
    }
}

TEST(Reorder, a_span_beyond_the_samples_is_all_of_them) {
    State s(random_mask(5000, 0.5, 27)), whole = s;
    s.span = 0xffffffffu;
    reorder(s);
    reorder(whole);
    EXPECT_TRUE(s == whole);
}

TEST(Reorder, does_nothing_while_the_fire_word_is_zero) {
    State s(random_mask(5000, 0.5, 28));
    s.fire = 0;
    const State before = s;
    reorder(s);
    EXPECT_TRUE(s == before);
}

TEST(Reorder, without_a_fire_word_it_always_does) {
    State s(random_mask(5000, 0.5, 29));
    State e = expected(s, false);
    e.fire = 1;
    Reorder call(s, 0);
    call.desc.fire = 0;
    call.run();
    EXPECT_TRUE(s == e);
}

TEST(Reorder, a_permutation_that_names_no_sample_writes_nothing_outside) {
    State s(random_mask(300, 0.5, 30));
    s.perm[4] = -1;
    s.perm[5] = 300;
    reorder(s);
    EXPECT_EQ(s.inv.size(), 300u);
}

TEST(Reorder, waits_for_compaction_and_fires_on_what_it_found) {
    Stream stream;
    State s(Mask(8192, 1));
    for (std::size_t i = 0; i < 8192; ++i) s.mask[i] = i % 32 == 5 ? 1 : 0;
    s.fire = 0;
    State e = expected(s, false);
    auto compact = client::make<struct eagle_backend_compact_desc>();
    compact.n = 8192;
    ASSERT_EQ(client::compact_device(&compact), EAGLE_BACKEND_OK);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(compact.scratch_bytes));
    compact.mask = at(s.mask.data());
    compact.index_map = at(s.map.data());
    compact.count = at(&s.count);
    compact.scratch = at(scratch.data());
    compact.span = at(&s.span);
    compact.fire = at(&s.fire);
    compact.theta = 0.25f;
    compact.stream = stream.raw();
    Reorder call(s, 0);
    call.desc.stream = stream.raw();
    {
        Gate gate(stream.raw());
        ASSERT_EQ(client::compact_device(&compact), EAGLE_BACKEND_OK) << client::last_error();
        call.run();
        call.planes = {};  // the rows were read at the call
        EXPECT_EQ(s.span, 8192u);
        gate.open();
    }
    stream.synchronize();
    EXPECT_TRUE(s == e);
}

TEST(Reorder, a_query_writes_the_bytes_of_scratch_alone) {
    const struct eagle_backend_reorder_plane rows[2] = {{0, 1, 0}, {0, 16, 0}};
    Desc desc = client::make<Desc>(), before;
    desc.n_planes = 2;
    desc.planes = at(rows);
    desc.n = 1000;
    desc.scratch_bytes = -1;
    before = desc;
    ASSERT_EQ(client::reorder_device(&desc), EAGLE_BACKEND_OK) << client::last_error();
    EXPECT_GE(desc.scratch_bytes, 16000);  // the widest plane once
    before.scratch_bytes = desc.scratch_bytes;
    EXPECT_EQ(std::memcmp(&desc, &before, sizeof desc), 0);
}

TEST(Reset, makes_every_order_the_identity) {
    for (std::int64_t n : sizes) {
        for (bool with_map : {true, false}) {
            State s(random_mask(static_cast<std::size_t>(n), 0.5, 31));
            reorder(s);
            s.fire = 5;
            const auto map = s.map;
            Desc desc = client::make<Desc>();
            desc.perm = at(s.perm.data());
            desc.inv = at(s.inv.data());
            desc.index_map = with_map ? at(s.map.data()) : 0;
            desc.count = at(&s.count);
            desc.span = at(&s.span);
            desc.n = n;
            ASSERT_EQ(client::reset_device(&desc), EAGLE_BACKEND_OK) << client::last_error();
            std::vector<std::int32_t> identity(static_cast<std::size_t>(n));
            std::iota(identity.begin(), identity.end(), 0);
            EXPECT_EQ(s.perm, identity);
            EXPECT_EQ(s.inv, identity);
            EXPECT_EQ(s.map, with_map ? identity : map);
            EXPECT_EQ(s.count, n);
            EXPECT_EQ(s.span, n);
            EXPECT_EQ(s.fire, 5u);
        }
    }
}

}  // namespace
