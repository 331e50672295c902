// Owned references, and the exception that says "Python's error indicator is set".
#pragma once
#include <Python.h>

#include <utility>

namespace eagle::python {

// Thrown with Python's error indicator set; who catches it returns null to Python.
struct PythonError {};

class Reference {
  public:
    Reference() = default;
    // Takes over a new reference; throws PythonError when it is null.
    static Reference own(PyObject* object) {
        if (object == nullptr) throw PythonError{};
        return Reference(object);
    }
    // The same for calls whose failure is an answer: null stays null, the error is cleared.
    static Reference maybe(PyObject* object) {
        if (object == nullptr) PyErr_Clear();
        return Reference(object);
    }
    static Reference borrow(PyObject* object) {
        Py_XINCREF(object);
        return Reference(object);
    }
    Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Reference& operator=(Reference&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Reference() { Py_XDECREF(object_); }

    PyObject* get() const { return object_; }
    PyObject* release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

  private:
    explicit Reference(PyObject* object) : object_(object) {}
    PyObject* object_ = nullptr;
};

}  // namespace eagle::python
