// Facts of a run for Python.
#pragma once
#include <eagle/Simulate.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

nanobind::dict result_dict(const SimResult& result);

}  // namespace eagle::python
