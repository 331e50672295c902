#include "MaskVbmi2.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <array>

// GCC warns of what its own header leaves open on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define EAGLE_VBMI2 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi,popcnt")))

namespace eagle::host::vbmi2 {
namespace {

// Row i holds i / divisor.
template <class Number, std::size_t n>
constexpr std::array<Number, n> counted(unsigned divisor) {
    std::array<Number, n> row{};
    for (unsigned i = 0; i < n; ++i) row[i] = static_cast<Number>(i / divisor);
    return row;
}
alignas(64) constexpr auto byte_numbers = counted<std::uint8_t, 64>(1);
alignas(64) constexpr auto pair_numbers = counted<std::uint8_t, 64>(2);

EAGLE_VBMI2 std::uint64_t bits_of(const std::uint8_t* bytes, std::uint64_t inverted) {
    const __m512i found = _mm512_loadu_si512(bytes);
    return _mm512_test_epi8_mask(found, found) ^ inverted;
}

// Counted eight words at once, after all are written: a wide load that follows narrow stores closely waits for them.
EAGLE_VBMI2 MaskCounts counts_of(const std::uint64_t* words, std::int64_t n) {
    __m512i kept = _mm512_setzero_si512();
    std::uint32_t live = 0;
    for (std::int64_t w = 0; w < n; w += 8) {
        const auto lanes = static_cast<__mmask8>(n - w >= 8 ? 0xff : (1 << (n - w)) - 1);
        const __m512i bits = _mm512_maskz_loadu_epi64(lanes, words + w);
        kept = _mm512_add_epi64(kept, _mm512_popcnt_epi64(bits));
        live += static_cast<std::uint32_t>(__builtin_popcount(_mm512_test_epi32_mask(bits, bits)));
    }
    return {static_cast<std::uint32_t>(_mm512_reduce_add_epi64(kept)), live};
}

// 16 positions in a word, a byte each, as samples.
template <int quarter>
EAGLE_VBMI2 __m512i samples_of(const std::uint8_t* at, __m512i first) {
    const __m128i positions = _mm_load_si128(reinterpret_cast<const __m128i*>(at + 16 * quarter));
    return _mm512_add_epi32(first, _mm512_cvtepu8_epi32(positions));
}

template <int quarter>
EAGLE_VBMI2 void store_vector(std::int32_t* out, const std::uint8_t* at, __m512i first) {
    _mm512_storeu_si512(out + 16 * quarter, samples_of<quarter>(at, first));
}

template <int quarter>
EAGLE_VBMI2 void store_lanes(std::int32_t* out, std::uint64_t lanes, const std::uint8_t* at, __m512i first) {
    const auto here = static_cast<__mmask16>(lanes >> 16u * quarter);
    _mm512_mask_storeu_epi32(out + 16 * quarter, here, samples_of<quarter>(at, first));
}

// A word's samples and nothing else; returns how many they are.
EAGLE_VBMI2 std::int64_t store_exactly(std::int32_t* out, std::uint64_t bits, __m512i first) {
    const std::int64_t kept = __builtin_popcountll(bits);
    const std::uint64_t lanes = kept == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << kept) - 1;
    alignas(64) std::uint8_t at[64];
    _mm512_store_si512(at, _mm512_maskz_compress_epi8(bits, _mm512_load_si512(byte_numbers.data())));
    store_lanes<0>(out, lanes, at, first);
    if (kept > 16) {
        store_lanes<1>(out, lanes, at, first);
        store_lanes<2>(out, lanes, at, first);
        store_lanes<3>(out, lanes, at, first);
    }
    return kept;
}

// A word's samples and whatever fills the vectors that they lie in, up to 64 slots. Half a vector where that is enough:
// what the next word's first store covers again costs most.
EAGLE_VBMI2 void store_vectors(std::int32_t* out, std::int64_t kept, const std::uint8_t* at, __m512i first) {
    store_vector<0>(out, at, first);
    if (kept <= 16) return;
    store_vector<1>(out, at, first);
    if (kept <= 40) {
        const __m128i positions = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at + 32));
        const __m256i samples = _mm256_add_epi32(_mm512_castsi512_si256(first), _mm256_cvtepu8_epi32(positions));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 32), samples);
        return;
    }
    store_vector<2>(out, at, first);
    if (kept > 48) store_vector<3>(out, at, first);
}

struct EightCounts {
    std::int64_t of[8], all;
};

EAGLE_VBMI2 EightCounts kept_of_eight(const std::uint64_t* words) {
    EightCounts kept{};
    for (int w = 0; w < 8; ++w) kept.all += kept.of[w] = __builtin_popcountll(words[w]);
    return kept;
}

