// What a Python type can do, looked up once a type.
#pragma once
#include <Python.h>

#include <cstdint>
#include <memory>

#include "DLPack.h"

namespace eagle::python {

enum class NumberKind : std::uint8_t {
    none,
    integer,
    floating,
    boolean,
    complex,
    other,  // a NumPy scalar that is no number: a date, a string, a record
};

struct TypeRoutes {
    PyTypeObject* type = nullptr;
    NumberKind number = NumberKind::none;  // the type is a number
    bool sequence = false;                 // list or tuple
    bool buffer = false;
    bool ndarray = false;  // numpy.ndarray itself: no marker attribute, no guard
    bool numpy = false;    // numpy.ndarray or a subclass
    bool masked = false;   // numpy.ma
    bool pandas = false;
    bool torch = false;
    bool cupy = false;
    PyObject* grad = nullptr;                         // the type's requires_grad: a descriptor, or what it has
    const dlpack::ExchangeTable* exchange = nullptr;  // null too where the type dispatches on its own
    PyObject* dlpack = nullptr;                       // the type's __dlpack__, or null
    PyObject* dlpack_device = nullptr;
    PyObject* is_neg = nullptr;
    PyObject* is_conj = nullptr;
};

// The routes of a type, good for as long as this lives: what runs meanwhile may ask for any other type. Needs the GIL
// (or, on a free-threaded interpreter, an attached thread) from its construction to its end. The constructor throws
// PythonError or std::bad_alloc.
class RoutesOf {
  public:
    explicit RoutesOf(PyTypeObject* type);
    RoutesOf(const RoutesOf&) = delete;
    RoutesOf& operator=(const RoutesOf&) = delete;
    ~RoutesOf();

    const TypeRoutes& operator*() const { return *routes_; }
    const TypeRoutes* operator->() const { return routes_; }

  private:
    const TypeRoutes* routes_;
    std::unique_ptr<TypeRoutes> own_;  // of a type beyond those that are remembered
};

// Types that were met are remembered, and kept alive with all that their methods see; no longer after this.
void forget_types();

}  // namespace eagle::python
