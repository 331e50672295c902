// Arrays on their way out through __dlpack__: what the consumer asked for, and the capsule it gets. Needs the GIL.
//
// How a type's __dlpack__ (METH_FASTCALL | METH_KEYWORDS) uses it:
//
//     ExportRequest request = read_export_request(arguments, count, names);
//     check_export(request, view, writable, "the array");      // refuses before anything is ordered
//     ... order request.stream behind the producer's stream, by event ...
//     return export_capsule(shared_owner(self), view, request.versioned, writable).release();
#pragma once
#include <Python.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "DLPack.h"
#include "Reference.h"

namespace eagle::python {

struct ExportRequest {
    std::optional<std::int64_t> stream;       // the consumer's, as a DLPack stream code of the array's device type
    bool versioned = false;                   // the consumer reads DLPack 1; else it gets the legacy capsule
    std::optional<dlpack::Device> dl_device;  // where it wants the array
    std::optional<bool> copy;                 // true: it needs a copy, false: it refuses one
};

// The keyword arguments of `__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)`. Throws
// ArgumentError for a positional, unknown or ill-typed one.
ExportRequest read_export_request(PyObject* const* arguments, Py_ssize_t count, PyObject* names);

// Raises BufferError (PythonError) for what no capsule over this memory can say: another device, a read-only array for
// a consumer of legacy DLPack, an element type without a DLPack code, strides that are no whole elements.
void check_export(const ExportRequest& request, const ArrayView& view, bool writable, std::string_view what);

// A share of a Python object, which may be dropped on any thread, with or without the GIL.
std::shared_ptr<void> shared_owner(PyObject* object);

// A fresh capsule over the memory of `view`, "dltensor_versioned" (1.0, flagged read-only unless `writable`) or
// "dltensor". `owner` keeps the memory there until the consumer's deleter lets it go, on whatever thread, or a capsule
// that nobody consumed dies. What check_export() refuses must not come here.
Reference export_capsule(std::shared_ptr<void> owner, const ArrayView& view, bool versioned, bool writable);

}  // namespace eagle::python
