// The routes from an object to its memory. Each fills the view and the hold, or throws.
#pragma once
#include <cstdint>
#include <optional>

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

// ---- the parts, for an import that outlives the call and may come from a device ----

// What a DLPack producer says of writing; legacy DLPack says nothing.
enum class Told : std::uint8_t { writable, read_only, nothing };

// Throws BufferRefused for masked arrays, pandas objects and, where it is written, torch tensors.
void refuse_special(const TypeRoutes& routes, const Subject& subject, bool written);
// Throws BufferRefused for a tensor that requires grad or has a lazy bit pending. `view.type` must be set for the
// conjugate bit to be asked for.
void guard_tensor(PyObject* object, const TypeRoutes& routes, const Subject& subject, const ArrayView& view);
// The device that __dlpack_device__ names; a type without it stays on the host. Throws InteropError.
void read_device(PyObject* object, const TypeRoutes& routes, const Subject& subject, ArrayView& view);
// A fresh tensor from __dlpack__, which is told `stream` unless it is null; into.hold owns it.
Told take_dlpack(PyObject* object, const TypeRoutes& routes, const Subject& subject, PyObject* stream, Import& into,
                 ArrayView& view);
// The same from the C exchange table, without any order between streams.
void take_exchange(PyObject* object, const TypeRoutes& routes, const Subject& subject, Import& into, ArrayView& view);
// __cuda_array_interface__ in full; `stream` becomes the producer's, where it names one. False when the object has
// none.
bool take_cuda_interface(PyObject* object, const Subject& subject, Import& into, ArrayView& view,
                         std::optional<std::int64_t>& stream);

// Dimensions that an ArrayView can say; throws LayoutError.
void check_dimensions(std::int64_t ndim, const Subject& subject);
// Elements that all lie at addresses that there are; throws InteropError. Beyond them, addresses would wrap around.
void check_reach(const ArrayView& view, const Subject& subject);

}  // namespace eagle::python
