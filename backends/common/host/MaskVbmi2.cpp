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

// Of eight words at a time; those that `lanes` leaves out are neither counted nor written.
struct Counting {
    __m512i inversion, kept;
    std::uint32_t live;

    EAGLE_VBMI2 explicit Counting(std::uint64_t inverted)
        : inversion(_mm512_set1_epi64(static_cast<long long>(inverted))), kept(_mm512_setzero_si512()), live(0) {}
    EAGLE_VBMI2 void invert_and_count(std::uint64_t* words, __mmask8 lanes) {
        const __m512i bits = _mm512_maskz_xor_epi64(lanes, inversion, _mm512_maskz_loadu_epi64(lanes, words));
        _mm512_mask_storeu_epi64(words, lanes, bits);
        kept = _mm512_add_epi64(kept, _mm512_popcnt_epi64(bits));
        live += static_cast<std::uint32_t>(__builtin_popcount(_mm512_test_epi32_mask(bits, bits)));
    }
    EAGLE_VBMI2 MaskCounts counts() const { return {static_cast<std::uint32_t>(_mm512_reduce_add_epi64(kept)), live}; }
};

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

// The bits of words [from, to); the mask that comes next is asked for while these are made. Its address may lie behind
// the mask.
EAGLE_VBMI2 void find_lines(const std::uint8_t* bytes, std::int64_t from, std::int64_t to, std::uint64_t* out) {
    constexpr std::uintptr_t ahead = 2048;
    auto* masks = reinterpret_cast<__mmask64*>(out);
    for (std::int64_t w = from; w < to; ++w) {
        const std::uint8_t* const line = bytes + 64 * w;
        _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(line) + ahead), _MM_HINT_T0);
        const __m512i found = _mm512_loadu_si512(line);
        masks[w] = _mm512_test_epi8_mask(found, found);
    }
}

// The bits of the bytes that `mine` has; the others, which may be anybody's, are not read.
EAGLE_VBMI2 std::uint64_t bits_of_some(const std::uint8_t* bytes, std::uint64_t mine) {
    const __m512i found = _mm512_maskz_loadu_epi8(mine, bytes);
    return _mm512_test_epi8_mask(found, found);
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

// By the instruction: a call that may set errno is one more thing to need of libm.
EAGLE_VBMI2 double root_of(double x) { return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x))); }

// Where in a slot of four words the kept samples lie, a byte each, for the slots that come next: they are found so many
// slots ahead of where they are written that no load of positions meets a store that is under way.
class Positions {
  public:
    static constexpr std::int64_t a_slot = 256, slot_words = a_slot / 64, ahead = 4;

    EAGLE_VBMI2 void find(const std::uint64_t* words, std::int64_t slot) {
        std::uint8_t* const begin = storage_ + margin + slot % ring * a_slot;
        __m512i numbers = _mm512_load_si512(byte_numbers.data());
        std::uint8_t* end = begin;
        for (std::int64_t w = 0; w < slot_words; ++w) {
            _mm512_storeu_si512(end, _mm512_maskz_compress_epi8(words[w], numbers));
            end += __builtin_popcountll(words[w]);
            numbers = _mm512_add_epi8(numbers, _mm512_set1_epi8(64));
        }
        kept_[slot % ring] = end - begin;
    }
    const std::uint8_t* of(std::int64_t slot) const { return storage_ + margin + slot % ring * a_slot; }
    std::int64_t kept(std::int64_t slot) const { return kept_[slot % ring]; }

  private:
    // Read and written past a slot's end, and read before its begin, by a line of the map at most.
    static constexpr std::int64_t ring = 2 * ahead, margin = 64;
    alignas(64) std::uint8_t storage_[ring * a_slot + 2 * margin];
    std::int64_t kept_[ring];
};

// The lines of a slot that most slots fill where `kept` are in n.
std::int64_t lines_of_most(std::int64_t kept, std::int64_t n) {
    const double share = double(kept) / double(n * Positions::a_slot), mean = share * Positions::a_slot;
    const double deviation = root_of(mean * (1 - share));
    return std::min<std::int64_t>(17, 1 + static_cast<std::int64_t>(mean + deviation + 8) / 16);
}

