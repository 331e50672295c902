#include "numbers.h"

#include <Reference.h>
#include <eagle/Error.h>

#include <cmath>
#include <string>

#include "options.h"

namespace nb = nanobind;

namespace eagle::python {

namespace {

[[noreturn]] void refuse_value(nb::handle value, const char* name, const std::string& needed) {
    throw InvalidArgument(std::string(name) + " is " + shown(value) + "; it must be " + needed);
}

[[noreturn]] void refuse_type(nb::handle value, const char* name, const std::string& needed) {
    throw ArgumentError(std::string(name) + " is " + shown(value) + " (" + nb::type_name(value.type()).c_str() +
                        "); it must be " + needed);
}

std::string range_text(std::int64_t least, std::int64_t most) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    if (least == lowest && most == highest) return "a whole number below 2^63";
    if (most == highest) return "a whole number of at least " + std::to_string(least);
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

std::int64_t whole_number(nb::handle value, const char* name, std::int64_t least, std::int64_t most) {
    const std::string needed = range_text(least, most);
    if (PyBool_Check(value.ptr())) refuse_type(value, name, needed);
    nb::object integer;
    if (PyFloat_Check(value.ptr())) {
        const double number = PyFloat_AsDouble(value.ptr());
        if (!std::isfinite(number) || number != std::floor(number)) refuse_value(value, name, needed);
        integer = nb::steal(PyLong_FromDouble(number));
    } else if (PyIndex_Check(value.ptr())) {
        integer = nb::steal(PyNumber_Index(value.ptr()));
    } else {
        refuse_type(value, name, needed);
    }
    if (!integer.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long result = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    if (overflow > 0 && least != lowest && most == std::numeric_limits<std::int64_t>::max())
        refuse_value(value, name, needed + ", below 2^63");
    if (overflow != 0 || result < least || result > most) refuse_value(value, name, needed);
    return result;
}

double seconds(nb::handle value, const char* name) {
    constexpr const char* needed = "a number of seconds, at least 0";
    if (PyBool_Check(value.ptr())) refuse_type(value, name, needed);
    const double result = PyFloat_AsDouble(value.ptr());
    if (result == -1.0 && PyErr_Occurred()) {
        clear_exception();
        refuse_type(value, name, needed);
    }
    if (!std::isfinite(result) || result < 0) refuse_value(value, name, needed);
    return result;
}

}  // namespace eagle::python
