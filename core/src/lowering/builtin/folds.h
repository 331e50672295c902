// How elements are found, converted and folded: the same words for hosts and for cards.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "entries.h"

#if defined(__CUDACC__) || defined(__HIPCC__)
#define EAGLE_BUILTIN __device__
#else
#define EAGLE_BUILTIN
#endif

namespace eagle::builtin {

// Integers wrap around, as the machine's do.
template <class T>
EAGLE_BUILTIN T add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
        return a + b;
    }
}

template <class T>
EAGLE_BUILTIN T multiply(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(std::uint64_t{static_cast<U>(a)} * static_cast<U>(b));
    } else {
        return a * b;
    }
}

template <class T>
struct Sum {
    EAGLE_BUILTIN static T first() { return T{0}; }
    EAGLE_BUILTIN static T fold(T a, T b) { return add(a, b); }
};
template <class T>
struct Product {
    EAGLE_BUILTIN static T first() { return T{1}; }
    EAGLE_BUILTIN static T fold(T a, T b) { return multiply(a, b); }
};
// A NaN that came in stays: no comparison with it holds.
template <class T>
struct Max {
    EAGLE_BUILTIN static T first() {
        if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
        return std::numeric_limits<T>::lowest();
    }
    EAGLE_BUILTIN static T fold(T a, T b) { return a != a ? a : b != b ? b : a < b ? b : a; }
};
template <class T>
struct Min {
    EAGLE_BUILTIN static T first() {
        if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
        return std::numeric_limits<T>::max();
    }
    EAGLE_BUILTIN static T fold(T a, T b) { return a != a ? a : b != b ? b : b < a ? b : a; }
};
template <class T>
struct All {
    EAGLE_BUILTIN static T first() { return T{1}; }
    EAGLE_BUILTIN static T fold(T a, T b) { return a != T{0} && b != T{0} ? T{1} : T{0}; }
};

EAGLE_BUILTIN inline const unsigned char* element(const Reduce& r, std::int64_t index, std::size_t size) {
    const auto* from = reinterpret_cast<const unsigned char*>(r.from);
    if (r.ndim == 0) return from + index * static_cast<std::int64_t>(size);
    for (std::int32_t k = r.ndim; k-- > 0;) {
        from += index % r.shape[k] * r.strides[k];
        index /= r.shape[k];
    }
    return from;
}

template <class From, class To>
EAGLE_BUILTIN To as(From value) {
    // A byte of a mask counts by whether it is zero.
    if constexpr (std::is_same_v<From, std::uint8_t>) return static_cast<To>(value != 0 ? 1 : 0);
    return static_cast<To>(value);
}

// What a fold takes of an element.
template <class Fold, class From, class To>
EAGLE_BUILTIN To taken(From value) {
    if constexpr (std::is_same_v<Fold, All<To>>) return value != From{0} ? To{1} : To{0};
    return as<From, To>(value);
}

}  // namespace eagle::builtin
