// Methods that nanobind's dispatch would be too slow for: plain C functions with vectorcall arguments.
#pragma once
#include <Exceptions.h>
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <nanobind/nanobind.h>

#include <string>

namespace eagle::python {

// Says in the Python error that is set what became of the call meanwhile, and how far it came, in `done`.
inline void note_interruption(const Interrupted& stopped) {
    add_note(stopped.what());
    nanobind::python_error error;
    if (PyObject_SetAttrString(error.value().ptr(), "done", nanobind::int_(stopped.done()).ptr()) != 0) PyErr_Clear();
    error.restore();
}

// Runs `body`, and turns what it throws into the Python error that it stands for. What a signal handler raised inside
// goes before what that made of the call.
template <class Body>
PyObject* guarded(const Body& body) noexcept {
    try {
        return body();
    } catch (nanobind::python_error& error) {
        error.restore();
        return nullptr;
    } catch (const Interrupted& stopped) {
        PyErr_Occurred() != nullptr ? note_interruption(stopped) : set_python_error();
        return nullptr;
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

// Makes `method` a method of `type`. `method` lives for the life of the process.
inline void add_method(nanobind::handle type, PyMethodDef& method) {
    PyObject* made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method);
    if (made == nullptr) throw nanobind::python_error();
    type.attr(method.ml_name) = nanobind::steal(made);
}

// For methods of this kind of an object that no constructor has made: what type.__new__() alone gives. nanobind's own
// dispatch refuses those.
inline PyObject* refuse_unmade(PyObject* self, const char* made_by) noexcept {
    return guarded([&]() -> PyObject* {
        throw BadHandle(std::string("this ") + Py_TYPE(self)->tp_name + " was not made; it needs what " + made_by +
                        " returns");
    });
}

inline PyCFunction as_method(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// Throws what the signal handler raised during the call, with that.
[[noreturn]] inline void throw_interrupted(const Interrupted& stopped) {
    note_interruption(stopped);
    throw nanobind::python_error();
}

}  // namespace eagle::python
