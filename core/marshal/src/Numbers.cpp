#include "Numbers.h"

#include <eagle/Error.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "Text.h"

namespace eagle::marshal {
namespace {

template <class T>
std::uint32_t put(T value, void* into) {
    std::memcpy(into, &value, sizeof value);
    return sizeof value;
}

std::string number_text(double value) {
    char text[32];
    auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::uint32_t store_integer(const Signature& signature, const Parameter& parameter, std::int64_t value, void* into) {
    if (parameter.dtype == Dtype::boolean) return put(static_cast<std::uint8_t>(value != 0), into);
    std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
    if (parameter.dtype == Dtype::int32) {
        low = std::numeric_limits<std::int32_t>::min();
        high = std::numeric_limits<std::int32_t>::max();
    } else if (parameter.dtype == Dtype::uint32) {
        low = 0;
        high = std::numeric_limits<std::uint32_t>::max();
    }
    if (value < low || value > high)
        throw InvalidArgument(who(signature, parameter) + " is " + std::to_string(value) + "; it is " +
                              std::string(dtype_name(parameter.dtype)) + " and needs a value from " +
                              std::to_string(low) + " to " + std::to_string(high));
    if (parameter.role == Role::uniform || parameter.dtype == Dtype::int64) return put(value, into);
    return put(static_cast<std::uint32_t>(value), into);  // the low half is right for int32 as well
}

}  // namespace

std::uint32_t store_number(const Signature& signature, const Parameter& parameter, double value, void* into) {
    if (parameter.dtype == Dtype::float64) return put(value, into);
    if (parameter.dtype == Dtype::float32) {
        float narrow = static_cast<float>(value);
        if (std::isinf(narrow) && !std::isinf(value))
            throw InvalidArgument(who(signature, parameter) + " is " + number_text(value) +
                                  ", which float32 cannot hold; it needs a magnitude below 3.4028236e+38");
        return put(narrow, into);
    }
    if (std::isnan(value) || value != std::floor(value) || value < -9223372036854775808.0 ||
        value >= 9223372036854775808.0)
        throw InvalidArgument(who(signature, parameter) + " is " + number_text(value) + "; it is " +
                              std::string(dtype_name(parameter.dtype)) + " and needs a whole number: round it first");
    return store_integer(signature, parameter, static_cast<std::int64_t>(value), into);
}

std::uint32_t store_number(const Signature& signature, const Parameter& parameter, std::int64_t value, void* into) {
    if (parameter.dtype != Dtype::float64 && parameter.dtype != Dtype::float32)
        return store_integer(signature, parameter, value, into);
    double wide = static_cast<double>(value);
    if (wide >= 9223372036854775808.0 || static_cast<std::int64_t>(wide) != value)
        throw InvalidArgument(who(signature, parameter) + " is " + std::to_string(value) +
                              ", which float64 cannot hold; integers up to 2**53 survive: give a float");
    return store_number(signature, parameter, wide, into);
}

}  // namespace eagle::marshal
