// Functions of reals that are exact or one instruction: fma, sqrt, rounding, sign, extremes, classification.
#pragma once
#include "hawk/pack.h"
#if defined(__x86_64__) && !defined(__FMA__) && !defined(HAWK_DEVICE)
#include "hawk/soft_fma.h"
#endif

namespace hawk {

// Named instructions where the target has them: the loops over lanes become one instruction too, but only with the
// vectoriser on, and at -O1 they cost a factor of five.
template <class T, int N, class F>
HAWK_FN raw<T, N> by_lane(F f) {
    raw<T, N> r;
    for (int i = 0; i < N; i++) r[i] = f(i);
    return r;
}

#ifdef HAWK_DEVICE
HAWK_FN double sqrt(double a) { return __dsqrt_rn(a); }
HAWK_FN float sqrt(float a) { return __fsqrt_rn(a); }
HAWK_FN double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
HAWK_FN float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
#else
HAWK_FN double sqrt(double a) { return __builtin_sqrt(a); }
HAWK_FN float sqrt(float a) { return __builtin_sqrtf(a); }
#if defined(__x86_64__) && !defined(__FMA__)
HAWK_FN double fma(double a, double b, double c) { return soft_fma(a, b, c); }
HAWK_FN float fma(float a, float b, float c) { return soft_fma(a, b, c); }
#else
HAWK_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
HAWK_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif
#endif

#ifndef HAWK_DEVICE
template <class T, int N>
HAWK_FN pack<T, N> fma(pack<T, N> a, pack<T, N> b, pack<T, N> c) {
#if defined(__clang__) && __has_builtin(__builtin_elementwise_fma) && (defined(__FMA__) || !defined(__x86_64__))
    return __builtin_elementwise_fma(a.v, b.v, c.v);  // later compilers have no names of the instructions
#elif HAWK_BYTES == 64
    if constexpr (sizeof(T) * N == 64 && sizeof(T) == 8)
        return __builtin_ia32_vfmaddpd512_mask(a.v, b.v, c.v, (u8)-1, 4);
    else if constexpr (sizeof(T) * N == 64)
        return __builtin_ia32_vfmaddps512_mask(a.v, b.v, c.v, (u16)-1, 4);
    else if constexpr (sizeof(T) * N == 32 && sizeof(T) == 4)
        return __builtin_ia32_vfmaddps256(a.v, b.v, c.v);
    else
#elif defined(__FMA__) && HAWK_BYTES == 32
    if constexpr (sizeof(T) * N == 32 && sizeof(T) == 8)
        return __builtin_ia32_vfmaddpd256(a.v, b.v, c.v);
    else if constexpr (sizeof(T) * N == 32)
        return __builtin_ia32_vfmaddps256(a.v, b.v, c.v);
    else if constexpr (sizeof(T) * N == 16 && sizeof(T) == 4)
        return __builtin_ia32_vfmaddps(a.v, b.v, c.v);
    else
#endif
    return by_lane<T, N>([&](int i) { return fma(a.v[i], b.v[i], c.v[i]); });
}

template <class T, int N>
HAWK_FN pack<T, N> sqrt(pack<T, N> a) {
#if defined(__clang__)
#if __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(a.v);
#else
    return by_lane<T, N>([&](int i) { return sqrt(a.v[i]); });
#endif
#else
#if HAWK_BYTES == 64
    if constexpr (sizeof(T) * N == 64 && sizeof(T) == 8)
        return __builtin_ia32_sqrtpd512_mask(a.v, a.v, (u8)-1, 4);
    else if constexpr (sizeof(T) * N == 64)
        return __builtin_ia32_sqrtps512_mask(a.v, a.v, (u16)-1, 4);
    else
#endif
#ifdef __AVX__
        if constexpr (sizeof(T) * N == 32 && sizeof(T) == 8)
        return __builtin_ia32_sqrtpd256(a.v);
    else if constexpr (sizeof(T) * N == 32)
        return __builtin_ia32_sqrtps256(a.v);
    else
#endif
#ifdef __SSE2__
        if constexpr (sizeof(T) * N == 16 && sizeof(T) == 8)
        return __builtin_ia32_sqrtpd(a.v);
    else if constexpr (sizeof(T) * N == 16)
        return __builtin_ia32_sqrtps(a.v);
    else
#endif
        return by_lane<T, N>([&](int i) { return sqrt(a.v[i]); });
#endif
}
#endif  // HAWK_DEVICE

// ---------------------------------------------------------------- signs

template <class R>
struct Sign {  // the sign bit of a lane
    static constexpr i64 bit = (i64)(1ull << 63);
};
template <>
struct Sign<float> {
    static constexpr i32 bit = (i32)(1u << 31);
};
template <class T, int N>
struct Sign<pack<T, N>> : Sign<T> {};

template <class R>
HAWK_FN R copysign(R size, R sign) {
    using I = int_of<R>;
    return from_bits((bits(size) & I(~Sign<R>::bit)) | (bits(sign) & I(Sign<R>::bit)));
}
template <class R>
HAWK_FN R magnitude(R x) {
    using I = int_of<R>;
    return from_bits(bits(x) & I(~Sign<R>::bit));
}
HAWK_FN double abs(double x) { return magnitude(x); }
HAWK_FN float abs(float x) { return magnitude(x); }
HAWK_FN int64_lane abs(int64_lane x) { return x < int64_lane(0) ? -x : x; }
template <int N>
HAWK_FN pack<double, N> abs(pack<double, N> x) {
    return magnitude(x);
}
template <int N>
HAWK_FN pack<float, N> abs(pack<float, N> x) {
    return magnitude(x);
}
template <int N>
HAWK_FN pack<i64, N> abs(pack<i64, N> x) {
    return sel(x < pack<i64, N>(0), -x, x);
}

// ---------------------------------------------------------------- rounding

// Beyond this magnitude every value is an integer; adding it leaves the nearest integer in the low bits.
template <class R>
struct Whole {
    static constexpr double from = 0x1p52;
};
template <>
struct Whole<float> {
    static constexpr float from = 0x1p23f;
};
template <class T, int N>
struct Whole<pack<T, N>> : Whole<T> {};

enum Rounding { Nearest = 8, Down = 9, Up = 10, Zero = 11 };  // the immediate of the x86 instructions

// By addition: for targets and lengths without an instruction. The sign of a zero result is the argument's.
template <Rounding M, class R>
HAWK_FN R round_by_sum(R x) {
    const R a = magnitude(x), big = R(Whole<R>::from);
    R t = copysign((a + big) - big, x);
    if constexpr (M == Down) t = sel(t > x, t - R(1), t);
    if constexpr (M == Up) t = sel(t < x, t + R(1), t);
    if constexpr (M == Zero) t = sel(magnitude(t) > a, t - copysign(R(1), x), t);
    return sel(a < big, copysign(t, x), x);
}
template <Rounding M, class T>
HAWK_FN T round_to(T x) {
#ifdef __SSE4_1__
    if constexpr (M == Nearest) return sizeof(T) == 8 ? (T)__builtin_rint((double)x) : (T)__builtin_rintf((float)x);
    if constexpr (M == Down) return sizeof(T) == 8 ? (T)__builtin_floor((double)x) : (T)__builtin_floorf((float)x);
    if constexpr (M == Up) return sizeof(T) == 8 ? (T)__builtin_ceil((double)x) : (T)__builtin_ceilf((float)x);
    return sizeof(T) == 8 ? (T)__builtin_trunc((double)x) : (T)__builtin_truncf((float)x);
#else
    return round_by_sum<M>(x);
#endif
}
template <Rounding M, class T, int N>
HAWK_FN pack<T, N> round_to(pack<T, N> a) {
#if HAWK_BYTES == 64
    if constexpr (sizeof(T) * N == 64 && sizeof(T) == 8)
        return __builtin_ia32_rndscalepd_mask(a.v, M, a.v, (u8)-1, 4);
    else if constexpr (sizeof(T) * N == 64)
        return __builtin_ia32_rndscaleps_mask(a.v, M, a.v, (u16)-1, 4);
    else
#endif
#ifdef __AVX__
        if constexpr (sizeof(T) * N == 32 && sizeof(T) == 8)
        return __builtin_ia32_roundpd256(a.v, M);
    else if constexpr (sizeof(T) * N == 32)
        return __builtin_ia32_roundps256(a.v, M);
    else
#endif
#ifdef __SSE4_1__
        if constexpr (sizeof(T) * N == 16 && sizeof(T) == 8)
        return __builtin_ia32_roundpd(a.v, M);
    else if constexpr (sizeof(T) * N == 16)
        return __builtin_ia32_roundps(a.v, M);
    else
#endif
        return round_by_sum<M>(a);
}
template <class R>
HAWK_FN R floor(R x) {
    return round_to<Down>(x);
}
template <class R>
HAWK_FN R ceil(R x) {
    return round_to<Up>(x);
}
template <class R>
HAWK_FN R trunc(R x) {
    return round_to<Zero>(x);
}
template <class R>
HAWK_FN R rint(R x) {
    return round_to<Nearest>(x);
}

// ---------------------------------------------------------------- extremes and classes

template <class R>
HAWK_FN auto isnan(R x) {
    return x != x;
}
template <class R>
HAWK_FN auto isinf(R x) {
    return magnitude(x) == R(inf);
}
template <class R>
HAWK_FN auto isfinite(R x) {
    return magnitude(x) < R(inf);
}
// The extreme of two numbers; equal ones differ in the sign of a zero only, so their bits can be joined.
template <class R>
HAWK_FN R lower(R a, R b) {
    return sel(a == b, from_bits(bits(a) | bits(b)), sel(a < b, a, b));
}
template <class R>
HAWK_FN R upper(R a, R b) {
    return sel(a == b, from_bits(bits(a) & bits(b)), sel(a > b, a, b));
}
template <class R>
HAWK_FN R minimum(R a, R b) {
    return sel(isnan(a), a, sel(isnan(b), b, lower(a, b)));
}
template <class R>
HAWK_FN R maximum(R a, R b) {
    return sel(isnan(a), a, sel(isnan(b), b, upper(a, b)));
}
HAWK_FN int64_lane minimum(int64_lane a, int64_lane b) { return a < b ? a : b; }
HAWK_FN int64_lane maximum(int64_lane a, int64_lane b) { return a > b ? a : b; }
template <int N>
HAWK_FN pack<i64, N> minimum(pack<i64, N> a, pack<i64, N> b) {
    return sel(a < b, a, b);
}
template <int N>
HAWK_FN pack<i64, N> maximum(pack<i64, N> a, pack<i64, N> b) {
    return sel(a > b, a, b);
}
template <class R>
HAWK_FN R fmin(R a, R b) {
    return sel(isnan(a), b, sel(isnan(b), a, lower(a, b)));
}
template <class R>
HAWK_FN R fmax(R a, R b) {
    return sel(isnan(a), b, sel(isnan(b), a, upper(a, b)));
}

}  // namespace hawk
