// fma in integers and doubles, for x86-64 machines without the instruction: the exact product and sum, rounded once
// to nearest, so that a kernel has the same bits there as anywhere.
#pragma once
#include "hawk/base.h"

namespace hawk {

// value = m 2^e, m in [2^52, 2^53), for a finite value that is not zero
struct Split {
    u64 m;
    int e;
};
HAWK_FN Split split_double(double x) {
    const u64 b = (u64)bits(x), f = b & ((1ull << 52) - 1);
    const int e = (int)(b >> 52 & 0x7ff);
    if (e) return {f | 1ull << 52, e - 1075};
    const int z = __builtin_clzll(f) - 11;
    return {f << z, -1074 - z};
}

// v / 2^d; what falls off is kept as one bit.
HAWK_FN u128 shift_sticky(u128 v, int d) {
    if (d <= 0) return v;
    if (d > 126) return 1;
    return v >> d | ((v & (((u128)1 << d) - 1)) != 0);
}

// v 2^e with sign, rounded to nearest even; the lowest bit of v also stands for everything below it. v has its top
// bit at 127.
HAWK_FN double round_once(u128 v, int e, bool minus) {
    int drop = 75, low = e + 75;  // of the kept 53 bits, the weight of the last
    if (low < -1074) drop += -1074 - low, low = -1074;
    if (drop > 127) v = shift_sticky(v, drop - 127), drop = 127;
    u64 m = (u64)(v >> drop);
    const u128 rest = v & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
    if (rest > half || (rest == half && (m & 1))) m++;
    const u64 sign = (u64)minus << 63;
    if (m >> 53) m >>= 1, low++;
    if (low > 971) return from_bits((i64)(sign | 0x7ffull << 52));
    const u64 b = m >> 52 ? (m & ((1ull << 52) - 1)) | (u64)(low + 1075) << 52 : m;
    return from_bits((i64)(sign | b));
}

static __attribute__((noinline, unused)) double soft_fma(double a, double b, double c) {
    if (!(a - a == 0 && b - b == 0) || a == 0 || b == 0) return a * b + c;
    if (c - c != 0) return c;  // the product may overflow alone
    if (c == 0) return a * b;
    const Split x = split_double(a), y = split_double(b), z = split_double(c);
    const bool ps = (bits(a) ^ bits(b)) < 0, cs = bits(c) < 0;
    u128 p = (u128)x.m * y.m, q = (u128)z.m << 73;  // tops at bit 104 or 105, and at 125
    int pe = x.e + y.e - 20, qe = z.e - 73;
    p <<= 20;
    if (!(p >> 125)) p <<= 1, pe--;
    if (pe < qe) {
        p = shift_sticky(p, qe - pe);
        pe = qe;
    } else {
        q = shift_sticky(q, pe - qe);
    }
    bool minus = ps;
    u128 v;
    if (ps == cs) {
        v = p + q;
    } else if (p >= q) {
        v = p - q;
    } else {
        v = q - p;
        minus = cs;
    }
    if (v == 0) return 0.0;
    const int zeros = v >> 64 ? __builtin_clzll((u64)(v >> 64)) : 64 + __builtin_clzll((u64)v);
    return round_once(v << zeros, pe - zeros, minus);
}

// The product of two floats is exact in double; the sum is rounded to odd, so that rounding it again is harmless.
static __attribute__((noinline, unused)) float soft_fma(float a, float b, float c) {
    const double p = (double)a * b, s = p + c;
    if (s - s != 0) return (float)s;
    const double t = s - p, err = (p - (s - t)) + (c - t);
    if (err == 0 || (bits(s) & 1)) return (float)s;
    const bool outward = (err > 0) == (s > 0);
    return (float)from_bits(bits(s) + (outward ? 1 : -1));
}

}  // namespace hawk
