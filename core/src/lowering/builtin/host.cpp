// eagle's own kernels for kinds that launch functions of the host: fills, gathers, and folds in a fixed order.
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "entries.h"

namespace {

using eagle::builtin::Fill;
using eagle::builtin::Gather;
using eagle::builtin::Reduce;

template <std::size_t Size>
void fill(const Fill& f, std::int64_t base, std::int64_t count) {
    auto* to = reinterpret_cast<unsigned char*>(f.to) + base * std::int64_t{Size};
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * std::int64_t{Size}, f.pattern, Size);
}

template <std::size_t Size>
void gather(const Gather& g, std::int64_t base, std::int64_t count) {
    struct Element {
        unsigned char bytes[Size];
    };
    const auto* const from = reinterpret_cast<const Element*>(g.from);
    auto* const to = reinterpret_cast<Element*>(g.to);
    const auto* const index = reinterpret_cast<const std::int32_t*>(g.index);
    for (std::int64_t i = base; i < base + count; ++i) to[i] = from[index[i]];
}

// Integers wrap around, as the machine's do.
template <class T>
T add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
        return a + b;
    }
}

template <class T>
T multiply(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(std::uint64_t{static_cast<U>(a)} * static_cast<U>(b));
    } else {
        return a * b;
    }
}

template <class T>
struct Sum {
    static T first() { return T{0}; }
    static T fold(T a, T b) { return add(a, b); }
};
template <class T>
struct Product {
    static T first() { return T{1}; }
    static T fold(T a, T b) { return multiply(a, b); }
};
// A NaN that came in stays: no comparison with it holds.
template <class T>
struct Max {
    static T first() {
        if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
        return std::numeric_limits<T>::lowest();
    }
    static T fold(T a, T b) { return a != a ? a : b != b ? b : a < b ? b : a; }
};
template <class T>
struct Min {
    static T first() {
        if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
        return std::numeric_limits<T>::max();
    }
    static T fold(T a, T b) { return a != a ? a : b != b ? b : b < a ? b : a; }
};
template <class T>
struct All {
    static T first() { return T{1}; }
    static T fold(T a, T b) { return a != T{0} && b != T{0} ? T{1} : T{0}; }
};

const unsigned char* element(const Reduce& r, std::int64_t index, std::size_t size) {
    const auto* from = reinterpret_cast<const unsigned char*>(r.from);
    if (r.ndim == 0) return from + index * static_cast<std::int64_t>(size);
    for (std::int32_t k = r.ndim; k-- > 0;) {
        from += index % r.shape[k] * r.strides[k];
        index /= r.shape[k];
    }
    return from;
}

template <class From, class To>
To as(From value) {
    // A byte of a mask counts by whether it is zero.
    if constexpr (std::is_same_v<From, std::uint8_t>) return static_cast<To>(value != 0 ? 1 : 0);
    return static_cast<To>(value);
}

template <class Fold, class From, class To>
void blocks(const Reduce& r, std::int64_t base, std::int64_t count) {
    auto* const to = reinterpret_cast<unsigned char*>(r.to);
    for (std::int64_t b = base; b < base + count; ++b) {
        const std::int64_t begin = b * r.block, end = begin + r.block < r.n ? begin + r.block : r.n;
        To result = Fold::first();
        for (std::int64_t i = begin; i < end; ++i) {
            From value;
            std::memcpy(&value, element(r, i, sizeof value), sizeof value);
            if constexpr (std::is_same_v<Fold, All<To>>)
                result = Fold::fold(result, value != From{0} ? To{1} : To{0});
            else
                result = Fold::fold(result, as<From, To>(value));
        }
        std::memcpy(to + b * static_cast<std::int64_t>(sizeof result), &result, sizeof result);
    }
}

template <class From, class To>
void folds(const Reduce& r, std::int64_t base, std::int64_t count) {
    switch (r.fold) {
        case 0:
            return blocks<Sum<To>, From, To>(r, base, count);
        case 1:
            return blocks<Max<To>, From, To>(r, base, count);
        case 2:
            return blocks<Min<To>, From, To>(r, base, count);
        case 3:
            return blocks<All<To>, From, To>(r, base, count);
        default:
            return blocks<Product<To>, From, To>(r, base, count);
    }
}

template <class From>
void into(const Reduce& r, std::int64_t base, std::int64_t count) {
    switch (r.to_type) {
        case 0:
            return folds<From, double>(r, base, count);
        case 1:
            return folds<From, float>(r, base, count);
        case 2:
            return folds<From, std::int64_t>(r, base, count);
        case 3:
            return folds<From, std::int32_t>(r, base, count);
        case 4:
            return folds<From, std::uint32_t>(r, base, count);
        default:
            return folds<From, std::uint8_t>(r, base, count);
    }
}

}  // namespace

#define EAGLE_ENTRY extern "C" __attribute__((visibility("default"))) void

EAGLE_ENTRY eagle_builtin_fill(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Fill& f = *static_cast<const Fill*>(params[0]);
    switch (f.size) {
        case 1:
            return fill<1>(f, base, count);
        case 2:
            return fill<2>(f, base, count);
        case 4:
            return fill<4>(f, base, count);
        case 8:
            return fill<8>(f, base, count);
        default:
            return fill<16>(f, base, count);
    }
}

EAGLE_ENTRY eagle_builtin_gather(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Gather& g = *static_cast<const Gather*>(params[0]);
    switch (g.size) {
        case 1:
            return gather<1>(g, base, count);
        case 2:
            return gather<2>(g, base, count);
        case 4:
            return gather<4>(g, base, count);
        case 8:
            return gather<8>(g, base, count);
        default:
            return gather<16>(g, base, count);
    }
}

EAGLE_ENTRY eagle_builtin_reduce(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Reduce& r = *static_cast<const Reduce*>(params[0]);
    switch (r.from_type) {
        case 0:
            return into<double>(r, base, count);
        case 1:
            return into<float>(r, base, count);
        case 2:
            return into<std::int64_t>(r, base, count);
        case 3:
            return into<std::int32_t>(r, base, count);
        case 4:
            return into<std::uint32_t>(r, base, count);
        default:
            return into<std::uint8_t>(r, base, count);
    }
}