// The samples of eight words. The positions of a word's set bits, a byte each, come from one compress. All are
// compressed before the first is written, so that no store waits for it; and no branch depends on where the bits of a
// word lie. Whole vectors: up to 64 slots behind what is kept.
EAGLE_VBMI2 std::int32_t* write_eight(const std::uint64_t* words, const EightCounts& kept, std::int32_t first,
                                      std::int32_t* out) {
    const __m512i numbers = _mm512_load_si512(byte_numbers.data()), a_word = _mm512_set1_epi32(64);
    __m512i base = _mm512_set1_epi32(first);
    alignas(64) std::uint8_t at[8][64];
    for (int w = 0; w < 8; ++w) _mm512_store_si512(at[w], _mm512_maskz_compress_epi8(words[w], numbers));
    for (int w = 0; w < 8; ++w, base = _mm512_add_epi32(base, a_word)) {
        store_vectors(out, kept.of[w], at[w], base);
        out += kept.of[w];
    }
    return out;
}

// The samples of bytes that hold one bit each, where `some` says, at most 16 of them: numbers[i] is the number of byte
// i.
EAGLE_VBMI2 void store_few(__m512i bytes, std::uint64_t some, const void* numbers, std::int32_t first,
                           std::int32_t* out) {
    const __m128i at = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(some, _mm512_load_si512(numbers)));
    const __m128i bit = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(some, bytes));
    const __m512i below = _mm512_popcnt_epi32(_mm512_sub_epi32(_mm512_cvtepu8_epi32(bit), _mm512_set1_epi32(1)));
    const __m512i in_group = _mm512_add_epi32(_mm512_slli_epi32(_mm512_cvtepu8_epi32(at), 3), below);
    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_set1_epi32(first), in_group));
}

EAGLE_VBMI2 std::uint64_t with_several_bits(__m512i bytes, std::uint64_t some) {
    return _mm512_mask_test_epi8_mask(some, bytes, _mm512_sub_epi8(bytes, _mm512_set1_epi8(1)));
}

// The samples of 8 words of which no byte holds two bits. Returns how many, or -1 where it is not so.
EAGLE_VBMI2 std::int64_t write_singles(__m512i words, std::int32_t first, std::int32_t* out) {
    const std::uint64_t some = _mm512_test_epi8_mask(words, words);
    const std::int64_t kept = __builtin_popcountll(some);
    if (with_several_bits(words, some) != 0 || kept > 16) [[unlikely]]
        return -1;
    store_few(words, some, byte_numbers.data(), first, out);
    return kept;
}

// The same of 4 words of which no byte holds three: a byte's lowest bit and the rest of it become two bytes.
EAGLE_VBMI2 std::int64_t write_pairs(__m256i words, std::int32_t first, std::int32_t* out) {
    const __m512i wide = _mm512_cvtepu8_epi16(words);
    const __m512i rest = _mm512_and_si512(wide, _mm512_sub_epi16(wide, _mm512_set1_epi16(1)));
    const __m512i split = _mm512_or_si512(_mm512_xor_si512(wide, rest), _mm512_slli_epi16(rest, 8));
    const std::uint64_t some = _mm512_test_epi8_mask(split, split);
    const std::int64_t kept = __builtin_popcountll(some);
    if (with_several_bits(split, some) != 0 || kept > 16) return -1;
    store_few(split, some, pair_numbers.data(), first, out);
    return kept;
}

// Neighbours are seldom where few are kept, so a group with some is not worth the way of those that keep many.
EAGLE_VBMI2 std::int64_t write_few_pairs(__m512i words, std::int32_t first, std::int32_t* out) {
    const std::int64_t low = write_pairs(_mm512_castsi512_si256(words), first, out);
    if (low < 0) return -1;
    const std::int64_t high = write_pairs(_mm512_extracti64x4_epi64(words, 1), first + 256, out + low);
    return high < 0 ? -1 : low + high;
}

EAGLE_VBMI2 std::int64_t write_any(__m512i words, std::int32_t first, std::int32_t* out) {
    alignas(64) std::uint64_t group[8];
    _mm512_store_si512(group, words);
    const EightCounts kept = kept_of_eight(group);
    write_eight(group, kept, first, out);
    return kept.all;
}

