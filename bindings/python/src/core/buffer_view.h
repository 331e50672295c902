// An array of another library, as Python holds it after eagle.interop.import_buffer().
#pragma once
#include <ArrayImport.h>
#include <Python.h>
#include <eagle/Interop.h>

#include <cstdint>

namespace eagle::python {

// A plain C type, since one is made for every import. Immutable once import_buffer() gives it out.
struct BufferView {
    PyObject ob_base;
    PyObject* owner;  // the object that was imported
    PyObject* weakrefs;
    const char* route;  // how it came: "buffer", "dlpack", ...
    StreamCode stream;  // whose order the memory is in; checked
    Access access;
    bool assume_writable;
    Import in;  // the view, and what the producer pinned

    const ArrayView& view() const { return *std::get_if<ArrayView>(&in.value); }
    // May it be handed on as memory that is written?
    bool writable() const { return access == Access::read_write || (access == Access::unknown && assume_writable); }
};

// Makes the type; once, when the module is made.
PyObject* make_buffer_view_type();
bool is_buffer_view(PyObject* object);
// A view of nothing over `owner`, to be filled before anybody else sees it. Throws PythonError.
BufferView* new_buffer_view(PyObject* owner);

// What a consumer puts on `consumer` waits for `producer`, without the GIL where that calls a driver.
void order(const ArrayView& view, StreamCode producer, StreamCode consumer);

// ---- the ways out (buffer_export.cpp) ----

PyObject* export_dlpack(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* export_device(PyObject* self, PyObject* unused);
PyObject* export_array_interface(PyObject* self, void* unused);       // AttributeError off the host
PyObject* export_cuda_array_interface(PyObject* self, void* unused);  // AttributeError off CUDA
int export_buffer(PyObject* self, Py_buffer* buffer, int flags);      // BufferError off the host

}  // namespace eagle::python
