// Integers that wrap. Device compilers take the overflow of a signed sum for impossible, and have no option to say
// otherwise. Included inside the namespace hawk.
#pragma once

template <class T>
struct UnsignedOf;
template <>
struct UnsignedOf<i64> {
    using type = u64;
};
template <>
struct UnsignedOf<i32> {
    using type = u32;
};

template <class T>
struct wrapped {
    using U = typename UnsignedOf<T>::type;
    T v;
    wrapped() = default;
    HAWK_FN constexpr wrapped(T a) : v(a) {}
    template <class X>
    HAWK_FN explicit operator X() const {
        return (X)v;
    }
    friend HAWK_FN wrapped operator+(wrapped a, wrapped b) { return (T)((U)a.v + (U)b.v); }
    friend HAWK_FN wrapped operator-(wrapped a, wrapped b) { return (T)((U)a.v - (U)b.v); }
    friend HAWK_FN wrapped operator*(wrapped a, wrapped b) { return (T)((U)a.v * (U)b.v); }
    friend HAWK_FN wrapped operator/(wrapped a, wrapped b) { return a.v / b.v; }
    friend HAWK_FN wrapped operator-(wrapped a) { return (T)(U(0) - (U)a.v); }
    friend HAWK_FN wrapped operator&(wrapped a, wrapped b) { return a.v & b.v; }
    friend HAWK_FN wrapped operator|(wrapped a, wrapped b) { return a.v | b.v; }
    friend HAWK_FN wrapped operator^(wrapped a, wrapped b) { return a.v ^ b.v; }
    friend HAWK_FN wrapped operator~(wrapped a) { return ~a.v; }
    friend HAWK_FN wrapped operator<<(wrapped a, int k) { return (T)((U)a.v << k); }
    friend HAWK_FN wrapped operator>>(wrapped a, int k) { return a.v >> k; }
    friend HAWK_FN bool operator<(wrapped a, wrapped b) { return a.v < b.v; }
    friend HAWK_FN bool operator<=(wrapped a, wrapped b) { return a.v <= b.v; }
    friend HAWK_FN bool operator>(wrapped a, wrapped b) { return a.v > b.v; }
    friend HAWK_FN bool operator>=(wrapped a, wrapped b) { return a.v >= b.v; }
    friend HAWK_FN bool operator==(wrapped a, wrapped b) { return a.v == b.v; }
    friend HAWK_FN bool operator!=(wrapped a, wrapped b) { return a.v != b.v; }
};

using int32_lane = wrapped<i32>;
using int64_lane = wrapped<i64>;
