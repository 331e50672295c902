// The errors that libeagle alone raises, and how C++ exceptions become Python's.
#include <Exceptions.h>
#include <nanobind/nanobind.h>

#include <string>

#include "module.h"

namespace nb = nanobind;

namespace eagle::python {

namespace {

template <class E>
void make_error(nb::module_& module, const char* name, PyObject* base, const char* doc) {
    const std::string qualified = std::string("eagle.") + name;
    PyObject* made = PyErr_NewExceptionWithDoc(qualified.c_str(), doc, base, nullptr);
    if (made == nullptr) throw nb::python_error();
    module.attr(name) = nb::steal(made);
    map_error<E>("eagle._core", name);
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error&) {
        set_python_error();
    } catch (const PythonError&) {
        set_python_error();
    }
}

}  // namespace

void bind_errors(nb::module_& module) {
    make_error<BackendUnavailable>(module, "BackendUnavailable", PyExc_RuntimeError,
                                   "No backend, no device, or a group or symbol that the backend does not provide.");
    make_error<Unsupported>(module, "Unsupported", PyExc_RuntimeError,
                            "The group is there; this option, flag, field or type of it is not.");
    make_error<Busy>(module, "Busy", PyExc_RuntimeError,
                     "A second entry into an object that serves one caller at a time.");
    make_error<BadHandle>(module, "BadHandle", PyExc_RuntimeError, "A null, consumed or stale handle.");
    make_error<OutOfMemory>(module, "OutOfMemory", PyExc_MemoryError, "Memory of the host or of a device ran out.");
    nb::register_exception_translator(&translate, nullptr);
}

}  // namespace eagle::python
