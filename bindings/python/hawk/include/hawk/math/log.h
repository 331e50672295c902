// log and pow of double lanes.
#pragma once
#include "hawk/math/exp.h"

namespace hawk::f64 {

constexpr double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;  // 42 bits, so that k ln2_hi is exact

// x = 2^k m, m in [sqrt(1/2), sqrt(2)), for x > 0 and finite
template <class R>
HAWK_FN void split(R x, R& k, R& m) {
    using I = int_of<R>;
    constexpr i64 half = 0x3fe6a09e667f3bcdll;
    const auto tiny = x < R(0x1p-1022);
    const I b = bits(sel(tiny, x * R(0x1p54), x)) + I(Format<double>::one - half);
    m = from_bits((b & I(Format<double>::fraction)) + I(half));
    k = from_bits(((b >> 52) & I(0xfff)) | I(0x433ll << 52)) - sel(tiny, R(0x1p52 + 1077), R(0x1p52 + 1023));
}

template <class R>
HAWK_FN R log(R x) {
    R k, m;
    split(x, k, m);
    const R f = m - R(1.0), s = f / (R(2.0) + f), z = s * s, h = R(0.5) * f * f;
    const R r = z * poly(z, 0x1.5555555555558p-1, 0x1.999999999522ep-2, 0x1.2492492e02accp-2, 0x1.c71c62d1c8e28p-3,
                         0x1.7462b9b80d374p-3, 0x1.39fdc7c7a36d8p-3, 0x1.2b5f0bf213b49p-3);
    R y = fma(k, R(ln2_hi), f - (h - fma(s, h + r, k * R(ln2_lo))));
    y = sel(x < R(inf), y, x);  // infinity and NaN
    y = sel(x == R(0.0), R(-inf), y);
    return sel(x < R(0.0), R(nan), y);
}

// log(x) = hi + lo to about 66 bits, x > 0 and finite
template <class R>
HAWK_FN void log_two(R x, R& hi, R& lo) {
    constexpr double third = 0x1.5555555555555p-1;  // of two: 2/3
    R k, m;
    split(x, k, m);
    const R f = m - R(1.0), d = m + R(1.0), t = d - m, dl = (m - (d - t)) + (R(1.0) - t);
    const R q = R(1.0) / d, s = f * q, sl = (fma(-s, d, f) - s * dl) * q;
    const R z = s * s, zl = fma(s, s, -z) + R(2.0) * s * sl;
    const R c = s * z, cl = fma(s, z, -c) + fma(s, zl, sl * z);
    const R e = c * R(third), el = fma(c, R(third), -e) + fma(c, R(0x1.5555555555555p-55), cl * R(third));
    const R p = c * z *
                poly(z, 0x1.999999999999ap-2, 0x1.2492492492491p-2, 0x1.c71c71c71cfebp-3, 0x1.745d1745122e5p-3,
                     0x1.3b13b1bd105a5p-3, 0x1.1110df81ace85p-3, 0x1.e1f807f30e8bbp-4, 0x1.ac4972360b18fp-4,
                     0x1.b8dd64555bda7p-4);
    const R s2 = s + s, g = k * R(ln2_hi);
    const R a = g + s2, al = (g - a) + s2;  // |g| > |s2| unless g is 0
    const R b = a + e, u = b - a, bl = (a - (b - u)) + (e - u);
    const R w = (al + bl) + ((el + p) + fma(k, R(ln2_lo), sl + sl));
    hi = b + w;
    lo = (b - hi) + w;
}

// What of pow does not come from |x|^y = r: the sign, and the values of C99 Annex F.
template <class R>
HAWK_FN R pow_signs(R r, R x, R y) {
    using I = int_of<R>;
    // Beyond 2^52 every double is an integer, beyond 2^53 an even one.
    const R b = magnitude(y), i = (b + R(0x1p52)) - R(0x1p52);
    const auto whole = (i == b) | (b >= R(0x1p52));
    const auto odd = whole & (b < R(0x1p53)) & ((bits(sel(b < R(0x1p52), b + R(0x1p52), b)) & I(1)) == I(1));
    const auto minus = bits(x) < I(0);
    r = sel(minus & odd, -r, r);
    r = sel((x < R(0.0)) & (x > R(-inf)) & !whole, R(nan), r);
    r = sel((x == R(-1.0)) & (b == R(inf)), R(1.0), r);
    return sel((y == R(0.0)) | (x == R(1.0)), R(1.0), r);
}

template <class R>
HAWK_FN R pow(R x, R y) {
    const R a = magnitude(x);
    R h, l;
    log_two(a, h, l);
    h = sel(a == R(0.0), R(-inf), sel(a < R(inf), h, a));
    l = sel(magnitude(h) < R(inf), l, R(0.0));
    R p = h * y;
    R c = fma(h, y, -p) + l * y;
    p = sel(x == R(1.0), R(0.0), p);
    c = sel(magnitude(p) < R(1000.0), c, R(0.0));
    p = most(least(p, R(1000.0)), R(-1000.0));
    const ExpParts<R> e = exp_parts(p, c);
    return pow_signs(scale(e.head + e.tail, e.n), x, y);
}

// For floats: the logarithm in one double is enough.
template <class R>
HAWK_FN R pow_short(R x, R y) {
    const R p = y * log(magnitude(x));
    return pow_signs(exp(p), x, y);
}

}  // namespace hawk::f64
