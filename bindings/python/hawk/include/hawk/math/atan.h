// atan and atan2 of double lanes.
#pragma once
#include "hawk/math/base.h"

namespace hawk::f64 {

// The octant of (y, x) as an angle: result = at + turn * atan(q), |q| <= 1/2, `at` a multiple of pi/4 in two parts.
template <class R>
struct Octant {
    R num, den, den_low, at, at_low, turn;
};

HAWK_TABLE double quarter[2] = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};  // pi/4 and its low part
HAWK_TABLE double three_quarters[2] = {0x1.2d97c7f3321d2p+1, 0x1.a79394c9e8a0ap-54};

// small <= large are the magnitudes of y and x, not both zero and finite
template <class R, class M>
HAWK_FN Octant<R> octant(R small, R large, M steep, M left) {
    Octant<R> o;
    const M above = small > R(0.5) * large;  // then from pi/4 down
    const R sum = large + small;
    o.num = sel(above, small - large, small);
    o.den = sel(above, sum, large);
    o.den_low = sel(above, (large - sum) + small, R(0));
    // Within a quadrant 0, 1 or 2 quarters; mirrored for x < 0: 4, 3 or 2.
    const R half = R(2 * quarter[0]), half_low = R(2 * quarter[1]);
    const R odd = sel(left, R(three_quarters[0]), R(quarter[0]));
    const R odd_low = sel(left, R(three_quarters[1]), R(quarter[1]));
    const R even = sel(steep, half, sel(left, half + half, R(0)));
    const R even_low = sel(steep, half_low, sel(left, half_low + half_low, R(0)));
    o.at = sel(above, odd, even);
    o.at_low = sel(above, odd_low, even_low);
    o.turn = sel(steep ^ left, R(-1), R(1));
    return o;
}

// The magnitudes of y and x in order, with infinities as ones beside zeros, and (0, 0) as (0, 1).
template <class R, class M>
HAWK_FN void magnitudes(R y, R x, R& small, R& large, M& steep) {
    const R a = magnitude(y), b = magnitude(x), top = R(inf);
    steep = a > b;
    small = sel(steep, b, a), large = sel(steep, a, b);
    const M endless = large == top;
    small = sel(endless, sel(small == top, R(1), R(0)), small);
    large = sel(endless | (large == R(0)), R(1), large);
}

template <class R>
HAWK_FN R atan2(R y, R x) {
    using M = decltype(y > x);
    M steep, left = bits(x) < int_of<R>(0);
    R small, large;
    magnitudes(y, x, small, large, steep);
    // Away from the ends of the range, so that neither sum nor remainder is lost.
    const R unit = sel(large > R(0x1p1000), R(0x1p-100), sel(large < R(0x1p-500), R(0x1p500), R(1)));
    const Octant<R> o = octant<R, M>(small * unit, large * unit, steep, left);
    const R q = o.num / o.den, low = (fma(-q, o.den, o.num) - q * o.den_low) / o.den, z = q * q;
    const R p = poly(z, -0x1.5555555555518p-2, 0x1.99999999914ccp-3, -0x1.249249216fa98p-3, 0x1.c71c70967b2e7p-4,
                     -0x1.745cf54d2c8adp-4, 0x1.3b114533d42acp-4, -0x1.10f366b57a1dfp-4, 0x1.dfed0b4a5e8c0p-5,
                     -0x1.a3a777751fb0ep-5, 0x1.571dfa5b3c53fp-5, -0x1.c1faef82aa6e8p-6, 0x1.4c28dd23f921ap-7);
    const R lead = o.turn * q, h = o.at + lead, l = (o.at - h) + lead;
    const R r = h + (l + (o.at_low + o.turn * fma(q * z, p, low)));
    return sel(isnan(x) | isnan(y), x + y, copysign(r, y));
}
template <class R>
HAWK_FN R atan(R x) {
    return atan2(x, R(1));
}

// For floats: to 36 bits.
template <class R>
HAWK_FN R atan2_short(R y, R x) {
    using M = decltype(y > x);
    M steep, left = bits(x) < int_of<R>(0);
    R small, large;
    magnitudes(y, x, small, large, steep);
    const Octant<R> o = octant<R, M>(small, large, steep, left);
    const R q = o.num / o.den, z = q * q;
    const R p = poly(z, -0x1.555555115cfadp-2, 0x1.999961e571c74p-3, -0x1.248a8830d0dadp-3, 0x1.c6142903df21fp-4,
                     -0x1.6acb6180af111p-4, 0x1.0899bde8d0d76p-4, -0x1.eb263ff7222c1p-6);
    const R r = o.at + o.turn * fma(q * z, p, q);
    return sel(isnan(x) | isnan(y), x + y, copysign(r, y));
}

}  // namespace hawk::f64
