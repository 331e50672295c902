// Compaction, reorder and reset inside graphs: decided where the work runs, from what the nodes before them left.
#include "Recording.h"

using namespace client;

namespace {

template <class T>
std::uint64_t at(std::vector<T>& values) {
    return std::uint64_t(values.data());
}

// params: mask, k. Drops every sample that k divides.
void mark_multiples(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    std::uint8_t* mask = *static_cast<std::uint8_t* const*>(params[0]);
    std::int64_t k = **static_cast<const std::int64_t* const*>(params[1]);
    for (std::int64_t i = base; i < base + count; ++i) mask[i] = i % k == 0;
}

TEST(Filtering, a_compaction_is_a_node_that_reads_the_mask_at_each_replay) {
    constexpr std::int64_t n = 1000;
    Stream stream;
    std::vector<std::uint8_t> mask(n, 1);
    std::vector<std::int32_t> map(n, -1);
    std::vector<std::uint32_t> count(1, 77);
    std::int64_t k = 2, *k_at = &k;
    std::uint8_t* mask_at = mask.data();
    auto desc = make<struct eagle_backend_compact_desc>();
    desc.flags = EAGLE_BACKEND_COMPACT_MASK_IS_DROP;
    desc.mask = at(mask);
    desc.index_map = at(map);
    desc.count = at(count);
    desc.n = n;
    desc.stream = stream.raw();
    ASSERT_EQ(compact_device(&desc), EAGLE_BACKEND_OK) << last_error();
    std::vector<std::byte> scratch(std::size_t(desc.scratch_bytes) + 64);
    desc.scratch = (at(scratch) + 63) / 64 * 64;

    Recording recording(stream.raw());
    Launch(&mark_multiples, 0, n, stream.raw(), mask_at, k_at).run();
    ASSERT_EQ(compact_device(&desc), EAGLE_BACKEND_OK) << last_error();
    auto nodes = nodes_so_far(stream.raw());
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    EXPECT_EQ(count[0], 77u);
    EXPECT_EQ(map[0], -1);
    for (std::int64_t divisor : {2, 7, 1, 1000}) {
        k = divisor;
        replay(launcher);
        std::vector<std::int32_t> wanted;
        for (std::int32_t i = 0; i < n; ++i) {
            if (i % divisor != 0) wanted.push_back(i);
        }
        ASSERT_EQ(count[0], wanted.size()) << divisor;
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), map.begin())) << divisor;
    }
    std::int32_t toggleable = 0;
    ASSERT_EQ(is_node_toggleable(nodes[1], &toggleable), EAGLE_BACKEND_OK);
    EXPECT_EQ(toggleable, 1);
    ASSERT_EQ(launcher_set_node_enabled(launcher.get(), nodes[1], 0), EAGLE_BACKEND_OK) << last_error();
    count[0] = 5;
    replay(launcher);
    EXPECT_EQ(count[0], 5u);
}

TEST(Filtering, a_reset_is_a_node) {
    constexpr std::int64_t n = 100;
    Stream stream;
    std::vector<std::int32_t> perm(n, 7), inv(n, 7);
    std::vector<std::uint32_t> count(1, 3), span(1, 3);
    auto desc = make<struct eagle_backend_reorder_desc>();
    desc.perm = at(perm);
    desc.inv = at(inv);
    desc.count = at(count);
    desc.span = at(span);
    desc.n = n;
    desc.stream = stream.raw();
    Recording recording(stream.raw());
    ASSERT_EQ(reset_device(&desc), EAGLE_BACKEND_OK) << last_error();
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    EXPECT_EQ(perm[5], 7);
    EXPECT_EQ(span[0], 3u);
    replay(launcher);
    for (std::int32_t i = 0; i < n; ++i) {
        ASSERT_EQ(perm[std::size_t(i)], i);
        ASSERT_EQ(inv[std::size_t(i)], i);
    }
    EXPECT_EQ(count[0], 100u);
    EXPECT_EQ(span[0], 100u);
}

}  // namespace
