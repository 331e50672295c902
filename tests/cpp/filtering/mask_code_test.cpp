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
                std::vector<std::int32_t> found(wanted.size() + 16, -5);
                code.write(words.data(), 37, 1000, found.data(), found.data() + wanted.size());
                wanted.resize(wanted.size() + 16, -5);  // nothing past the end
                EXPECT_EQ(found, wanted) << code.name << ' ' << pattern.name;
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
                EXPECT_EQ(kept >= 0, share < 0.03) << share;  // at three in a hundred most groups have neighbours
                if (kept < 0) continue;
                found.resize(static_cast<std::size_t>(kept));
                EXPECT_EQ(found, wanted) << code.name << ' ' << share;
                EXPECT_EQ(live, groups) << code.name << ' ' << share;
            }
        }
    }
}

// Maps that begin at every place of a line of the cache, and nothing is written on either side of them.
TEST(MaskCode, slots_are_found_and_written_as_samples) {
    constexpr std::size_t slots = 32, n = MaskCode::a_slot * slots, margin = 16;
    for (const MaskCode& code : MaskCode::usable()) {
        if (!code.find_slots) continue;
        for (const Pattern& pattern : patterns) {
            const Mask mask = pattern.make(n);
            for (std::uint64_t inverted : {std::uint64_t(0), ~std::uint64_t(0)}) {
                std::vector<std::int32_t> samples;
                std::uint32_t groups = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    if ((mask[i] != 0) == (inverted != 0)) continue;
                    if (samples.empty() || (samples.back() - 1000) / 32 != std::int32_t(i / 32)) ++groups;
                    samples.push_back(static_cast<std::int32_t>(1000 + i));
                }
                std::vector<std::uint8_t> storage(n + 2 * MaskCode::slot_margin);
                std::uint8_t* positions = storage.data() + MaskCode::slot_margin;
                std::vector<std::uint16_t> kept(slots);
                const MaskCounts counts = code.find_slots(mask.data(), slots, inverted, positions, kept.data());
                ASSERT_EQ(counts.kept, samples.size()) << code.name << ' ' << pattern.name;
                EXPECT_EQ(counts.live_groups, groups) << code.name << ' ' << pattern.name;
                for (std::size_t begin = 0; begin < 32; ++begin) {
                    std::vector<std::int32_t> map(begin + samples.size() + margin, -5), wanted = map;
                    std::copy(samples.begin(), samples.end(), wanted.begin() + std::ptrdiff_t(begin));
                    std::int32_t* out = map.data() + begin;
                    code.write_slots(positions, kept.data(), slots, 1000, out, out + samples.size(), begin % 2 != 0);
                    EXPECT_EQ(map, wanted) << code.name << ' ' << pattern.name << " from " << begin;
                }
            }
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
