// Owned references, and the exception that says "Python's error indicator is set".
#pragma once
#include <Python.h>

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

namespace eagle::python {

// Thrown with Python's error indicator set; who catches it returns null to Python.
struct PythonError : std::exception {};

// Clears Python's error where it is an Exception, which may be an answer: no such attribute, no such number. What is
// none throws PythonError: Ctrl-C above all comes out of the call that it falls into.
inline void clear_exception() {
    if (PyErr_Occurred() == nullptr) return;
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw PythonError{};
    PyErr_Clear();
}

class Reference {
  public:
    Reference() = default;
    // Takes over a new reference; throws PythonError when it is null.
    static Reference own(PyObject* object) {
        if (object == nullptr) throw PythonError{};
        return Reference(object);
    }
    // The same for calls whose failure is an answer: null stays null, under the rule of clear_exception().
    static Reference maybe(PyObject* object) {
        if (object == nullptr) clear_exception();
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

// While it lives, Python's error indicator is out of the way of code that runs in between.
class KeptError {
  public:
    KeptError() { PyErr_Fetch(&type_, &value_, &trace_); }
    ~KeptError() { PyErr_Restore(type_, value_, trace_); }
    KeptError(const KeptError&) = delete;
    KeptError& operator=(const KeptError&) = delete;

  private:
    PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

// An object made at first use and kept for the life of the process. A function-local static would hold its guard while
// Python runs and may give up the GIL, so two threads that come at once both make one, and one is kept.
template <class T>
const T& published(std::atomic<const T*>& slot) {
    if (const T* made = slot.load(std::memory_order_acquire)) return *made;
    auto fresh = std::make_unique<T>();
    const T* expected = nullptr;
    if (slot.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
    return *expected;
}

}  // namespace eagle::python
