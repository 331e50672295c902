#include "Convert.h"

#include <eagle/Error.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "Text.h"

namespace eagle::marshal {
namespace {

struct Half {
    std::uint16_t bits;
};

float widen(Half half) {
    std::uint32_t bits = half.bits, sign = (bits & 0x8000u) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
}

struct Byte {  // a bool as it lies in memory: any non-zero byte is true
    std::uint8_t bits;
};

template <class S>
auto value_of(S s) {
    if constexpr (std::is_same_v<S, Half>)
        return widen(s);
    else if constexpr (std::is_same_v<S, Byte>)
        return static_cast<std::uint8_t>(s.bits != 0);
    else
        return s;
}

// Does a 64-bit integer come back from a double?
template <class S>
bool survives(S s) {
    double d = static_cast<double>(s);
    constexpr double top = std::is_signed_v<S> ? 9223372036854775808.0 : 18446744073709551616.0;
    return d < top && static_cast<S>(d) == s;
}

// Calls f(from, component, sample) for every element, components outermost, so that the other side is filled in order.
template <class F>
void each_element(const void* data, const Reading& reading, F f) {
    auto* base = static_cast<const std::byte*>(data);
    for (std::int64_t r = 0; r < reading.rows; ++r)
        for (std::int64_t c = 0; c < reading.cols; ++c) {
            const std::byte* at = base + r * reading.row_stride + c * reading.col_stride;
            for (std::int64_t i = 0; i < reading.samples; ++i, at += reading.sample_stride)
                f(at, r * reading.cols + c, i);
        }
}

struct Place {
    const Signature& signature;
    const Parameter& parameter;
    const Reading& reading;
};

[[noreturn]] void refuse_value(const Place& place, const std::string& value, std::int64_t component,
                               std::int64_t sample) {
    std::string at = place.reading.one ? "" : " at index " + std::to_string(sample);
    if (place.reading.components() > 1) at += ", component " + std::to_string(component);
    throw InvalidArgument(who(place.signature, place.parameter) + " has " + value + at +
                          ", which float64 cannot hold; integers up to 2**53 survive: give float64 values");
}

template <class S, class D>
void copy_as(const Place& place, const void* data, void* dense) {
    auto* to = static_cast<D*>(dense);
    each_element(data, place.reading, [&](const std::byte* from, std::int64_t component, std::int64_t sample) {
        S s;
        std::memcpy(&s, from, sizeof s);
        auto v = value_of(s);
        if constexpr (std::is_integral_v<decltype(v)> && sizeof v == 8 && std::is_floating_point_v<D>)
            if (!survives(v)) refuse_value(place, std::to_string(v), component, sample);
        *to++ = static_cast<D>(v);
    });
}

template <class D>
void copy_from(const Place& place, ElementType found, const void* data, void* dense) {
    switch (found.code) {
        case TypeCode::boolean:
            return copy_as<Byte, D>(place, data, dense);
        case TypeCode::floating:
            if (found.bits == 16) return copy_as<Half, D>(place, data, dense);
            return copy_as<float, D>(place, data, dense);
        case TypeCode::unsigned_integer:
            if (found.bits == 8) return copy_as<std::uint8_t, D>(place, data, dense);
            if (found.bits == 16) return copy_as<std::uint16_t, D>(place, data, dense);
            if (found.bits == 32) return copy_as<std::uint32_t, D>(place, data, dense);
            return copy_as<std::uint64_t, D>(place, data, dense);
        default:
            if (found.bits == 8) return copy_as<std::int8_t, D>(place, data, dense);
            if (found.bits == 16) return copy_as<std::int16_t, D>(place, data, dense);
            if (found.bits == 32) return copy_as<std::int32_t, D>(place, data, dense);
            return copy_as<std::int64_t, D>(place, data, dense);
    }
}

template <class T>
void copy_plain(const Reading& reading, const void* data, void* dense) {
    auto* to = static_cast<std::byte*>(dense);
    each_element(data, reading, [&](const std::byte* from, std::int64_t, std::int64_t) {
        std::memcpy(to, from, sizeof(T));
        to += sizeof(T);
    });
}

}  // namespace

bool converts_safely(ElementType found, Dtype needed) {
    if (found.swapped || found.lanes != 1 || needed == Dtype::boolean) return false;
    int bits = found.bits;
    bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    bool is_bool = found.code == TypeCode::boolean && bits == 8;
    bool is_int = found.code == TypeCode::integer && whole;
    bool is_unsigned = found.code == TypeCode::unsigned_integer && whole;
    bool is_float = found.code == TypeCode::floating && (bits == 16 || bits == 32);
    switch (needed) {
        case Dtype::float64:
            return is_bool || is_int || is_unsigned || is_float;
        case Dtype::float32:
            return is_bool || ((is_int || is_unsigned) && bits <= 16) || (is_float && bits == 16);
        case Dtype::int64:
            return is_bool || is_int || (is_unsigned && bits <= 32);
        case Dtype::int32:
            return is_bool || (is_int && bits <= 32) || (is_unsigned && bits <= 16);
        case Dtype::uint32:
            return is_bool || (is_unsigned && bits <= 32);
        case Dtype::boolean:
            break;
    }
    return false;
}

void copy_in(const Signature& signature, const Parameter& parameter, const ArrayView& view, const Reading& reading,
             void* dense) {
    if (same_type(view.type, parameter.dtype)) {
        switch (dtype_size(parameter.dtype)) {
            case 1:
                return copy_plain<std::uint8_t>(reading, view.data, dense);
            case 4:
                return copy_plain<std::uint32_t>(reading, view.data, dense);
            default:
                return copy_plain<std::uint64_t>(reading, view.data, dense);
        }
    }
    Place place{signature, parameter, reading};
    switch (parameter.dtype) {
        case Dtype::float64:
            return copy_from<double>(place, view.type, view.data, dense);
        case Dtype::float32:
            return copy_from<float>(place, view.type, view.data, dense);
        case Dtype::int64:
            return copy_from<std::int64_t>(place, view.type, view.data, dense);
        case Dtype::int32:
            return copy_from<std::int32_t>(place, view.type, view.data, dense);
        default:
            return copy_from<std::uint32_t>(place, view.type, view.data, dense);
    }
}

void copy_out(const void* dense, std::int64_t item, const ArrayView& view, const Reading& reading) {
    auto* from = static_cast<const std::byte*>(dense);
    each_element(view.data, reading, [&](const std::byte* at, std::int64_t, std::int64_t) {
        // each_element hands out const addresses, since most callers read; these are the caller's writable elements.
        std::memcpy(const_cast<std::byte*>(at), from, static_cast<std::size_t>(item));
        from += item;
    });
}

}  // namespace eagle::marshal
