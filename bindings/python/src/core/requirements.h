// eagle.interop.Requirements: what a caller of import_buffer() needs of an array.
#pragma once
#include <eagle/Interop.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

void bind_requirements(nanobind::module_& module);
// The requirements of a Requirements object; null for None. Throws ArgumentError for anything else.
const Requirements* requirements_of(PyObject* object);

}  // namespace eagle::python
