// Functions over arrays from the compiled kernels, and the measure of their error.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace hawk_test {

template <class T>
using Values = std::vector<T>;
template <class T>
using ArrayFunction = void(const T*, const T*, T*, std::int64_t);

template <class T>
Values<T> evaluate(const std::string& symbol, const std::string& level, const Values<T>& x, const Values<T>& y) {
    Values<T> out(x.size());
    entry<ArrayFunction<T>>("functions", level, symbol)(x.data(), y.data(), out.data(),
                                                        static_cast<std::int64_t>(x.size()));
    return out;
}

// Same bits, or both NaN.
template <class T>
bool same(T a, T b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

// |got - want| in units of the last place of a T near want. Infinity for a wrong class or the wrong sign of a zero.
template <class T>
double ulps(T got, long double want) {
    constexpr double wrong = std::numeric_limits<double>::infinity();
    using L = std::numeric_limits<T>;
    const T rounded = static_cast<T>(want);
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : wrong;
    if (std::isinf(want)) return got == rounded ? 0 : wrong;
    if (want == 0 || got == 0)
        if (std::signbit(want) != std::signbit(got)) return wrong;
    if (std::isinf(got)) return std::isinf(rounded) ? 0 : wrong;
    int e = L::max_exponent;
    if (!std::isinf(rounded)) std::frexp(rounded, &e);
    const long double unit = std::ldexp(1.0L, std::max(e - L::digits, L::min_exponent - L::digits));
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / unit);
}

using Random = std::mt19937_64;

template <class T>
Values<T> between(Random& g, std::size_t n, double a, double b) {
    Values<T> v(n);
    std::uniform_real_distribution<double> u(a, b);
    for (T& x : v) x = static_cast<T>(u(g));
    return v;
}
// Any bit pattern: every exponent, subnormals, infinities and NaN among them.
template <class T>
Values<T> any_bits(Random& g, std::size_t n) {
    Values<T> v(n);
    for (T& x : v) {
        const std::uint64_t b = g();
        std::memcpy(&x, &b, sizeof x);
    }
    return v;
}
template <class T>
Values<T> special() {
    using L = std::numeric_limits<T>;
    Values<T> v;
    for (const double s : {0.0,
                           1.0,
                           0.5,
                           0.25,
                           1.5,
                           2.0,
                           3.0,
                           4.0,
                           5.0,
                           1e-20,
                           1e20,
                           709.0,
                           710.0,
                           745.2,
                           88.7,
                           89.0,
                           103.9,
                           22.0,
                           10.0,
                           19.06,
                           3.141592653589793,
                           1.5707963267948966,
                           0.7853981633974483,
                           2.356194490192345,
                           16777216.0,
                           16777218.0,
                           8388607.5,
                           9007199254740992.0,
                           9007199254740994.0,
                           4503599627370495.5,
                           6381956970095103.0 * 0x1p797}) {
        v.push_back(static_cast<T>(s));
        v.push_back(static_cast<T>(-s));
    }
    for (const T s : {L::infinity(), L::max(), L::min(), L::denorm_min(), L::min() / 2, T(1) - L::epsilon() / 2,
                      T(1) + L::epsilon()}) {
        v.push_back(s);
        v.push_back(-s);
    }
    v.push_back(L::quiet_NaN());
    return v;
}
// All pairs.
template <class T>
void pairs(const Values<T>& a, Values<T>& x, Values<T>& y) {
    for (const T p : a)
        for (const T q : a) x.push_back(p), y.push_back(q);
}

}  // namespace hawk_test
