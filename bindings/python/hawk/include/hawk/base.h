// Element types, the vector target, and the one-lane versions of what bodies use.
//
// No header here includes a system header: parsing one costs more than compiling a small kernel. The types a body
// meets are spelled in lower case like the built-in types they stand for.
#pragma once

#define HAWK_FN inline __attribute__((always_inline))
// For bodies too long to be copied into each driver.
#define HAWK_LONG __attribute__((noinline))
#define HAWK_LAMBDA __attribute__((always_inline))
#define HAWK_COLD static __attribute__((noinline, cold, unused))

// Bytes of the last-level cache; outputs that exceed half of it are stored past it.
#ifndef HAWK_CACHE_BYTES
#define HAWK_CACHE_BYTES (32ll << 20)
#endif

// Bytes and number of vector registers of the target.
#ifndef HAWK_BYTES
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
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

constexpr double inf = __builtin_inf();
constexpr double nan = __builtin_nan("");

template <class T, int N>
struct Raw {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
using raw = typename Raw<T, N>::type;

// The integer type with the bits of a real type.
template <class T>
struct IntOf;
template <>
struct IntOf<double> {
    using type = i64;
};
template <>
struct IntOf<float> {
    using type = i32;
};
template <>
struct IntOf<i64> {
    using type = i64;
};
template <>
struct IntOf<i32> {
    using type = i32;
};
template <class R>
using int_of = typename IntOf<R>::type;

// One lane: the plain types, with bool for a mask.
template <class R>
struct scalar {
    static constexpr int W = 1;
    using real = R;
    using i64 = hawk::i64;
    using mask = bool;
};

HAWK_FN bool any(bool m) { return m; }
HAWK_FN bool all(bool m) { return m; }
HAWK_FN u32 to_bits(bool m) { return m; }
template <class T>
HAWK_FN T sel(bool m, T a, T b) {
    return m ? a : b;
}
HAWK_FN i64 bits(double a) { return __builtin_bit_cast(i64, a); }
HAWK_FN i32 bits(float a) { return __builtin_bit_cast(i32, a); }
HAWK_FN double from_bits(i64 a) { return __builtin_bit_cast(double, a); }
HAWK_FN float from_bits(i32 a) { return __builtin_bit_cast(float, a); }

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
constexpr int vectors_for(int operations, int planes, bool divides) {
    if (operations > 600 || planes > 28) return 1;
    if (operations > 100 || planes > 14) return 2;
    if (HAWK_REGISTERS == 32) return 4;
    return divides || planes <= 4 ? 4 : 3;
}

}  // namespace hawk