// The bits of 8 words; the mask that comes next is asked for while these are made. The address may lie behind the mask.
EAGLE_VBMI2 void find_eight(const std::uint8_t* bytes, std::uint64_t* out) {
    constexpr std::uintptr_t ahead = 2048;
    auto* masks = reinterpret_cast<__mmask64*>(out);
    for (int w = 0; w < 8; ++w, bytes += 64) {
        _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(bytes) + ahead), _MM_HINT_T0);
        const __m512i found = _mm512_loadu_si512(bytes);
        masks[w] = _mm512_test_epi8_mask(found, found);
    }
}

// The positions of a word's kept samples, in a slot that holds those of four, behind those of the words before.
template <bool is_drop>
EAGLE_VBMI2 std::uint8_t* find_in_slot(const std::uint8_t* bytes, __m512i numbers, std::uint8_t* slot,
                                       std::uint32_t& live) {
    const __m512i found = _mm512_loadu_si512(bytes);
    const __mmask64 kept = is_drop ? _mm512_testn_epi8_mask(found, found) : _mm512_test_epi8_mask(found, found);
    _mm512_storeu_si512(slot, _mm512_maskz_compress_epi8(kept, numbers));
    const std::uint64_t bits = _cvtmask64_u64(kept);
    live += ((bits & 0xffffffffu) != 0) + ((bits >> 32u) != 0);
    return slot + __builtin_popcountll(bits);
}

template <bool is_drop>
EAGLE_VBMI2 std::uint32_t find_slots(const std::uint8_t* bytes, std::int64_t n, std::uint8_t* slots,
                                     std::uint16_t* kept) {
    const __m512i a_word = _mm512_set1_epi8(64), first = _mm512_load_si512(byte_numbers.data());
    const __m512i second = _mm512_add_epi8(first, a_word), third = _mm512_add_epi8(second, a_word);
    const __m512i fourth = _mm512_add_epi8(third, a_word);
    std::uint32_t live = 0;
    for (std::int64_t s = 0; s < n; ++s, bytes += MaskCode::a_slot, slots += MaskCode::a_slot) {
        std::uint8_t* end = find_in_slot<is_drop>(bytes, first, slots, live);
        end = find_in_slot<is_drop>(bytes + 64, second, end, live);
        end = find_in_slot<is_drop>(bytes + 128, third, end, live);
        end = find_in_slot<is_drop>(bytes + 192, fourth, end, live);
        kept[s] = static_cast<std::uint16_t>(end - slots);
    }
    return live;
}

// How many samples lie before `out` in its line of the cache.
unsigned misplaced(const std::int32_t* out) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(out) / sizeof *out % 16);
}

// 16 positions in a slot as samples.
EAGLE_VBMI2 __m512i samples_at(const std::uint8_t* positions, __m512i first) {
    const __m128i at = _mm_loadu_si128(reinterpret_cast<const __m128i*>(positions));
    return _mm512_add_epi32(first, _mm512_cvtepu8_epi32(at));
}

// Each line is written once, and whole but for the first and the last.
template <bool past_the_caches>
EAGLE_VBMI2 void write_lines(const std::uint8_t* slots, const std::uint16_t* kept, std::int64_t n, std::int32_t first,
                             std::int32_t* out) {
    __m512i base = _mm512_set1_epi32(first), line = base;
    auto mine = static_cast<__mmask16>(0xffffu << misplaced(out));
    for (std::int64_t s = 0; s < n; ++s, slots += MaskCode::a_slot) {
        const unsigned before = misplaced(out);
        const std::uint8_t* from = slots - before;
        std::int32_t* to = out - before;
        out += kept[s];
        line = _mm512_mask_mov_epi32(line, static_cast<__mmask16>(0xffffu << before), samples_at(from, base));
        for (; to + 16 <= out; to += 16) {
            if (mine != 0xffff) {
                _mm512_mask_store_epi32(to, mine, line);
                mine = 0xffff;
            } else if (past_the_caches) {
                _mm512_stream_si512(reinterpret_cast<__m512i*>(to), line);
            } else {
                _mm512_store_si512(to, line);
            }
            line = samples_at(from += 16, base);
        }
        base = _mm512_add_epi32(base, _mm512_set1_epi32(MaskCode::a_slot));
    }
    const unsigned rest = misplaced(out);
    _mm512_mask_store_epi32(out - rest, static_cast<__mmask16>(mine & ((1u << rest) - 1)), line);
    if (past_the_caches) _mm_sfence();
}

// By the instruction: a call that may set errno is one more thing to need of libm.
EAGLE_VBMI2 double root_of(double x) { return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x))); }

