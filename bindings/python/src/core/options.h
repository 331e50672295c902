// Options of calls from Python, checked: words and switches. ArgumentError names the option, what was found and what is
// needed. Numbers are in numbers.h.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

namespace eagle::python {

// A str; None is the empty one.
std::string word(nanobind::handle value, const char* name);

// A str; ArgumentError naming `name` and what is `needed` for anything else, None included.
std::string text(nanobind::handle value, const char* name, const char* needed);

// The value for an error. A number of many digits or a long text would bury what is said of it, and is cut.
std::string shown(nanobind::handle value);

// What was found, for an error: "is 3 (int)", or where that is no short line, "is of type numpy.ndarray".
std::string found(nanobind::handle value);

// A bool, NumPy's included.
bool yes_or_no(nanobind::handle value, const char* name);

}  // namespace eagle::python
