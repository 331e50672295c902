// What the functions share. They are straight-line code on vector operations, so that a value is the same in every lane
// of every width. Polynomials are near-minimax (Remez exchange in 60 digits); each function carries the low part of its
// reduction, which keeps the error below 0.85 ulp.
#pragma once
#include "hawk/real.h"

namespace hawk {

// The smaller, the larger of two; a NaN in x stays.
template <class R>
HAWK_FN R least(R x, R top) {
    return sel(top < x, top, x);
}
template <class R>
HAWK_FN R most(R x, R low) {
    return sel(low > x, low, x);
}

// c0 + x c1 + x^2 c2 ...
template <class R>
HAWK_FN R poly(R, double c) {
    return R(c);
}
template <class R, class... C>
HAWK_FN R poly(R x, double c, C... rest) {
    return fma(x, poly(x, rest...), R(c));
}

// n + shift holds the integer n in its low bits.
template <class R>
struct Format {
    static constexpr double shift = 0x1.8p52;
    static constexpr i64 one = 0x3ffll << 52, fraction = (1ll << 52) - 1;
    static constexpr int width = 52;
};
template <>
struct Format<float> {
    static constexpr float shift = 0x1.8p23f;
    static constexpr i32 one = 127 << 23, fraction = (1 << 23) - 1;
    static constexpr int width = 23;
};
template <class T, int N>
struct Format<pack<T, N>> : Format<T> {};

// y 2^n for an integer n whose halves are exponents of normal numbers, rounded once
template <class R>
HAWK_FN R scale(R y, R n) {
    using I = int_of<R>;
    using F = Format<R>;
    const R a = fma(n, R(0.5), R(F::shift)) - R(F::shift), b = n - a;
    const R s = from_bits((bits(a + R(F::shift)) << F::width) + I(F::one));
    const R t = from_bits((bits(b + R(F::shift)) << F::width) + I(F::one));
    return y * s * t;
}
#if HAWK_BYTES == 64
HAWK_FN pack<double, 8> scale(pack<double, 8> y, pack<double, 8> n) {
    return __builtin_ia32_scalefpd512_mask(y.v, n.v, y.v, (u8)-1, 4);
}
#endif

// e^x = 2^n (head + tail), |tail| small beside head
template <class R>
struct ExpParts {
    R n, head, tail;
};

// A float function by way of doubles, in halves of a register where the doubles of a whole do not fit one.
template <int N>
constexpr bool halved = N * 8 > HAWK_BYTES;
template <class F>
HAWK_FN float through_double(F f, float x, float y) {
    return (float)f((double)x, (double)y);
}
template <class F, int N>
HAWK_FN pack<float, N> through_double(F f, pack<float, N> x, pack<float, N> y) {
    if constexpr (halved<N>) {
        constexpr int H = N / 2;
        pack<float, N> r;
        for (int h = 0; h < 2; h++) {
            raw<float, H> a, b;
            __builtin_memcpy(&a, (const u8*)&x + h * sizeof a, sizeof a);
            __builtin_memcpy(&b, (const u8*)&y + h * sizeof b, sizeof b);
            const pack<double, H> v =
                f(Cast<pack<double, H>>::of(pack<float, H>(a)), Cast<pack<double, H>>::of(pack<float, H>(b)));
            const pack<float, H> w = Cast<pack<float, H>>::of(v);
            __builtin_memcpy((u8*)&r + h * sizeof w, &w, sizeof w);
        }
        return r;
    } else {
        return Cast<pack<float, N>>::of(f(Cast<pack<double, N>>::of(x), Cast<pack<double, N>>::of(y)));
    }
}

}  // namespace hawk
