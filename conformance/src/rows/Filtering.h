// Masks, and what a compaction and a reorder come to by a loop that asks one sample after the other.
#pragma once
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Handles.h>

#include <algorithm>
#include <random>

namespace eagle::conformance::filtering {

using Mask = std::vector<std::uint8_t>;

constexpr std::int32_t untouched = -77;
// Where words, vectors and blocks begin and end.
inline const std::vector<std::size_t> sizes{0,   1,   7,    8,    9,    31,   32,   33,   63,   64,   65,   255,
                                            256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8193, 16385};

inline Mask random_mask(Context& c, std::size_t n, double share) {
    std::bernoulli_distribution one(share);
    Mask mask(n);
    for (auto& m : mask) m = one(c.random) ? std::uint8_t(1 + c.random() % 255) : 0;  // any byte that is not zero
    return mask;
}

inline std::vector<Mask> masks_of(Context& c, std::size_t n) {
    Mask alternating(n, 0), last(n, 0), not_first(n, 3);
    for (std::size_t i = 0; i < n; i += 2) alternating[i] = 0x80;
    if (n > 0) last[n - 1] = 255, not_first[0] = 0;
    return {Mask(n, 0), Mask(n, 1), alternating, last, not_first, random_mask(c, n, 0.5), random_mask(c, n, 0.02)};
}

// Of 256 groups of 32 samples, `share` of each are kept.
inline Mask thinned(std::size_t share) {
    Mask mask(8192, 0);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 32 < share ? 1 : 0;
    return mask;
}

struct Kept {
    std::vector<std::int32_t> samples;  // ascending
    std::uint32_t live32 = 0;           // aligned groups of 32 that hold one
};

inline Kept kept_of(const Mask& mask, bool is_drop) {
    Kept kept;
    std::size_t last_group = ~std::size_t(0);
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if ((mask[i] == 0) != is_drop) continue;
        kept.samples.push_back(std::int32_t(i));
        if (i / 32 != last_group) ++kept.live32;
        last_group = i / 32;
    }
    return kept;
}

// count < theta * 32 * live32, the product in double, and count < span, and the span is worth it.
inline bool fires(const Kept& kept, std::uint32_t span, float theta) {
    const double bound = double(theta) * 32.0 * double(kept.live32);
    return double(kept.samples.size()) < bound && kept.samples.size() < span && span >= 4096;
}

}  // namespace eagle::conformance::filtering
