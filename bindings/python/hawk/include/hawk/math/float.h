// The functions of float lanes: the plans of the double ones in 24-bit arithmetic, those of two arguments through
// double.
#pragma once
#include "hawk/math/atan.h"
#include "hawk/math/log.h"
#include "hawk/math/trig.h"

namespace hawk::f32 {

constexpr float shift = Format<float>::shift;

template <class R>
HAWK_FN ExpParts<R> exp_parts(R x) {
    const R n = fma(x, R(0x1.715476p+0f), R(shift)) - R(shift);
    const R a = fma(n, R(-0x1.62e43p-1f), x), b = fma(n, R(0x1.05c61p-29f), a), t = fma(n, R(0x1.05c61p-29f), a - b);
    const R r = b + t, c = (b - r) + t;
    const R p = poly(r, 0x1.00000042f8c72p-1, 0x1.555555980af6ep-3, 0x1.55548039852e1p-5, 0x1.11107ce5a296ep-7,
                     0x1.6d969f77759b0p-10, 0x1.a1b80f381a748p-13);
    const R s = R(1.0f) + r;
    return {n, s, fma(r * r, p, (r - (s - R(1.0f))) + fma(c, r, c))};
}
template <class R>
HAWK_FN R exp(R x) {
    x = most(least(x, R(89.0f)), R(-104.0f));
    const ExpParts<R> e = exp_parts(x);
    return scale(e.head + e.tail, e.n);
}
template <class R>
HAWK_FN R tanh(R x) {
    const R a = least(magnitude(x), R(10.0f));
    return f64::tanh_of(exp_parts(a + a), x);
}
template <class R>
HAWK_FN R log(R x) {
    using I = int_of<R>;
    constexpr i32 half = 0x3f3504f3;
    const auto tiny = x < R(0x1p-126f);
    const I b = bits(sel(tiny, x * R(0x1p25f), x)) + I(Format<float>::one - half);
    const R m = from_bits((b & I(Format<float>::fraction)) + I(half));
    const R k = Cast<R>::of((b >> 23) & I(0x1ff)) - sel(tiny, R(127.0f + 25.0f), R(127.0f));
    const R f = m - R(1.0f), s = f / (R(2.0f) + f), z = s * s, h = R(0.5f) * f * f;
    const R r = z * poly(z, 0x1.5555554b90dc0p-1, 0x1.9999ec039adfep-2, 0x1.245c074457bc9p-2, 0x1.ddd9c0d0cf0c2p-3);
    R y = fma(k, R(0x1.62ep-1f), f - (h - fma(s, h + r, k * R(0x1.0bfbe8p-15f))));
    y = sel(x < R(inf), y, x);
    y = sel(x == R(0.0f), R(-inf), y);
    return sel(x < R(0.0f), R(nan), y);
}

template <class R>
HAWK_FN R sin_core(R r, R c, R z) {
    const R p = poly(z, -0x1.5555554b98dfep-3, 0x1.111107c429923p-7, -0x1.a00ef4d39d555p-13, 0x1.6cb040fc23042p-19);
    return r + fma(r * z, p, fma(R(-0.5f) * z, c, c));
}
template <class R>
HAWK_FN R cos_core(R r, R c, R z) {
    const R p = poly(z, 0x1.5555554e83da9p-5, -0x1.6c16b7be1c626p-10, 0x1.a0108fddfd4a4p-16, -0x1.240d15a07d107p-22);
    const R h = R(0.5f) * z, w = R(1.0f) - h;
    return w + (((R(1.0f) - w) - h) + fma(z * z, p, -(r * c)));
}
HAWK_FN void huge(float x, float& q, float& r, float& c) {
    if (x - x != 0) return;
    const f64::Rest s = f64::reduce_huge(x);
    q = (float)(s.q & 3), r = (float)s.r, c = (float)(s.r - r);
}
template <int N>
HAWK_FN void huge(pack<float, N> x, pack<float, N>& q, pack<float, N>& r, pack<float, N>& c) {
    for (int i = 0; i < N; i++) {
        float q1, r1, c1;
        if (!(__builtin_fabsf(x.v[i]) > 0x1p16f) || x.v[i] - x.v[i] != 0) continue;
        huge(x.v[i], q1, r1, c1);
        q.v[i] = q1, r.v[i] = r1, c.v[i] = c1;
    }
}
template <class R>
HAWK_FN int_of<R> reduce(R x, R& r, R& c) {
    constexpr float half_pi_mid = -0x1.777a5cp-25f;
    R n = fma(x, R(0x1.45f306p-1f), R(shift)) - R(shift);
    const R a = fma(n, R(-0x1.921fb6p+0f), x);  // exact
    const R t = n * R(half_pi_mid), tl = fma(n, R(half_pi_mid), -t);
    r = a - t;
    const R b = r - a;
    c = fma(n, R(0x1.ee59dap-50f), ((a - (r - b)) - (t + b)) - tl);
    if (__builtin_expect(any(magnitude(x) > R(0x1p16f)), 0)) huge(x, n, r, c);
    return bits(n + R(shift));
}
template <class R>
HAWK_FN R sin(R x) {
    using I = int_of<R>;
    R r, c;
    const I q = reduce(x, r, c);
    const R z = r * r, y = sel((q & I(1)) == I(0), sin_core(r, c, z), cos_core(r, c, z));
    return sel(magnitude(x) < R(0x1p-12f), x, from_bits(bits(y) ^ (q << 30 & I(Sign<float>::bit))));
}
template <class R>
HAWK_FN R cos(R x) {
    using I = int_of<R>;
    R r, c;
    const I q = reduce(x, r, c) + I(1);
    const R z = r * r, y = sel((q & I(1)) == I(0), sin_core(r, c, z), cos_core(r, c, z));
    return from_bits(bits(y) ^ (q << 30 & I(Sign<float>::bit)));
}

template <class R>
HAWK_FN R pow(R x, R y) {
    return through_double([](auto a, auto b) HAWK_LAMBDA { return f64::pow_short(a, b); }, x, y);
}
template <class R>
HAWK_FN R atan2(R y, R x) {
    return through_double([](auto a, auto b) HAWK_LAMBDA { return f64::atan2_short(a, b); }, y, x);
}
template <class R>
HAWK_FN R atan(R x) {
    return atan2(x, R(1));
}

}  // namespace hawk::f32
