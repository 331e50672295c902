// The type eagle.interop.BufferView: what it says of itself, and what keeps it alive.
#include "buffer_view.h"

#include <Exceptions.h>
#include <Gil.h>
#include <eagle/Backend.h>
#include <nanobind/nanobind.h>
#include <structmember.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace eagle::python {

namespace {

PyTypeObject* view_type = nullptr;

const BufferView& self_of(PyObject* object) { return *reinterpret_cast<BufferView*>(object); }

PyObject* text(std::string_view words) {
    return PyUnicode_FromStringAndSize(words.data(), static_cast<Py_ssize_t>(words.size()));
}

PyObject* tuple(const std::array<std::int64_t, ArrayView::max_dims>& numbers, std::int32_t count) {
    PyObject* made = PyTuple_New(count);
    for (std::int32_t i = 0; made != nullptr && i < count; ++i) {
        PyObject* number = PyLong_FromLongLong(numbers[static_cast<std::size_t>(i)]);
        if (number == nullptr || PyTuple_SetItem(made, i, number) != 0) Py_CLEAR(made);
    }
    return made;
}

std::string device_text(const ArrayView& view) {
    try {
        const std::string kind = kind_of_device_type(view.device_type);
        return view.device_type == dlpack::device_host ? kind : kind + ":" + std::to_string(view.device_id);
    } catch (const BackendUnavailable&) {
        return "DLPack device type " + std::to_string(view.device_type) + ", number " + std::to_string(view.device_id);
    }
}

PyObject* get_ptr(PyObject* self, void* /*unused*/) {
    return PyLong_FromUnsignedLongLong(reinterpret_cast<std::uintptr_t>(self_of(self).view().data));
}
PyObject* get_shape(PyObject* self, void* /*unused*/) {
    return tuple(self_of(self).view().shape, self_of(self).view().ndim);
}
PyObject* get_strides(PyObject* self, void* /*unused*/) {
    return tuple(self_of(self).view().strides, self_of(self).view().ndim);
}
PyObject* get_ndim(PyObject* self, void* /*unused*/) { return PyLong_FromLong(self_of(self).view().ndim); }
PyObject* get_size(PyObject* self, void* /*unused*/) { return PyLong_FromLongLong(self_of(self).view().size()); }
PyObject* get_dtype(PyObject* self, void* /*unused*/) { return text(element_type_name(self_of(self).view().type)); }
PyObject* get_device(PyObject* self, void* /*unused*/) { return text(device_text(self_of(self).view())); }
PyObject* get_device_type(PyObject* self, void* /*unused*/) {
    return PyLong_FromLong(self_of(self).view().device_type);
}
PyObject* get_device_id(PyObject* self, void* /*unused*/) { return PyLong_FromLong(self_of(self).view().device_id); }
PyObject* get_access(PyObject* self, void* /*unused*/) { return text(access_name(self_of(self).access)); }
PyObject* get_writable(PyObject* self, void* /*unused*/) { return PyBool_FromLong(self_of(self).writable() ? 1 : 0); }
PyObject* get_route(PyObject* self, void* /*unused*/) { return text(self_of(self).route); }
PyObject* get_contiguous(PyObject* self, void* /*unused*/) {
    return PyBool_FromLong(is_contiguous(self_of(self).view()) ? 1 : 0);
}
PyObject* get_owner(PyObject* self, void* /*unused*/) {
    PyObject* owner = self_of(self).owner;
    return Py_NewRef(owner != nullptr ? owner : Py_None);
}
PyObject* get_stream(PyObject* self, void* /*unused*/) {
    const StreamCode stream = self_of(self).stream;
    return stream ? PyLong_FromLongLong(*stream) : Py_NewRef(Py_None);
}
// "numpy.ndarray": a name, since the type of an object may change its mind about itself.
PyObject* get_producer(PyObject* self, void* /*unused*/) {
    PyObject* owner = self_of(self).owner;
    if (owner == nullptr) return Py_NewRef(Py_None);
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(owner));
    try {
        const Reference module = Reference::maybe(PyObject_GetAttrString(type, "__module__"));
        const Reference name = Reference::maybe(PyObject_GetAttrString(type, "__qualname__"));
        if (!module || !name) return text(Py_TYPE(owner)->tp_name);
        return PyUnicode_FromFormat("%S.%S", module.get(), name.get());
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* repr(PyObject* self) try {
    const BufferView& held = self_of(self);
    const Reference shape = Reference::own(get_shape(self, nullptr));
    const Reference producer = Reference::own(get_producer(self, nullptr));
    const std::string device = device_text(held.view());
    return PyUnicode_FromFormat("<BufferView %S %s on %s, %s, of %S>", shape.get(),
                                element_type_name(held.view().type).c_str(), device.c_str(),
                                std::string(access_name(held.access)).c_str(), producer.get());
} catch (...) {
    set_python_error();
    return nullptr;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(self_of(self).owner);
    Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
    return self_of(self).in.hold.traverse(visit, arg);
}

// Breaks a cycle through the owner; what is left is an array of no elements.
int clear(PyObject* self) {
    auto* held = reinterpret_cast<BufferView*>(self);
    ArrayView empty;
    empty.ndim = 1;
    held->in.value = empty;
    held->in.hold.release();
    Py_CLEAR(held->owner);
    return 0;
}

void release(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    auto* held = reinterpret_cast<BufferView*>(self);
    if (held->weakrefs != nullptr) PyObject_ClearWeakRefs(self);
    std::destroy_at(&held->in);
    Py_CLEAR(held->owner);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

PyMethodDef methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&export_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "A capsule over the same memory, DLPack 1 where `max_version` says that it is read, else the legacy one.\n\n"
     "What the consumer puts on `stream` waits, by an event, for what the array's own stream holds; the host never\n"
     "waits. BufferError for what no capsule can say, InteropError for a stream that the device type has not."},
    {"__dlpack_device__", &export_device, METH_NOARGS, "DLPack device type and number."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(BufferView, weakrefs), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"ptr", &get_ptr, nullptr, "Address of the first element, on its device.", nullptr},
    {"shape", &get_shape, nullptr, "Elements along each axis.", nullptr},
    {"strides", &get_strides, nullptr, "Bytes from one element to the next along each axis.", nullptr},
    {"ndim", &get_ndim, nullptr, "Number of axes.", nullptr},
    {"size", &get_size, nullptr, "Number of elements.", nullptr},
    {"dtype", &get_dtype, nullptr, "Name of the element type, such as 'float64'.", nullptr},
    {"device", &get_device, nullptr, "'cpu', or a kind and a number such as 'cuda:0'.", nullptr},
    {"device_type", &get_device_type, nullptr, "DLPack device type; 1 is host memory.", nullptr},
    {"device_id", &get_device_id, nullptr, "Number of the device among those of its type.", nullptr},
    {"access", &get_access, nullptr,
     "What the producer says of writing: 'read-write', 'read-only', or 'unknown' where it came through legacy DLPack.",
     nullptr},
    {"writable", &get_writable, nullptr, "Read-write, or unknown and imported with assume_writable=True.", nullptr},
    {"contiguous", &get_contiguous, nullptr, "Dense and row-major.", nullptr},
    {"owner", &get_owner, nullptr, "The object that was imported; it lives as long as the view.", nullptr},
    {"producer", &get_producer, nullptr, "Full name of the owner's type, such as 'torch.Tensor'.", nullptr},
    {"route", &get_route, nullptr,
     "How it came: 'exchange' (DLPack's C table), 'buffer', 'dlpack', 'dlpack-legacy', 'cuda_array_interface' or "
     "'array_interface'.",
     nullptr},
    {"stream", &get_stream, nullptr,
     "Stream code in whose order the memory may be used; None on the host and on a type without a code for its "
     "default.",
     nullptr},
    {"__array_interface__", &export_array_interface, nullptr, "Of host memory.", nullptr},
    {"__cuda_array_interface__", &export_cuda_array_interface, nullptr, "Of CUDA memory.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("An array of another library, without a copy: made by import_buffer().\n\n"
                                  "It keeps its producer's memory alive and hands it on through __dlpack__, on the "
                                  "host through the buffer\nprotocol and __array_interface__ too, of CUDA through "
                                  "__cuda_array_interface__.")},
    {Py_tp_dealloc, reinterpret_cast<void*>(&release)},
    {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(&clear)},
    {Py_tp_repr, reinterpret_cast<void*>(&repr)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {Py_bf_getbuffer, reinterpret_cast<void*>(&export_buffer)},
    {0, nullptr}};
PyType_Spec spec = {
    "eagle._core.BufferView", sizeof(BufferView), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

}  // namespace

PyObject* make_buffer_view_type() {
    PyObject* made = PyType_FromSpec(&spec);
    if (made == nullptr) throw PythonError{};
    view_type = reinterpret_cast<PyTypeObject*>(made);
    return made;
}

bool is_buffer_view(PyObject* object) { return Py_TYPE(object) == view_type; }

BufferView* new_buffer_view(PyObject* owner) {
    BufferView* made = PyObject_GC_New(BufferView, view_type);
    if (made == nullptr) throw PythonError{};
    made->weakrefs = nullptr;
    made->route = "";
    std::construct_at(&made->stream);
    made->access = Access::unknown;
    made->assume_writable = false;
    std::construct_at(&made->in)->value.emplace<ArrayView>();
    made->owner = Py_NewRef(owner);
    return made;
}

void order(const ArrayView& view, StreamCode producer, StreamCode consumer) {
    if (!needs_order(view.device_type, producer, consumer)) return;
    const WithoutGil released;
    order_streams(view.device_type, view.device_id, producer, consumer);
}

}  // namespace eagle::python
