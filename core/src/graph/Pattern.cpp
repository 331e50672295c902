#include "graph/Pattern.h"

#include <eagle/Error.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace eagle::graph {
namespace {

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class To, class From>
std::vector<std::byte> integer(ElementType type, From value) {
    bool fits = false;
    if constexpr (std::is_integral_v<From>) {
        fits = std::in_range<To>(value);
    } else {
        // 2^digits is exact in double, and the first number that is too large.
        const double top = std::ldexp(1.0, std::numeric_limits<To>::digits);
        fits = value == std::floor(value) && value < top && value >= (std::is_signed_v<To> ? -top : 0.0);
    }
    if (!fits)
        throw InvalidArgument("the value is " + std::to_string(value) + ", which " + element_type_name(type) +
                              " does not hold; it needs a whole number in the range of that type");
    return bytes_of(static_cast<To>(value));
}

template <class From>
std::vector<std::byte> boolean(From value) {
    if (value != From{0} && value != From{1})
        throw InvalidArgument("the value is " + std::to_string(value) + ", which bool does not hold; it needs 0 or 1");
    return bytes_of(static_cast<std::uint8_t>(value != From{0}));
}

template <class From>
std::vector<std::byte> encode(ElementType type, From value) {
    const bool plain = type.lanes == 1 && !type.swapped;
    if (plain && type.code == TypeCode::floating && type.bits == 64) return bytes_of(static_cast<double>(value));
    if (plain && type.code == TypeCode::floating && type.bits == 32) return bytes_of(static_cast<float>(value));
    if (plain && type.code == TypeCode::boolean && type.bits == 8) return boolean(value);
    if (plain && type.code == TypeCode::integer) {
        if (type.bits == 8) return integer<std::int8_t>(type, value);
        if (type.bits == 16) return integer<std::int16_t>(type, value);
        if (type.bits == 32) return integer<std::int32_t>(type, value);
        if (type.bits == 64) return integer<std::int64_t>(type, value);
    }
    if (plain && type.code == TypeCode::unsigned_integer) {
        if (type.bits == 8) return integer<std::uint8_t>(type, value);
        if (type.bits == 16) return integer<std::uint16_t>(type, value);
        if (type.bits == 32) return integer<std::uint32_t>(type, value);
        if (type.bits == 64) return integer<std::uint64_t>(type, value);
    }
    throw BufferRefused(
        "a number cannot be turned into " + element_type_name(type) +
        ", only into bool, float32, float64 and integers of this machine's byte order; give the bytes of "
        "one element instead");
}

}  // namespace

std::vector<std::byte> pattern_of(ElementType type, double value) { return encode(type, value); }
std::vector<std::byte> pattern_of(ElementType type, std::int64_t value) { return encode(type, value); }

}  // namespace eagle::graph
