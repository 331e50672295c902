// Arrays given to functions that belong to no kernel.
#pragma once
#include <ArrayImport.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

// The array behind `object`, which `in` keeps there. `name` is what an error calls it. Throws ArgumentError for what is
// no array, BufferRefused and InteropError as import_array() does.
ArrayView array_argument(nanobind::handle object, const char* name, bool written, Import& in);

}  // namespace eagle::python