// The lines of a slot that most slots fill where `kept` are in n.
std::int64_t lines_of_most(std::int64_t kept, std::int64_t n) {
    const double share = double(kept) / double(n * MaskCode::a_slot), mean = share * MaskCode::a_slot;
    const double deviation = root_of(mean * (1 - share));
    return std::min<std::int64_t>(17, 1 + static_cast<std::int64_t>(mean + deviation + 8) / 16);
}

}  // namespace

bool is_usable() {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

EAGLE_VBMI2 MaskCounts find(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out) {
    for (std::int64_t w = 0; w < words; ++w) out[w] = bits_of(bytes + 64 * w, inverted);
    return counts_of(out, words);
}

EAGLE_VBMI2 void write(const std::uint64_t* words, std::int64_t n, std::int32_t first, std::int32_t* out,
                       const std::int32_t* end) {
    for (; n >= 8; words += 8, n -= 8, first += 8 * 64) {
        const EightCounts kept = kept_of_eight(words);
        if (end - out < kept.all + 64) break;
        out = write_eight(words, kept, first, out);
    }
    for (; out < end; first += 64) out += store_exactly(out, *words++, _mm512_set1_epi32(first));
}

// Bits are found four groups of eight words ahead of where they are written: memory is read while samples are made, and
// no wide load meets a narrow store that is under way.
EAGLE_VBMI2 std::int64_t find_few(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted,
                                  std::int32_t first, std::int32_t* out, std::uint32_t* live_groups) {
    constexpr std::int64_t a_group = 8, ahead = 4 * a_group, ring = 2 * ahead;
    alignas(64) std::uint64_t bits[ring];
    const __m512i inversion = _mm512_set1_epi64(static_cast<long long>(inverted));
    const std::int32_t* const begin = out;
    const std::int32_t* const most = out + MaskCode::most_few - a_group * 64;
    std::int64_t tolerated = words / a_group / 2;
    std::uint32_t live = 0;
    for (std::int64_t w = 0; w < words + ahead; w += a_group) {
        if (w < words) find_eight(bytes + 64 * w, bits + w % ring);
        if (w < ahead) continue;
        const auto at = static_cast<std::int32_t>(first + 64 * (w - ahead));
        const __m512i here = _mm512_xor_si512(inversion, _mm512_load_si512(bits + (w - ahead) % ring));
        live += static_cast<std::uint32_t>(__builtin_popcount(_mm512_test_epi32_mask(here, here)));
        std::int64_t kept = write_singles(here, at, out);
        if (kept < 0) [[unlikely]] {
            if (--tolerated < 0) return -1;
            kept = write_few_pairs(here, at, out);
            if (kept < 0) kept = write_any(here, at, out);
        }
        out += kept;
        if (out > most && w < words + ahead - a_group) return -1;
    }
    *live_groups = live;
    return out - begin;
}

EAGLE_VBMI2 MaskCounts find_slots(const std::uint8_t* bytes, std::int64_t n, std::uint64_t inverted,
                                  std::uint8_t* slots, std::uint16_t* kept) {
    MaskCounts counts{0, inverted ? find_slots<true>(bytes, n, slots, kept) : find_slots<false>(bytes, n, slots, kept)};
    for (std::int64_t s = 0; s < n; ++s) counts.kept += kept[s];
    return counts;
}

// All slots write as many whole lines, so that no branch depends on how many a slot keeps; what they write too much the
// next ones write again. The last ones have no room for that.
EAGLE_VBMI2 void write_slots(const std::uint8_t* slots, const std::uint16_t* kept, std::int64_t n, std::int32_t first,
                             std::int32_t* out, const std::int32_t* end, bool past_the_caches) {
    if (past_the_caches) return write_lines<true>(slots, kept, n, first, out);
    constexpr std::int64_t most_lines = 17;
    const std::int64_t usual_lines = lines_of_most(end - out, n);
    for (; n > 0; --n, ++kept, slots += MaskCode::a_slot, first += MaskCode::a_slot) {
        const unsigned before = misplaced(out);
        const std::uint8_t* from = slots - before;
        std::int32_t* to = out - before;
        if (end - to < most_lines * 16) break;
        const std::int64_t lines = before + *kept > usual_lines * 16 ? most_lines : usual_lines;
        const __m512i base = _mm512_set1_epi32(first);
        _mm512_mask_store_epi32(to, static_cast<__mmask16>(0xffffu << before), samples_at(from, base));
        for (std::int64_t i = 1; i < lines; ++i) _mm512_store_si512(to + 16 * i, samples_at(from + 16 * i, base));
        out += *kept;
    }
    write_lines<false>(slots, kept, n, first, out);
}

}  // namespace eagle::host::vbmi2
#endif
