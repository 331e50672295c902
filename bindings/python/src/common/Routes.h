// The routes from an object to its memory. Each fills the view and the hold, or throws.
#pragma once
#include "ArrayImport.h"
#include "TypeRoutes.h"

namespace eagle::python {

void by_buffer(PyObject* object, const Subject& subject, Import& into, ArrayView& view);
void by_exchange(PyObject* object, const TypeRoutes& routes, const Subject& subject, Import& into, ArrayView& view);
void by_dlpack(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& into,
               ArrayView& view);
// False when the object has no such attribute.
bool by_cuda_interface(PyObject* object, ArrayView& view);
bool by_array_interface(PyObject* object, const Subject& subject, Import& into, ArrayView& view);

// Dimensions that an ArrayView can say; throws LayoutError.
void check_dimensions(std::int64_t ndim, const Subject& subject);

}  // namespace eagle::python
