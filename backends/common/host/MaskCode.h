// The inner loops of compaction, once for each instruction set that may be there.
#pragma once
#include <cstdint>
#include <vector>

namespace eagle::host {

struct MaskCounts {
    std::uint32_t kept, live_groups;  // set bits; halves of words that have one
};

struct MaskCode {
    const char* name;
    // 64 bytes a word, bit i set where byte i is not zero, then inverted where `inverted` is all ones.
    MaskCounts (*find)(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out);
    // first + i for every set bit i of the n words, in ascending order, to [out, end), which is exactly their number;
    // past_the_caches where they would find no room there.
    void (*write)(const std::uint64_t* words, std::int64_t n, std::int32_t first, std::int32_t* out,
                  const std::int32_t* end, bool past_the_caches);
    // find() and write() at once of a mask that keeps few: to `out`, which has room for few_room, at most most_few.
    // Returns how many are kept, or -1 where they are too many or lie too close for it to be faster; what `out` and
    // `live_groups` hold then is nothing. Null where there is no such code. `words` is a multiple of 8, at
    // most most_few_words.
    std::int64_t (*find_few)(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::int32_t first,
                             std::int32_t* out, std::uint32_t* live_groups);
    static constexpr std::int64_t most_few = 1024, few_room = most_few + 64, most_few_words = 512;

    // What this processor can run, the fastest last; the first runs everywhere.
    static const std::vector<MaskCode>& usable();
    static const MaskCode& best() { return usable().back(); }
};

}  // namespace eagle::host
