// The inner loops of every instruction set that this processor has, against one another's definition.
#include "../../../backends/common/host/MaskCode.h"
#include "Masks.h"

using namespace eagle::host;
using namespace filtering;

namespace {

TEST(MaskCode, every_instruction_set_finds_and_writes_the_same) {
    for (const MaskCode& code : MaskCode::usable()) {
        for (const Pattern& pattern : patterns) {
            for (std::uint64_t inverted : {std::uint64_t(0), ~std::uint64_t(0)}) {
                const std::size_t n = 64 * 37;
                const Mask mask = pattern.make(n);
                std::vector<std::int32_t> wanted;
                for (std::size_t i = 0; i < n; ++i) {
                    if ((mask[i] != 0) != (inverted != 0)) wanted.push_back(static_cast<std::int32_t>(1000 + i));
                }
                std::vector<std::uint64_t> words(37);
                const MaskCounts counts = code.find(mask.data(), 37, inverted, words.data());
                EXPECT_EQ(counts.kept, wanted.size()) << code.name << ' ' << pattern.name;
                wanted.resize(wanted.size() + 16, -5);  // nothing past the end
                for (bool past_the_caches : {false, true}) {
                    std::vector<std::int32_t> found(wanted.size(), -5);
                    code.write(words.data(), 37, 1000, found.data(), found.data() + wanted.size() - 16,
                               past_the_caches);
                    EXPECT_EQ(found, wanted) << code.name << ' ' << pattern.name << ' ' << past_the_caches;
                }
            }
        }
    }
}

// Where it says that they are too many it may have written anything into the room that it was given.
TEST(MaskCode, few_are_found_at_once_or_refused) {
    constexpr std::size_t words = 256, n = 64 * words;
    for (const MaskCode& code : MaskCode::usable()) {
        if (!code.find_few) continue;
        for (double share : {0.0, 0.0005, 0.005, 0.01, 0.02, 0.03, 0.1, 1.0}) {
            for (bool is_drop : {false, true}) {
                Mask mask = random_mask(n, share, 21);
                for (std::size_t i = 5000; i < 5040 && share < 0.03; ++i) mask[i] = 7;  // some that lie close
                if (is_drop)
                    for (auto& m : mask) m = m == 0 ? 1 : 0;
                std::vector<std::int32_t> wanted, found(MaskCode::few_room + 1, -5);
                std::uint32_t groups = 0, live = 77;
                for (std::size_t i = 0; i < n; ++i) {
                    if ((mask[i] != 0) == is_drop) continue;
                    if (wanted.empty() || (wanted.back() - 1000) / 32 != std::int32_t(i / 32)) ++groups;
                    wanted.push_back(static_cast<std::int32_t>(1000 + i));
                }
                const std::int64_t kept =
                    code.find_few(mask.data(), words, is_drop ? ~std::uint64_t(0) : 0, 1000, found.data(), &live);
                EXPECT_EQ(found.back(), -5) << share;
                if (share < 0.03) {
                    EXPECT_GE(kept, 0) << code.name << ' ' << share;
                } else if (share >= 0.1) {
                    EXPECT_EQ(kept, -1) << code.name << ' ' << share;  // more than most_few
                }
                if (kept < 0) continue;
                found.resize(static_cast<std::size_t>(kept));
                EXPECT_EQ(found, wanted) << code.name << ' ' << share;
                EXPECT_EQ(live, groups) << code.name << ' ' << share;
            }
        }
    }
}

// Maps that begin at every place of a line of the cache, and nothing is written on either side of them.
TEST(MaskCode, samples_are_written_from_every_place_of_a_line) {
    constexpr std::size_t words = 131, n = 64 * words, margin = 16;
    for (const MaskCode& code : MaskCode::usable()) {
        for (const Pattern& pattern : patterns) {
            const Mask mask = pattern.make(n);
            std::vector<std::int32_t> samples;
            for (std::size_t i = 0; i < n; ++i) {
                if (mask[i] != 0) samples.push_back(static_cast<std::int32_t>(1000 + i));
            }
            std::vector<std::uint64_t> bits(words);
            code.find(mask.data(), words, 0, bits.data());
            for (std::size_t begin = 0; begin < 32; ++begin) {
                std::vector<std::int32_t> map(begin + samples.size() + margin, -5), wanted = map;
                std::copy(samples.begin(), samples.end(), wanted.begin() + std::ptrdiff_t(begin));
                std::int32_t* out = map.data() + begin;
                code.write(bits.data(), words, 1000, out, out + samples.size(), begin % 2 != 0);
                EXPECT_EQ(map, wanted) << code.name << ' ' << pattern.name << " from " << begin;
            }
        }
    }
}

TEST(MaskCode, few_are_found_from_every_place_of_a_line) {
    constexpr std::size_t words = 64, n = 64 * words;
    const Mask mask = random_mask(n + 64, 0.008, 23);
    for (const MaskCode& code : MaskCode::usable()) {
        if (!code.find_few) continue;
        for (std::size_t begin = 0; begin < 64; ++begin) {
            std::vector<std::int32_t> wanted, found(MaskCode::few_room);
            for (std::size_t i = 0; i < n; ++i) {
                if (mask[begin + i] != 0) wanted.push_back(static_cast<std::int32_t>(i));
            }
            std::uint32_t live = 0;
            const std::int64_t kept = code.find_few(mask.data() + begin, words, 0, 0, found.data(), &live);
            ASSERT_EQ(kept, std::int64_t(wanted.size())) << code.name << " from " << begin;
            found.resize(wanted.size());
            EXPECT_EQ(found, wanted) << code.name << " from " << begin;
        }
    }
}

// Masks that begin at every place of a line, and numbers of words that are no multiple of those found at once.
TEST(MaskCode, bits_are_found_from_every_place_of_a_line) {
    constexpr std::size_t most = 77, n = 64 * most;
    const Mask mask = random_mask(n + 64, 0.5, 22);
    for (const MaskCode& code : MaskCode::usable()) {
        for (std::size_t begin = 0; begin < 64; ++begin) {
            const std::size_t words = most - begin;
            std::vector<std::uint64_t> wanted(words + 1, 0), found(words + 1, 5);
            wanted[words] = 5;
            std::uint32_t kept = 0;
            for (std::size_t i = 0; i < 64 * words; ++i) {
                const bool is_kept = mask[begin + i] != 0;
                kept += is_kept;
                wanted[i / 64] |= std::uint64_t(is_kept) << i % 64;
            }
            const auto counts = code.find(mask.data() + begin, std::int64_t(words), 0, found.data());
            EXPECT_EQ(found, wanted) << code.name << " from " << begin;
            EXPECT_EQ(counts.kept, kept) << code.name << " from " << begin;
        }
    }
}

TEST(MaskCode, live_groups_are_counted_by_halves_of_words) {
    Mask mask(192, 0);
    mask[31] = mask[64] = mask[95] = mask[96] = mask[191] = 1;
    std::vector<std::uint64_t> words(3);
    for (const MaskCode& code : MaskCode::usable()) {
        EXPECT_EQ(code.find(mask.data(), 3, 0, words.data()).live_groups, 4u) << code.name;
        EXPECT_EQ(code.find(mask.data(), 3, ~std::uint64_t(0), words.data()).live_groups, 6u) << code.name;
    }
}

TEST(MaskCode, the_portable_loops_are_always_there) {
    ASSERT_FALSE(MaskCode::usable().empty());
    EXPECT_STREQ(MaskCode::usable().front().name, "portable");
}

}  // namespace
