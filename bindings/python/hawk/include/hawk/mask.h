// mask<N>: one truth value a lane. On AVX-512 it is a k register; elsewhere a vector of integers as wide as the packs.
#pragma once
#include "hawk/base.h"

namespace hawk {

#ifdef HAWK_DEVICE
template <int N>
struct mask;
#else
#if HAWK_BYTES == 64
template <int N>
struct MaskWord {
    using type = u8;
};
template <>
struct MaskWord<16> {
    using type = u16;
};

template <int N>
struct mask {
    using Word = typename MaskWord<N>::type;
    Word m;
    mask() = default;
    HAWK_FN mask(bool b) : m(b ? (Word)-1 : (Word)0) {}
    static HAWK_FN mask of(Word w) {
        mask r;
        r.m = w;
        return r;
    }
    friend HAWK_FN mask operator&(mask a, mask b) { return of(a.m & b.m); }
    friend HAWK_FN mask operator|(mask a, mask b) { return of(a.m | b.m); }
    friend HAWK_FN mask operator^(mask a, mask b) { return of(a.m ^ b.m); }
    friend HAWK_FN mask operator!(mask a) { return of((Word)~a.m); }
};
template <int N>
HAWK_FN u32 to_bits(mask<N> a) {
    return a.m;
}
template <int N>
HAWK_FN bool any(mask<N> a) {
    return a.m != 0;
}
template <int N>
HAWK_FN mask<N> mask_from_bits(u32 b) {
    return mask<N>::of((typename mask<N>::Word)b);
}
#else
template <int Bytes>
struct MaskElement {
    using type = i64;
};
template <>
struct MaskElement<4> {
    using type = i32;
};

template <int N>
struct mask {
    using E = typename MaskElement<HAWK_BYTES / N>::type;
    using V = raw<E, N>;
    V m;
    mask() = default;
    HAWK_FN mask(bool b) : m(V{} - (E)b) {}
    static HAWK_FN mask of(V w) {
        mask r;
        r.m = w;
        return r;
    }
    friend HAWK_FN mask operator&(mask a, mask b) { return of(a.m & b.m); }
    friend HAWK_FN mask operator|(mask a, mask b) { return of(a.m | b.m); }
    friend HAWK_FN mask operator^(mask a, mask b) { return of(a.m ^ b.m); }
    friend HAWK_FN mask operator!(mask a) { return of(~a.m); }
};
template <int N>
HAWK_FN u32 to_bits(mask<N> a) {
#if defined(__AVX2__) && HAWK_BYTES == 32
    if constexpr (N == 4) return (u32)__builtin_ia32_movmskpd256((raw<double, 4>)a.m);
    if constexpr (N == 8) return (u32)__builtin_ia32_movmskps256((raw<float, 8>)a.m);
#elif defined(__SSE2__) && HAWK_BYTES == 16
    if constexpr (N == 2) return (u32)__builtin_ia32_movmskpd((raw<double, 2>)a.m);
    if constexpr (N == 4) return (u32)__builtin_ia32_movmskps((raw<float, 4>)a.m);
#else
    u32 r = 0;
    for (int i = 0; i < N; i++) r |= (u32)(a.m[i] & 1) << i;
    return r;
#endif
}
template <int N>
HAWK_FN bool any(mask<N> a) {
    return to_bits(a) != 0;
}
template <int N>
HAWK_FN mask<N> mask_from_bits(u32 b) {
    mask<N> r;
    for (int i = 0; i < N; i++) r.m[i] = -(typename mask<N>::E)((b >> i) & 1);
    return r;
}
#endif

template <int N>
HAWK_FN bool all(mask<N> a) {
    return to_bits(a) == (1u << N) - 1u;
}
template <int N>
HAWK_FN mask<N> sel(mask<N> m, mask<N> a, mask<N> b) {
    return (m & a) | (!m & b);
}

template <int N>
HAWK_FN void get(mask<N>& x, const u8* p) {
    u32 b = 0;
    for (int i = 0; i < N; i++) b |= (u32)(p[i] != 0) << i;
    x = mask_from_bits<N>(b);
}
template <int N>
HAWK_FN void put(const mask<N>& x, u8* p) {
    const u32 b = to_bits(x);
    for (int i = 0; i < N; i++) p[i] = b >> i & 1;
}

#endif  // HAWK_DEVICE

}  // namespace hawk
