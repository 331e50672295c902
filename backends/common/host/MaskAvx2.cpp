#include "MaskAvx2.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <bit>

#define EAGLE_AVX2 __attribute__((target("avx2,bmi,popcnt")))

namespace eagle::host::avx2 {
namespace {

// Row b holds the positions of the set bits of b. As wide as they are stored: one load less than a table of bytes that
// have to be widened, and 8 KB of the nearest cache.
constexpr int in_a_byte = 8;
struct alignas(64) Positions {
    std::int32_t of[256][in_a_byte];
};
constexpr Positions positions = [] {
    Positions rows{};
    for (unsigned b = 0; b < 256; ++b) {
        for (unsigned bit = 0, at = 0; bit < in_a_byte; ++bit) {
            if (b >> bit & 1u) rows.of[b][at++] = static_cast<std::int32_t>(bit);
        }
    }
    return rows;
}();

// Bit i is set where byte i is zero.
EAGLE_AVX2 std::uint64_t zeros_of_32(const std::uint8_t* bytes) {
    const __m256i found = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
}

// How many halves of the words have a bit. Asked after all words are made, so that no wide load meets a narrow store
// that is under way.
EAGLE_AVX2 std::uint32_t live_groups(const std::uint64_t* words, std::int64_t n) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i empty = zero;  // minus how many, in each lane
    std::int64_t w = 0;
    for (; w + 4 <= n; w += 4) {
        const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + w));
        empty = _mm256_add_epi32(empty, _mm256_cmpeq_epi32(halves, zero));
    }
    alignas(32) std::int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), empty);
    auto live = static_cast<std::uint32_t>(2 * w);
    for (std::int32_t lane : lanes) live += static_cast<std::uint32_t>(lane);
    for (; w < n; ++w) live += (static_cast<std::uint32_t>(words[w]) != 0) + (words[w] >> 32u != 0);
    return live;
}

std::int32_t* write_exactly(std::uint64_t bits, std::int32_t first, std::int32_t* out) {
    for (; bits; bits &= bits - 1) *out++ = first + std::countr_zero(bits);
    return out;
}

// The samples of a word that keeps few. Two are written whatever it keeps: no branch depends on whether it has none,
// one or two, and few words have more.
constexpr std::int64_t always_written = 2;
EAGLE_AVX2 std::int32_t* write_few(std::uint64_t bits, std::int32_t first, std::int32_t* out) {
    std::int32_t* const end = out + __builtin_popcountll(bits);
    for (std::int64_t i = 0; i < always_written; ++i, bits &= bits - 1) {
        *out++ = first + static_cast<std::int32_t>(__builtin_ia32_tzcnt_u64(bits));
    }
    if (bits != 0) [[unlikely]]
        write_exactly(bits, first, out);
    return end;
}

// The samples of a word, by whole vectors of those of each byte.
EAGLE_AVX2 std::int32_t* write_many(std::uint64_t bits, std::int32_t first, std::int32_t* out) {
    const __m256i eight = _mm256_set1_epi32(in_a_byte);
    __m256i base = _mm256_set1_epi32(first);
#pragma GCC unroll 8
    for (unsigned byte = 0; byte < 8; ++byte) {
        const auto here = static_cast<unsigned>(bits >> 8 * byte & 255u);
        const __m256i at = _mm256_load_si256(reinterpret_cast<const __m256i*>(positions.of[here]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_add_epi32(base, at));
        base = _mm256_add_epi32(base, eight);
        out += __builtin_popcount(here);
    }
    return out;
}

// The bits of a word; the mask behind it is asked for meanwhile.
EAGLE_AVX2 std::uint64_t bits_of(const std::uint8_t* bytes, std::uint64_t inverted) {
    constexpr std::uintptr_t ahead = 2048;  // may lie behind the mask
    _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(bytes) + ahead), _MM_HINT_T0);
    return ~(zeros_of_32(bytes) | zeros_of_32(bytes + 32) << 32u) ^ inverted;
}

}  // namespace

bool is_usable() {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
}

EAGLE_AVX2 MaskCounts find(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out) {
    std::uint64_t kept = 0;
    for (std::int64_t w = 0; w < words; ++w) {
        out[w] = bits_of(bytes + 64 * w, inverted);
        kept += static_cast<std::uint64_t>(__builtin_popcountll(out[w]));
    }
    return {static_cast<std::uint32_t>(kept), live_groups(out, words)};
}

// Near the end, where what others write begins, one sample at a time.
EAGLE_AVX2 void write(const std::uint64_t* words, std::int64_t, std::int32_t first, std::int32_t* out,
                      const std::int32_t* end, bool) {
    for (; out < end && end - out >= __builtin_popcountll(*words) + in_a_byte; first += 64) {
        out = write_many(*words++, first, out);
    }
    for (; out < end; first += 64) out = write_exactly(*words++, first, out);
}

// Bits are found some words ahead of where they are written: memory is read while samples are made.
EAGLE_AVX2 std::int64_t find_few(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted,
                                 std::int32_t first, std::int32_t* out, std::uint32_t* live_groups_found) {
    constexpr std::int64_t ahead = 8;
    std::uint64_t bits[MaskCode::most_few_words];
    const std::int32_t* const begin = out;
    for (std::int64_t w = 0; w < ahead; ++w) bits[w] = bits_of(bytes + 64 * w, inverted);
    for (std::int64_t done = 0; done < words; done += ahead) {
        if (out - begin > MaskCode::most_few - 64 * ahead) return -1;
        const bool is_last = done + ahead == words;
        for (std::int64_t w = done; w < done + ahead; ++w, first += 64) {
            if (!is_last) bits[w + ahead] = bits_of(bytes + 64 * (w + ahead), inverted);
            out = write_few(bits[w], first, out);
        }
    }
    *live_groups_found = live_groups(bits, words);
    return out - begin;
}

}  // namespace eagle::host::avx2
#endif
