// Arrays given to functions that belong to no kernel.
#pragma once
#include <ArrayImport.h>
#include <eagle/Interop.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

// The array behind `object`, of the host or of a device, of eagle or of another library. `object` and `in` together
// keep its memory there, which is in the order of the device's default stream; `stream` is the stream that its library
// puts work on now, where it tells. False when the object is no array. Throws what import_array() and import_memory()
// throw.
bool import_anywhere(nanobind::handle object, const Subject& subject, bool written, Import& in,
                     StreamCode* stream = nullptr);

// The same; `name` is what an error calls it. Throws ArgumentError for what is no array.
ArrayView array_argument(nanobind::handle object, const char* name, bool written, Import& in);

}  // namespace eagle::python
