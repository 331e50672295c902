// Element types, the vector target, and the one-lane versions of what bodies use.
//
// No header here includes a system header: parsing one costs more than compiling a small kernel. The types a body
// meets are spelled in lower case like the built-in types they stand for. With HAWK_DEVICE (hawk/device/kernel.h) the
// target is one lane a thread, and the packs are left out.
#pragma once

#ifdef HAWK_DEVICE
#include "hawk/device/words.h"
#else
#define HAWK_FN inline __attribute__((always_inline))
// For bodies too long to be copied into each driver.
#define HAWK_LONG __attribute__((noinline))
#define HAWK_LAMBDA __attribute__((always_inline))
#define HAWK_COLD static __attribute__((noinline, cold, unused))
// Constants that are read by a number known at run time alone.
#define HAWK_TABLE constexpr
#endif

// Bytes of the last-level cache; outputs that exceed half of it are stored past it.
#ifndef HAWK_CACHE_BYTES
#define HAWK_CACHE_BYTES (32ll << 20)
#endif

// Bytes and number of vector registers of the target.
#ifndef HAWK_BYTES
#if defined(HAWK_DEVICE)
#define HAWK_BYTES 8
#elif defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define HAWK_BYTES 64
#elif defined(__AVX2__)
#define HAWK_BYTES 32
#else
#define HAWK_BYTES 16
#endif
#endif
#if HAWK_BYTES == 64 || defined(__aarch64__)
#define HAWK_REGISTERS 32
#else
#define HAWK_REGISTERS 16
#endif

namespace hawk {

using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
#ifdef HAWK_DEVICE
typedef unsigned __int128 u128;
#else
__extension__ typedef unsigned __int128 u128;
#endif

constexpr double inf = __builtin_bit_cast(double, 0x7ff0000000000000ull);
constexpr double nan = __builtin_bit_cast(double, 0x7ff8000000000000ull);

#ifdef HAWK_DEVICE
template <class T, int N>
struct Raw;
#include "hawk/device/wrapped.h"
#else
using int32_lane = i32;
using int64_lane = i64;
template <class T, int N>
struct Raw {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
HAWK_FN int lowest_bit(u32 a) { return __builtin_ctz(a); }
HAWK_FN int leading_zeros(u64 a) { return __builtin_clzll(a); }
#endif
template <class T, int N>
using raw = typename Raw<T, N>::type;

// The integer type with the bits of a real type.
template <class T>
struct IntOf;
template <>
struct IntOf<double> {
    using type = int64_lane;
};
template <>
struct IntOf<float> {
    using type = int32_lane;
};
template <>
struct IntOf<int64_lane> {
    using type = int64_lane;
};
template <>
struct IntOf<int32_lane> {
    using type = int32_lane;
};
template <class R>
using int_of = typename IntOf<R>::type;

// One lane: the plain types, with bool for a mask.
template <class R>
struct scalar {
    static constexpr int W = 1;
    using real = R;
    using i64 = int64_lane;
    using mask = bool;
};

HAWK_FN bool any(bool m) { return m; }
HAWK_FN bool all(bool m) { return m; }
HAWK_FN u32 to_bits(bool m) { return m; }
template <class T>
HAWK_FN T sel(bool m, T a, T b) {
    return m ? a : b;
}
HAWK_FN int64_lane bits(double a) { return __builtin_bit_cast(int64_lane, a); }
HAWK_FN int32_lane bits(float a) { return __builtin_bit_cast(int32_lane, a); }
HAWK_FN double from_bits(int64_lane a) { return __builtin_bit_cast(double, a); }
HAWK_FN float from_bits(int32_lane a) { return __builtin_bit_cast(float, a); }

// Value conversion between packs of one length, or between plain types.
template <class To>
struct Cast {
    template <class From>
    static HAWK_FN To of(From a) {
        return (To)a;
    }
};

// A row of W elements in memory; a mask is W bytes.
template <class T>
HAWK_FN void get(T& x, const u8* p) {
    __builtin_memcpy(&x, p, sizeof x);
}
template <class T>
HAWK_FN void put(const T& x, u8* p) {
    __builtin_memcpy(p, &x, sizeof x);
}
HAWK_FN void get(bool& x, const u8* p) { x = *p != 0; }
HAWK_FN void put(const bool& x, u8* p) { *p = x; }

// How many vectors of samples are worth holding in registers at once: enough to hide the latency of a step, few
// enough that their state fits.
HAWK_FN constexpr int vectors_for(int operations, int planes, bool divides) {
    if (operations > 600 || planes > 28) return 1;
    if (operations > 100 || planes > 14) return 2;
    if (HAWK_REGISTERS == 32) return 4;
    return divides || planes <= 4 ? 4 : 3;
}

}  // namespace hawk
