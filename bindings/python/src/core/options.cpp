#include "options.h"

#include <eagle/Error.h>

#include "arguments.h"

namespace nb = nanobind;

namespace eagle::python {

namespace {

[[noreturn]] void refuse(nb::handle value, const char* name, const char* needed) {
    throw ArgumentError(std::string(name) + " " + found(value) + "; it must be " + needed);
}

constexpr std::size_t short_line = 80;

}  // namespace

std::string shown(nb::handle value) {
    constexpr std::size_t some = 40;
    const std::string text = nb::repr(value).c_str();
    if (text.size() <= short_line) return text;
    return text.substr(0, some) + "... (" + std::to_string(text.size()) + " characters)";
}

std::string found(nb::handle value) {
    const std::string text = nb::repr(value).c_str();
    const std::string type = nb::type_name(value.type()).c_str();
    if (text.size() > short_line || text.find('\n') != std::string::npos) return "is of type " + type;
    return "is " + text + " (" + type + ")";
}

std::string word(nb::handle value, const char* name) {
    if (value.is_none()) return {};
    if (!PyUnicode_Check(value.ptr())) refuse(value, name, "a str");
    return std::string(text_of(value, name));
}

std::string text(nb::handle value, const char* name, const char* needed) {
    if (!PyUnicode_Check(value.ptr())) refuse(value, name, needed);
    return std::string(text_of(value, name));
}

bool yes_or_no(nb::handle value, const char* name) {
    if (value.ptr() == Py_True) return true;
    if (value.ptr() == Py_False) return false;
    const std::string type = nb::type_name(value.type()).c_str();
    if (type != "numpy.bool_" && type != "numpy.bool") refuse(value, name, "True or False");
    const int truth = PyObject_IsTrue(value.ptr());
    if (truth < 0) throw nb::python_error();
    return truth != 0;
}

}  // namespace eagle::python
