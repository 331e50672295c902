// exp and tanh of double lanes.
#pragma once
#include "hawk/math/base.h"

namespace hawk::f64 {

// of x + low
template <class R>
HAWK_FN ExpParts<R> exp_parts(R x, R low) {
    constexpr double shift = Format<double>::shift, ln2_low = -0x1.abc9e3b39803fp-56;
    const R n = fma(x, R(0x1.71547652b82fep+0), R(shift)) - R(shift);
    const R a = fma(n, R(-0x1.62e42fefa39efp-1), x);  // exact
    const R b = fma(n, R(ln2_low), a), t = fma(n, R(ln2_low), a - b) + low;
    const R r = b + t, c = (b - r) + t;
    const R p = poly(r, 0x1.0000000000000p-1, 0x1.555555555555cp-3, 0x1.555555555555ep-5, 0x1.111111110ebbap-7,
                     0x1.6c16c16c1357ap-10, 0x1.a01a01b3b8262p-13, 0x1.a01a01b4578e3p-16, 0x1.71ddef9b628fcp-19,
                     0x1.27e4bf2f80c36p-22, 0x1.af6cbf67ed8eap-26, 0x1.1f9ded9720ecap-29);
    const R s = R(1.0) + r;
    return {n, s, fma(r * r, p, (r - (s - R(1.0))) + fma(c, r, c))};
}

template <class R>
HAWK_FN R exp(R x) {
    x = most(least(x, R(710.0)), R(-746.0));
    const ExpParts<R> e = exp_parts(x, R(0.0));
    return scale(e.head + e.tail, e.n);
}

// (e^2a - 1) / (e^2a + 1) in two-part arithmetic
template <class R>
HAWK_FN R tanh_of(ExpParts<R> e, R x) {
    const R S = scale(e.head, e.n), T = scale(e.tail, e.n), one = R(1), two = R(2);
    const R u = S - one, v = ((S - u) - one) + T, h = u + v, l = (u - h) + v;
    const R d = h + two, t = d - h, dl = ((h - (d - t)) + (two - t)) + l;
    const R i = one / d, q = h * i;
    return copysign(fma(fma(-q, d, h) + fma(-q, dl, l), i, q), x);
}
template <class R>
HAWK_FN R tanh(R x) {
    const R a = least(magnitude(x), R(22.0));
    return tanh_of(exp_parts(a + a, R(0.0)), x);
}

}  // namespace hawk::f64
