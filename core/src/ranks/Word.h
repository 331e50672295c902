// What ranks send each other.
#pragma once
#include <eagle/RankMessages.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace eagle::ranks {

// One rank's word at a meeting, of one size on all of them.
struct Word {
    enum Failure : std::int64_t { none = 0, own = 1, asked_to_stop = 2 };

    std::int64_t failed = none;
    std::int64_t fault = 0, index = 0, sample = 0;  // as in Control
    std::uint64_t meeting = 0;
    std::int64_t samples = 0;
    std::int64_t numbers = 0;          // how many scalar arguments
    std::uint64_t numbers_digest = 0;  // of their names and bits
    std::uint64_t pieces_digest = 0;   // of what is exchanged behind the meeting
    char call[56] = {};
    char kernel[104] = {};
    char text[280] = {};
};
static_assert(sizeof(Word) == 512);

template <std::size_t Size>
void put(char (&to)[Size], std::string_view text) {
    std::size_t size = std::min(text.size(), Size - 1);
    // Python takes no half of a character.
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
    std::memcpy(to, text.data(), size);
}

// FNV-1a (Fowler, Noll, Vo).
inline std::uint64_t digest(const void* data, std::size_t size, std::uint64_t from = 0xcbf29ce484222325u) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) from = (from ^ bytes[i]) * 0x100000001b3u;
    return from;
}

// What all words of a meeting come to, where every rank says the same.
struct Sum {
    std::uint64_t low, high;  // digests of what was said
    std::uint64_t trouble;    // a failure, or a fault inside a kernel, anywhere

    static Sum of(const Word& word) {
        const std::uint64_t said = digest(&word.meeting, offsetof(Word, text) - offsetof(Word, meeting));
        return {said, said, word.failed != 0 || word.fault != 0};
    }
    void add(const Sum& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        trouble |= other.trouble;
    }
    bool alike() const { return low == high && trouble == 0; }
};

// One message of RankMessages.
struct Message {
    enum Kind : std::uint32_t {
        sum,   // a round of a meeting
        word,  // where the sums of a meeting differ
        stop,  // the meeting is to be soon: the sender was interrupted, or failed
        left,  // the sender meets no more, from that meeting on; the word's text says why
    };
    std::uint32_t kind = sum;
    std::int32_t from = 0;
    std::uint32_t round = 0, unused = 0;
    std::uint64_t meeting = 0;
    Sum of{};
    Word said;
    std::byte rest[RankMessages::size - 560] = {};
};
static_assert(sizeof(Message) == RankMessages::size);

}  // namespace eagle::ranks
