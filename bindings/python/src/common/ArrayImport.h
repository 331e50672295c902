// From a Python object to what marshal::pack() takes. Plain C-API, no nanobind; needs the GIL.
//
// How to use it, for each argument of a call:
//
//     Import in;                                                      // keep it alive until the work is done
//     import_argument(object, Subject{kernel, name}, parameter.role == Role::uniform, written, accept, in);
//     values.push_back(in.value);
//
// then pack(), then warn() (Warnings.h) for every notice of an argument that is not `in.sequence`, then the work.
// Errors are C++ exceptions of eagle/Error.h, or PythonError where Python's indicator is set already; both become a
// Python error through set_python_error() (Exceptions.h) in the one catch (...) at the border.
//
// For bind, keep the Imports as long as the BoundPlan: they hold the buffers.
//
// An array on another device than the host comes in as far as its device: `value` is an ArrayView with device_type and
// device_id and no data, which pack() refuses naming the device; look at `on_host()` first to route the call elsewhere.
//
// A torch CPU tensor comes in as a view, marked `torch`. As a written plane it is refused here. A caller whose rule is
// that tensors cross by copy copies the view, and hands results back through from_numpy().
#pragma once
#include <Python.h>
#include <eagle/marshal/ArrayView.h>
#include <eagle/marshal/Pack.h>

#include <string>
#include <string_view>
#include <utility>

#include "DLPack.h"
#include "Reference.h"

namespace eagle::python {

// Whom an error message speaks of.
struct Subject {
    std::string_view kernel;     // may be empty
    std::string_view parameter;  // or whatever the array is called
    std::string text() const;    // "argument 'x' of kernel 'scale'"
};

// What keeps the memory of an imported array there: at most one of a buffer, a DLPack tensor and an object.
class Hold {
  public:
    Hold() = default;
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&& other) noexcept;
    ~Hold() { release(); }
    void release();  // needs the GIL
    // References that Python's garbage collector may follow; a DLPack tensor's own are out of its sight.
    int traverse(visitproc visit, void* arg) const;

    Py_buffer* begin_buffer() { return &buffer_; }
    void keep_buffer() { has_buffer_ = true; }
    void keep(dlpack::ManagedVersioned* tensor) { versioned_ = tensor; }
    void keep(dlpack::Managed* tensor) { legacy_ = tensor; }
    void keep(Reference object) { object_ = std::move(object); }

  private:
    void take(Hold& other) noexcept;
    Py_buffer buffer_;  // set only while has_buffer_
    bool has_buffer_ = false;
    dlpack::ManagedVersioned* versioned_ = nullptr;
    dlpack::Managed* legacy_ = nullptr;
    Reference object_;
};

struct Import {
    marshal::Value value = 0.0;
    Hold hold;
    bool sequence = false;  // made from a list or tuple: its conversion is nobody's mistake
    bool torch = false;     // a torch tensor

    // False for an array that lies on a device.
    bool on_host() const {
        const ArrayView* view = std::get_if<ArrayView>(&value);
        return view == nullptr || view->device_type == dlpack::device_host;
    }
};

enum class Accept : bool {
    arrays,  // bind: arrays for planes, numbers for uniforms
    values,  // run: lists and tuples for planes as well, converted through NumPy
};

// `uniform`: the parameter takes a number. `written`: the kernel writes the plane. Numbers come in as numbers whatever
// the parameter is; pack() knows what to do with them. Throws ArgumentError for an object that is neither array nor
// number, BufferRefused for masked arrays, pandas objects and tensors that need a call first (it names the call),
// InteropError for a producer that breaks DLPack, PythonError for an error that the producer raised.
void import_argument(PyObject* object, const Subject& subject, bool uniform, bool written, Accept accept, Import& into);

// The array behind an object, through the first route that its type has: the C exchange table (torch), the buffer
// protocol, __dlpack__, __cuda_array_interface__, __array_interface__. The marker attribute __raptor_samples_axis__
// ("first" or "last") on the object becomes `axis`. False when the object is no array.
bool import_array(PyObject* object, const Subject& subject, bool written, Import& into);

// A number: int, float, bool, or a NumPy scalar of those. False when the object is none. Throws InvalidArgument for an
// integer outside int64.
bool import_number(PyObject* object, const Subject& subject, marshal::Value& into);

}  // namespace eagle::python
