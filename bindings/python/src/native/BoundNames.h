// Which argument of a vectorcall belongs to which parameter.
#pragma once
#include <Python.h>
#include <eagle/marshal/ArrayView.h>

#include <memory>

#include "Program.h"

namespace hawk::native {

class BoundNames {
  public:
    // Throws eagle::ArgumentError naming what is too many, unknown or given twice, and a quantity of which some
    // planes are given and others not.
    BoundNames(const Program& program, PyObject* const* arguments, std::size_t positional, PyObject* keywords);

    // What was given for parameter i, borrowed; null where nothing was.
    PyObject* const* given() const { return given_; }
    eagle::SamplesAxis layout() const { return layout_; }

  private:
    void put(std::size_t index, PyObject* value);
    void keyword(PyObject* name, PyObject* value);
    void check_quantities() const;

    static constexpr std::size_t few = 16;
    const Program& program_;
    PyObject* in_place_[few];
    std::unique_ptr<PyObject*[]> many_;
    PyObject** given_;
    eagle::SamplesAxis layout_ = eagle::SamplesAxis::unspecified;
};

}  // namespace hawk::native