// Writes a slot in whole lines of the cache. All slots write as many, so that no branch depends on how many a slot
// keeps; what they write too much the next ones write again. Near the end there is no room for that.
class Lines {
  public:
    Lines(std::int32_t* out, const std::int32_t* end, std::int64_t slots)
        : out_(out), end_(end), usual_(lines_of_most(end - out, slots)) {}
    EAGLE_VBMI2 bool write(const std::uint8_t* positions, std::int64_t kept, std::int32_t first) {
        constexpr std::int64_t most = 17;
        const unsigned before = misplaced(out_);
        std::int32_t* const to = out_ - before;
        if (end_ - to < most * 16) return false;
        const std::uint8_t* const from = positions - before;
        const std::int64_t lines = before + kept > usual_ * 16 ? most : usual_;
        const __m512i base = _mm512_set1_epi32(first);
        _mm512_mask_store_epi32(to, static_cast<__mmask16>(0xffffu << before), samples_at(from, base));
        for (std::int64_t i = 1; i < lines; ++i) _mm512_store_si512(to + 16 * i, samples_at(from + 16 * i, base));
        out_ += kept;
        return true;
    }
    EAGLE_VBMI2 std::int32_t* finish() { return out_; }

  private:
    std::int32_t* out_;
    const std::int32_t* end_;
    std::int64_t usual_;
};

// Writes each line once, around the caches, and whole but for the first and the last.
class LinesAround {
  public:
    EAGLE_VBMI2 LinesAround(std::int32_t* out, const std::int32_t*, std::int64_t)
        : out_(out), line_(_mm512_setzero_si512()), mine_(static_cast<__mmask16>(0xffffu << misplaced(out))) {}
    EAGLE_VBMI2 bool write(const std::uint8_t* positions, std::int64_t kept, std::int32_t first) {
        const unsigned before = misplaced(out_);
        const std::uint8_t* from = positions - before;
        std::int32_t* to = out_ - before;
        out_ += kept;
        const __m512i base = _mm512_set1_epi32(first);
        line_ = _mm512_mask_mov_epi32(line_, static_cast<__mmask16>(0xffffu << before), samples_at(from, base));
        for (; to + 16 <= out_; to += 16) {
            if (mine_ == 0xffff) {
                _mm512_stream_si512(reinterpret_cast<__m512i*>(to), line_);
            } else {
                _mm512_mask_store_epi32(to, mine_, line_);
                mine_ = 0xffff;
            }
            line_ = samples_at(from += 16, base);
        }
        return true;
    }
    EAGLE_VBMI2 std::int32_t* finish() {
        const unsigned rest = misplaced(out_);
        _mm512_mask_store_epi32(out_ - rest, static_cast<__mmask16>(mine_ & ((1u << rest) - 1)), line_);
        _mm_sfence();
        return out_;
    }

  private:
    std::int32_t* out_;
    __m512i line_;
    __mmask16 mine_;
};

// The samples of a mask that keeps many. Returns how many words are done, and moves `out`.
template <class Writer>
EAGLE_VBMI2 std::int64_t write_slots(const std::uint64_t* words, std::int64_t n, std::int32_t first, std::int32_t*& out,
                                     const std::int32_t* end) {
    constexpr auto a_slot = static_cast<std::int32_t>(Positions::a_slot);
    const std::int64_t slots = n / Positions::slot_words;
    if (slots == 0) return 0;
    Positions positions;
    Writer writer(out, end, slots);
    std::int64_t s = 0;
    for (std::int64_t found = 0; s < slots; ++found) {
        if (found < slots) positions.find(words + found * Positions::slot_words, found);
        if (found < Positions::ahead) continue;
        if (!writer.write(positions.of(s), positions.kept(s), first)) break;
        first += a_slot;
        ++s;
    }
    out = writer.finish();
    return s * Positions::slot_words;
}

}  // namespace

