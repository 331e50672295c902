// sin and cos of double lanes.
#pragma once
#include "hawk/math/base.h"

namespace hawk::f64 {

// of the reduced argument r + c, z = r r
template <class R>
HAWK_FN R sin_core(R r, R c, R z) {
    const R p = poly(z, -0x1.5555555555555p-3, 0x1.111111111110bp-7, -0x1.a01a01a018ae9p-13, 0x1.71de3a5339e51p-19,
                     -0x1.ae645298de5c2p-26, 0x1.612093173cca7p-33, -0x1.aaa57799dba06p-41);
    return r + fma(r * z, p, fma(R(-0.5) * z, c, c));
}
template <class R>
HAWK_FN R cos_core(R r, R c, R z) {
    const R p = poly(z, 0x1.5555555555555p-5, -0x1.6c16c16c16c10p-10, 0x1.a01a01a018deep-16, -0x1.27e4fb75fdc0dp-22,
                     0x1.1eed8ca3ffff1p-29, -0x1.939338a57decdp-37, 0x1.aac5daed88104p-45);
    const R h = R(0.5) * z, w = R(1.0) - h;
    return w + (((R(1.0) - w) - h) + fma(z * z, p, -(r * c)));
}

// The bits of 2/pi, after a word of zeros.
HAWK_TABLE u64 two_over_pi[21] = {0,
                                  0xa2f9836e4e441529ull,
                                  0xfc2757d1f534ddc0ull,
                                  0xdb6295993c439041ull,
                                  0xfe5163abdebbc561ull,
                                  0xb7246e3a424dd2e0ull,
                                  0x06492eea09d1921cull,
                                  0xfe1deb1cb129a73eull,
                                  0xe88235f52ebb4484ull,
                                  0xe99c7026b45f7e41ull,
                                  0x3991d639835339f4ull,
                                  0x9c845f8bbdf9283bull,
                                  0x1ff897ffde05980full,
                                  0xef2f118b5a0a6d1full,
                                  0x6d367ecf27cb09b7ull,
                                  0x4f463f669e5fea2dull,
                                  0x7527bac7ebe5f17bull,
                                  0x3d0739f78a5292eaull,
                                  0x6bfb5fb11f8d5d08ull,
                                  0x56033046fc7b6babull,
                                  0xf0cfbc209af4361dull};

// Quadrant and rest (r + c) of a huge x = m 2^e, one lane at a time. The 192 bits of 2/pi that start two bits above the
// binary point of the product are all that matter: those before give multiples of 4 quadrants.
struct Rest {
    i64 q;
    double r, c;
};
HAWK_COLD Rest reduce_huge(double x) {
    const u64 b = (u64)bits(x), m = (b & (u64)Format<double>::fraction) | 1ull << 52;
    const int at = (int)(b >> 52 & 0x7ff) - 1075 - 2 + 64, w = at / 64, o = at % 64;
    u64 f[3];
    for (int i = 0; i < 3; i++)
        f[i] = o ? two_over_pi[w + i] << o | two_over_pi[w + i + 1] >> (64 - o) : two_over_pi[w + i];
    const u128 low = (u128)m * f[2], mid = (u128)m * f[1] + (u64)(low >> 64);
    const u128 top = (u128)(m * f[0] + (u64)(mid >> 64)) << 64 | (u64)mid;
    i64 q = (i64)(top >> 126);
    u128 v = top << 2 | (u64)low >> 62;  // of 2^128: the fraction of a quadrant
    const bool over = v >> 127;
    if (over) v = -v, q++;
    if (v == 0) return {q, 0.0, 0.0};
    const int z = v >> 64 ? leading_zeros((u64)(v >> 64)) : 64 + leading_zeros((u64)v);
    v <<= z;
    constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;
    const double h = (double)(u64)(v >> 75), l = (double)(u64)(v >> 22 & ((1ull << 53) - 1)) * 0x1p-53;
    const double r0 = h * half_pi, c0 = fma(h, half_pi, -r0) + fma(h, half_pi_low, l * half_pi);
    const double r = r0 + c0, c = (r0 - r) + c0;
    const double unit = from_bits(int64_lane((i64)(1023 - 53 - z) << 52)), s = over != (x < 0) ? -unit : unit;
    return {x < 0 ? -q : q, s * r, s * c};
}
HAWK_FN void huge(double x, double& q, double& r, double& c) {
    if (x - x != 0) return;
    const Rest s = reduce_huge(x);
    q = (double)(s.q & 3), r = s.r, c = s.c;
}
template <int N>
HAWK_FN void huge(pack<double, N> x, pack<double, N>& q, pack<double, N>& r, pack<double, N>& c) {
    for (int i = 0; i < N; i++) {
        double q1, r1, c1;
        if (!(__builtin_fabs(x.v[i]) > 0x1p40) || x.v[i] - x.v[i] != 0) continue;
        huge(x.v[i], q1, r1, c1);
        q.v[i] = q1, r.v[i] = r1, c.v[i] = c1;
    }
}

// x = q pi/2 + r + c; gives q in the low bits
template <class R>
HAWK_FN int_of<R> reduce(R x, R& r, R& c) {
    constexpr double shift = Format<double>::shift, half_pi_mid = 0x1.1a62633145c07p-54;
    R n = fma(x, R(0x1.45f306dc9c883p-1), R(shift)) - R(shift);
    const R a = fma(n, R(-0x1.921fb54442d18p+0), x);  // exact
    const R t = n * R(half_pi_mid), tl = fma(n, R(half_pi_mid), -t);
    r = a - t;
    const R b = r - a;
    c = fma(n, R(0x1.f1976b7ed8fbcp-110), ((a - (r - b)) - (t + b)) - tl);
    if (__builtin_expect(any(magnitude(x) > R(0x1p40)), 0)) huge(x, n, r, c);
    return bits(n + R(shift));
}
template <class R>
HAWK_FN R sin(R x) {
    using I = int_of<R>;
    R r, c;
    const I q = reduce(x, r, c);
    const R z = r * r, y = sel((q & I(1)) == I(0), sin_core(r, c, z), cos_core(r, c, z));
    const R s = from_bits(bits(y) ^ (q << 62 & I(Sign<double>::bit)));
    return sel(magnitude(x) < R(0x1p-27), x, s);  // and -0
}
template <class R>
HAWK_FN R cos(R x) {
    using I = int_of<R>;
    R r, c;
    const I q = reduce(x, r, c) + I(1);
    const R z = r * r, y = sel((q & I(1)) == I(0), sin_core(r, c, z), cos_core(r, c, z));
    return from_bits(bits(y) ^ (q << 62 & I(Sign<double>::bit)));
}

}  // namespace hawk::f64
