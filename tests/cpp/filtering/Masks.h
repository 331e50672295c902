// Masks at the sizes where blocks, words and vectors begin and end.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "Client.h"

namespace filtering {

using Mask = std::vector<std::uint8_t>;

inline const std::vector<std::int64_t> sizes{0,   1,   7,   8,    9,    31,   32,    33,    63,    64,   65,
                                             255, 256, 257, 4095, 4096, 4097, 16383, 16384, 16385, 32769};
constexpr std::size_t large = 300007;

struct Pattern {
    std::string name;
    Mask (*make)(std::size_t n);
};

inline Mask random_mask(std::size_t n, double share, std::uint32_t seed) {
    std::mt19937 numbers(seed);
    std::bernoulli_distribution one(share);
    Mask mask(n);
    for (auto& m : mask) m = one(numbers) ? std::uint8_t(1 + numbers() % 255) : 0;
    return mask;
}

inline const std::vector<Pattern> patterns{
    {"none", [](std::size_t n) { return Mask(n, 0); }},
    {"all", [](std::size_t n) { return Mask(n, 1); }},
    {"alternating",
     [](std::size_t n) {
         Mask mask(n);
         for (std::size_t i = 0; i < n; i += 2) mask[i] = 0x80;
         return mask;
     }},
    {"the last",
     [](std::size_t n) {
         Mask mask(n);
         if (n > 0) mask[n - 1] = 255;
         return mask;
     }},
    {"all but the first",
     [](std::size_t n) {
         Mask mask(n, 3);
         if (n > 0) mask[0] = 0;
         return mask;
     }},
    {"half random", [](std::size_t n) { return random_mask(n, 0.5, 7); }},
    {"few random", [](std::size_t n) { return random_mask(n, 0.01, 8); }},
    {"many random", [](std::size_t n) { return random_mask(n, 0.97, 9); }},
};

inline std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

}  // namespace filtering