bool is_usable() {
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

// Counted some groups behind where they are found: no wide load meets a narrow store that is under way.
EAGLE_VBMI2 MaskCounts find(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out) {
    constexpr std::int64_t behind = 32;
    const std::int64_t whole = words / 8 * 8;
    Counting counting(inverted);
    for (std::int64_t w = 0; w < whole; w += 8) {
        find_lines(bytes + 64 * w, 0, 8, out + w);
        if (w >= behind) counting.invert_and_count(out + w - behind, 0xff);
    }
    find_lines(bytes, whole, words, out);
    for (std::int64_t w = std::max<std::int64_t>(whole - behind, 0); w < words; w += 8) {
        counting.invert_and_count(out + w, static_cast<__mmask8>(words - w >= 8 ? 0xff : (1 << (words - w)) - 1));
    }
    return counting.counts();
}

EAGLE_VBMI2 void write(const std::uint64_t* words, std::int64_t n, std::int32_t first, std::int32_t* out,
                       const std::int32_t* end, bool past_the_caches) {
    std::int64_t done = 0;
    if (past_the_caches) {
        done = write_slots<LinesAround>(words, n, first, out, end);
    } else if (end - out >= n * 64 / 2) {
        done = write_slots<Lines>(words, n, first, out, end);
    }
    words += done;
    n -= done;
    first += static_cast<std::int32_t>(64 * done);
    for (; n >= 8; words += 8, n -= 8, first += 8 * 64) {
        const EightCounts kept = kept_of_eight(words);
        if (end - out < kept.all + 64) break;
        out = write_eight(words, kept, first, out);
    }
    for (; out < end; first += 64) out += store_exactly(out, *words++, _mm512_set1_epi32(first));
}

// The mask is read in whole lines of the cache, whose bits are put together to those of the words wherever they begin.
// Bits are found four groups of eight words ahead of where they are written: memory is read while samples are made, and
// no wide load meets a narrow store that is under way.
EAGLE_VBMI2 std::int64_t find_few(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted,
                                  std::int32_t first, std::int32_t* out, std::uint32_t* live_groups) {
    constexpr std::int64_t a_group = 8, ahead = 4 * a_group;
    alignas(64) std::uint64_t bits[MaskCode::most_few_words + a_group];
    const auto before = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(bytes) % 64);
    const std::uint8_t* const lines = bytes - before;
    const __m512i inversion = _mm512_set1_epi64(static_cast<long long>(inverted));
    const __m512i shift = _mm512_set1_epi64(before);
    const std::int32_t* const begin = out;
    const std::int32_t* const most = out + MaskCode::most_few - a_group * 64;
    std::int64_t tolerated = words / a_group / 2;
    std::uint32_t live = 0;
    bits[0] = bits_of_some(lines, ~std::uint64_t(0) << before);
    find_lines(lines, 1, a_group, bits);
    bits[words] = bits_of_some(lines + 64 * words, (std::uint64_t(1) << before) - 1);
    for (std::int64_t w = a_group; w < words + ahead; w += a_group) {
        if (w < words) find_lines(lines + 64 * w, 0, a_group, bits + w);
        if (w < ahead) continue;
        const std::int64_t now = w - ahead;
        const auto at = static_cast<std::int32_t>(first + 64 * now);
        const __m512i here = _mm512_xor_si512(
            inversion, _mm512_shrdv_epi64(_mm512_load_si512(bits + now), _mm512_loadu_si512(bits + now + 1), shift));
        live += static_cast<std::uint32_t>(__builtin_popcount(_mm512_test_epi32_mask(here, here)));
        std::int64_t kept = write_singles(here, at, out);
        if (kept < 0) [[unlikely]] {
            if (--tolerated < 0) return -1;
            kept = write_few_pairs(here, at, out);
            if (kept < 0) kept = write_any(here, at, out);
        }
        out += kept;
        if (out > most && now < words - a_group) return -1;
    }
    *live_groups = live;
    return out - begin;
}

}  // namespace eagle::host::vbmi2
#endif
