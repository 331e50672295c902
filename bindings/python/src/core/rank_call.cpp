#include "rank_call.h"

#include <Gil.h>

#include <string>

namespace nb = nanobind;

namespace eagle::python {
namespace {

std::string text_of(nb::handle error) {
    const nb::object text = nb::steal(PyObject_Str(error.ptr()));
    Py_ssize_t size = 0;
    const char* const bytes = text.is_valid() ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
    PyErr_Clear();
    if (bytes != nullptr && size > 0) return {bytes, static_cast<std::size_t>(size)};
    return nb::type_name(error.type()).c_str();
}

}  // namespace

void report_error(RankCall& call) noexcept {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    try {
        const std::string said = text_of(value);
        const WithoutGil released;
        call.failed(said);
    } catch (...) {  // of the collective; the error that the call ends with is the first
        PyErr_Clear();
    }
    PyErr_Restore(type, value, trace);
}

}  // namespace eagle::python
