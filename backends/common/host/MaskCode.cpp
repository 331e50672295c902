#include "MaskCode.h"

#include <bit>

#include "MaskAvx2.h"
#include "MaskVbmi2.h"
#include "ProcessWide.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace eagle::host {
namespace {

std::int32_t* write_word(std::uint64_t bits, std::int32_t first, std::int32_t* out) {
    for (; bits; bits &= bits - 1) *out++ = first + std::countr_zero(bits);
    return out;
}

void write(const std::uint64_t* words, std::int64_t, std::int32_t first, std::int32_t* out, const std::int32_t* end,
           bool) {
    for (; out < end; first += 64) out = write_word(*words++, first, out);
}

MaskCounts find(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out) {
    MaskCounts counts{0, 0};
    for (std::int64_t w = 0; w < words; ++w, bytes += 64) {
        std::uint64_t bits = 0;
        for (unsigned i = 0; i < 64; ++i) bits |= std::uint64_t(bytes[i] != 0) << i;
        out[w] = bits ^= inverted;
        counts.kept += static_cast<std::uint32_t>(std::popcount(bits));
        counts.live_groups += ((bits & 0xffffffffu) != 0) + ((bits >> 32u) != 0);
    }
    return counts;
}

#if defined(__x86_64__)
#define EAGLE_AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt")))

EAGLE_AVX512 MaskCounts find_avx512(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted,
                                    std::uint64_t* out) {
    MaskCounts counts{0, 0};
    for (std::int64_t w = 0; w < words; ++w, bytes += 64) {
        const __m512i found = _mm512_loadu_si512(bytes);
        const std::uint64_t bits = _mm512_test_epi8_mask(found, found) ^ inverted;
        out[w] = bits;
        counts.kept += static_cast<std::uint32_t>(__builtin_popcountll(bits));
        counts.live_groups += ((bits & 0xffffffffu) != 0) + ((bits >> 32u) != 0);
    }
    return counts;
}

EAGLE_AVX512 void write_avx512(const std::uint64_t* words, std::int64_t, std::int32_t first, std::int32_t* out,
                               const std::int32_t* end, bool) {
    const __m512i sixteen = _mm512_set1_epi32(16);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (; out < end; first += 64) {
        std::uint64_t bits = *words++;
        if (bits == 0) continue;
        if (end - out < __builtin_popcountll(bits) + 16) {
            out = write_word(bits, first, out);
            continue;
        }
        __m512i samples = _mm512_add_epi32(lanes, _mm512_set1_epi32(first));
        for (int quarter = 0; quarter < 4; ++quarter, bits >>= 16u) {
            const auto here = static_cast<__mmask16>(bits);
            _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(here, samples));
            samples = _mm512_add_epi32(samples, sixteen);
            out += __builtin_popcountll(bits & 0xffffu);
        }
    }
}
#endif

struct Usable {
    std::vector<MaskCode> codes{{"portable", &find, &write, nullptr}};
    Usable() {
#if defined(__x86_64__)
        const bool bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
        if (avx2::is_usable()) codes.push_back({"avx2", &avx2::find, &avx2::write, &avx2::find_few});
        if (bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
            codes.push_back({"avx512", &find_avx512, &write_avx512, nullptr});
            if (vbmi2::is_usable()) {
                codes.push_back({"avx512vbmi2", &vbmi2::find, &vbmi2::write, &vbmi2::find_few});
            }
        }
#endif
    }
};

}  // namespace

const std::vector<MaskCode>& MaskCode::usable() { return process_wide<Usable>().codes; }

}  // namespace eagle::host
