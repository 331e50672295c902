// int64 lanes: shifts, division with faults, conversion. Sums and products wrap (-fwrapv).
#pragma once
#include "hawk/real.h"

namespace hawk {

enum Fault { DivisionByZero = -1, QuotientOverflow = -2 };
constexpr i64 int_min = (i64)(1ull << 63);

HAWK_COLD void note_fault(i32* code, u32 lanes, i32 why) {
    for (; lanes; lanes &= lanes - 1) code[lowest_bit(lanes)] = why;
}

// The faults of one vector in one step. `code` has one element a lane, written when the lane fails first.
template <class S>
struct trap {
    typename S::mask failed;
    i32* code;
    HAWK_FN explicit trap(i32* c) : failed(false), code(c) {}
    HAWK_FN void fail(typename S::mask lanes, i32 why) {
        note_fault(code, to_bits(lanes) & ~to_bits(failed), why);
        failed = failed | lanes;
    }
};

HAWK_FN int64_lane shl(int64_lane a, int64_lane b) { return (i64)((u64)a << ((u64)b & 63)); }
HAWK_FN int64_lane shr(int64_lane a, int64_lane b) { return (i64)a >> ((u64)b & 63); }
template <int N>
HAWK_FN pack<i64, N> shl(pack<i64, N> a, pack<i64, N> b) {
    return a.v << (b & pack<i64, N>(63)).v;
}
template <int N>
HAWK_FN pack<i64, N> shr(pack<i64, N> a, pack<i64, N> b) {
    return a.v >> (b & pack<i64, N>(63)).v;
}

// Quotient and remainder that floor, for a divisor that is neither zero nor -1 where a is the least integer.
HAWK_FN int64_lane floor_quotient(int64_lane a, int64_lane b) {
    const int64_lane q = a / b, r = a - q * b;
    return q - int64_lane(r != int64_lane(0) && (r ^ b) < int64_lane(0));
}
template <int N>
HAWK_FN pack<i64, N> floor_quotient(pack<i64, N> a, pack<i64, N> b) {
    return by_lane<i64, N>([&](int i) { return floor_quotient(a.v[i], b.v[i]); });
}

template <class I, class M, class S>
HAWK_FN I floor_div(I a, I b, M on, trap<S>& f) {
    const M zero = on & (b == I(0)), over = on & (b == I(-1)) & (a == I(int_min)), bad = zero | over;
    if (__builtin_expect(any(bad), 0)) {
        f.fail(zero, DivisionByZero);
        f.fail(over, QuotientOverflow);
    }
    const M usable = on & !bad;
    return sel(usable, floor_quotient(a, sel(usable, b, I(1))), I(0));
}
template <class I, class M, class S>
HAWK_FN I floor_mod(I a, I b, M on, trap<S>& f) {
    const M zero = on & (b == I(0));
    if (__builtin_expect(any(zero), 0)) f.fail(zero, DivisionByZero);
    const M usable = on & (b != I(0)) & (b != I(-1));  // a % -1 is 0, without the quotient that may overflow
    const I d = sel(usable, b, I(1));
    return a - floor_quotient(a, d) * d;
}

// ---------------------------------------------------------------- conversion

template <class S>
HAWK_FN typename S::real to_real(typename S::i64 a) {
    return Cast<typename S::real>::of(a);
}
template <class S>
HAWK_FN typename S::real to_real(typename S::mask m) {
    using R = typename S::real;
    return sel(m, R(1), R(0));
}
template <class S>
HAWK_FN typename S::i64 to_int(typename S::mask m) {
    using I = typename S::i64;
    return sel(m, I(1), I(0));
}
template <class S>
HAWK_FN typename S::i64 to_int(typename S::real x) {
    using R = typename S::real;
    using I = typename S::i64;
    const R top = R(0x1p63);
    const auto inside = (x < top) & (x >= -top);
    I r = Cast<I>::of(sel(inside, x, R(0)));
    r = sel(x >= top, I(~int_min), r);
    return sel(x < -top, I(int_min), r);
}

}  // namespace hawk
