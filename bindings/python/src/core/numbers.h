// Numbers from Python, checked: what is whole stays whole, and what is not a number is refused by name.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>

namespace eagle::python {

// A whole number: an int, anything with __index__, or a float that is whole. ValueError for NaN, a fraction or a value
// outside [least, most], TypeError for everything else, bool included; both name `name`.
std::int64_t whole_number(nanobind::handle value, const char* name,
                          std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

// A finite number of seconds, at least 0; the same errors.
double seconds(nanobind::handle value, const char* name);

}  // namespace eagle::python
