// pack<T, N>: N lanes of one type, over the compiler's vector extensions.
#pragma once
#include "hawk/mask.h"

namespace hawk {

template <class T, int N>
struct pack;

#ifndef HAWK_DEVICE
#if HAWK_BYTES == 64
// Comparison into a k register and the choice by one, which the vector extensions cannot say.
enum { CmpEq = 0, CmpLt = 17, CmpLe = 18, CmpNe = 4, CmpGe = 29, CmpGt = 30 };  // ordered and quiet, != unordered
enum { IntEq = 0, IntLt = 1, IntLe = 2, IntNe = 4, IntGe = 5, IntGt = 6 };
template <int P, int Q>
struct Compare {
    static HAWK_FN u8 of(raw<double, 8> a, raw<double, 8> b) {
        return (u8)__builtin_ia32_cmppd512_mask(a, b, P, (u8)-1, 4);
    }
    static HAWK_FN u16 of(raw<float, 16> a, raw<float, 16> b) {
        return (u16)__builtin_ia32_cmpps512_mask(a, b, P, (u16)-1, 4);
    }
    static HAWK_FN u8 of(raw<float, 8> a, raw<float, 8> b) { return (u8)__builtin_ia32_cmpps256_mask(a, b, P, (u8)-1); }
    static HAWK_FN u8 of(raw<i64, 8> a, raw<i64, 8> b) { return (u8)__builtin_ia32_cmpq512_mask(a, b, Q, (u8)-1); }
    static HAWK_FN u16 of(raw<i32, 16> a, raw<i32, 16> b) { return (u16)__builtin_ia32_cmpd512_mask(a, b, Q, (u16)-1); }
    static HAWK_FN u8 of(raw<i32, 8> a, raw<i32, 8> b) { return (u8)__builtin_ia32_cmpd256_mask(a, b, Q, (u8)-1); }
};
#ifdef __clang__
#define HAWK_BLEND(T, N, M, CLANG, GCC) \
    HAWK_FN raw<T, N> blend(M m, raw<T, N> a, raw<T, N> b) { return __builtin_ia32_##CLANG(m, a, b); }
#else
#define HAWK_BLEND(T, N, M, CLANG, GCC) \
    HAWK_FN raw<T, N> blend(M m, raw<T, N> a, raw<T, N> b) { return __builtin_ia32_##GCC(b, a, m); }
#endif
HAWK_BLEND(double, 8, u8, selectpd_512, blendmpd_512_mask)
HAWK_BLEND(float, 16, u16, selectps_512, blendmps_512_mask)
HAWK_BLEND(float, 8, u8, selectps_256, blendmps_256_mask)
HAWK_BLEND(i64, 8, u8, selectq_512, blendmq_512_mask)
HAWK_BLEND(i32, 16, u16, selectd_512, blendmd_512_mask)
HAWK_BLEND(i32, 8, u8, selectd_256, blendmd_256_mask)
#undef HAWK_BLEND
#define HAWK_COMPARE(op, P, Q) \
    friend HAWK_FN mask<N> operator op(pack a, pack b) { return mask<N>::of(Compare<P, Q>::of(a.v, b.v)); }
#else
#define HAWK_COMPARE(op, P, Q)                                                        \
    friend HAWK_FN mask<N> operator op(pack a, pack b) {                              \
        return mask<N>::of(__builtin_convertvector(a.v op b.v, typename mask<N>::V)); \
    }
#endif

template <class T, int N>
struct pack {
    using V = raw<T, N>;
    V v;
    pack() = default;
    HAWK_FN pack(V x) : v(x) {}
    HAWK_FN pack(T s) : v(s - V{}) {}  // s - 0 keeps the sign of a zero
    friend HAWK_FN pack operator+(pack a, pack b) { return a.v + b.v; }
    friend HAWK_FN pack operator-(pack a, pack b) { return a.v - b.v; }
    friend HAWK_FN pack operator*(pack a, pack b) { return a.v * b.v; }
    friend HAWK_FN pack operator/(pack a, pack b) { return a.v / b.v; }
    friend HAWK_FN pack operator-(pack a) { return -a.v; }
    friend HAWK_FN pack operator&(pack a, pack b) { return a.v & b.v; }
    friend HAWK_FN pack operator|(pack a, pack b) { return a.v | b.v; }
    friend HAWK_FN pack operator^(pack a, pack b) { return a.v ^ b.v; }
    friend HAWK_FN pack operator~(pack a) { return ~a.v; }
    friend HAWK_FN pack operator<<(pack a, int k) { return a.v << (T)k; }
    friend HAWK_FN pack operator>>(pack a, int k) { return a.v >> (T)k; }
    HAWK_COMPARE(<, CmpLt, IntLt)
    HAWK_COMPARE(<=, CmpLe, IntLe)
    HAWK_COMPARE(>, CmpGt, IntGt)
    HAWK_COMPARE(>=, CmpGe, IntGe)
    HAWK_COMPARE(==, CmpEq, IntEq)
    HAWK_COMPARE(!=, CmpNe, IntNe)
};
#undef HAWK_COMPARE

template <class T, int N>
struct IntOf<pack<T, N>> {
    using type = pack<typename IntOf<T>::type, N>;
};

// A row in memory, at any address. Typed moves: through memcpy the compiler keeps a second copy of the state in memory.
template <class T, int N>
struct Row {
    typedef T type __attribute__((vector_size(N * sizeof(T)), aligned(1), may_alias));
};
template <class T, int N>
HAWK_FN void get(pack<T, N>& x, const u8* p) {
    x.v = *(const typename Row<T, N>::type*)p;
}
template <class T, int N>
HAWK_FN void put(const pack<T, N>& x, u8* p) {
    *(typename Row<T, N>::type*)p = x.v;
}

template <class T, int N>
HAWK_FN pack<T, N> sel(mask<N> m, pack<T, N> a, pack<T, N> b) {
#if HAWK_BYTES == 64
    return blend(m.m, a.v, b.v);
#else
    return __builtin_convertvector(m.m, raw<typename IntOf<T>::type, N>) ? a.v : b.v;
#endif
}
template <int N>
HAWK_FN pack<i64, N> bits(pack<double, N> a) {
    return (raw<i64, N>)a.v;
}
template <int N>
HAWK_FN pack<i32, N> bits(pack<float, N> a) {
    return (raw<i32, N>)a.v;
}
template <int N>
HAWK_FN pack<double, N> from_bits(pack<i64, N> a) {
    return (raw<double, N>)a.v;
}
template <int N>
HAWK_FN pack<float, N> from_bits(pack<i32, N> a) {
    return (raw<float, N>)a.v;
}
template <class To, int N>
struct Cast<pack<To, N>> {
    template <class From>
    static HAWK_FN pack<To, N> of(pack<From, N> a) {
        return __builtin_convertvector(a.v, raw<To, N>);
    }
};

// The vector target. `Lane` is the size of the widest value of a kernel; a narrower pack fills part of a register.
template <class R, int Lane>
struct simd {
    static constexpr int W = HAWK_BYTES / Lane;
    using real = pack<R, W>;
    using i64 = pack<hawk::i64, HAWK_BYTES / 8>;
    using mask = hawk::mask<W>;
};

#endif  // HAWK_DEVICE

}  // namespace hawk
