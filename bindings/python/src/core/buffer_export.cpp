// The ways out of a BufferView: DLPack, the buffer protocol, the array interfaces.
#include <DLPackExport.h>
#include <Exceptions.h>
#include <eagle/Error.h>

#include <array>
#include <string>

#include "buffer_view.h"

namespace eagle::python {

namespace {

constexpr std::int32_t cuda_device_type = 2;

BufferView& self_of(PyObject* object) { return *reinterpret_cast<BufferView*>(object); }

// The memory as a NumPy array of its own, exported by NumPy.
Reference exported_copy(PyObject* self, const ExportRequest& request) {
    const Reference numpy = Reference::own(PyImport_ImportModule("numpy"));
    const Reference copied = Reference::own(PyObject_CallMethod(numpy.get(), "array", "(O)", self));
    if (!request.versioned) return Reference::own(PyObject_CallMethod(copied.get(), "__dlpack__", nullptr));
    const Reference method = Reference::own(PyObject_GetAttrString(copied.get(), "__dlpack__"));
    const Reference none = Reference::own(PyTuple_New(0));
    const Reference keywords = Reference::own(Py_BuildValue("{s(ii)sO}", "max_version", 1, 0, "copy", Py_True));
    return Reference::own(PyObject_Call(method.get(), none.get(), keywords.get()));
}

Reference capsule_for(PyObject* self, const ExportRequest& request) {
    const BufferView& held = self_of(self);
    const ArrayView& view = held.view();
    const bool copies = request.copy.value_or(false);
    check_export(request, view, held.writable() || held.access == Access::unknown || copies, "the array");
    if (copies && view.device_type != dlpack::device_host) {
        PyErr_SetString(PyExc_BufferError,
                        "copy is True; an array on a device is exported without a copy: copy what is imported");
        throw PythonError{};
    }
    order(view, held.stream, checked_stream(view.device_type, request.stream, "stream"));
    if (copies) return exported_copy(self, request);
    return export_capsule(shared_owner(self), view, request.versioned, held.writable());
}

// ---- the buffer protocol ----

struct Format {
    TypeCode code;
    std::uint8_t bits;
    const char* text;  // of the struct module
    char kind;         // of a typestr
};
constexpr std::array formats{
    Format{TypeCode::floating, 64, "d", 'f'},         Format{TypeCode::floating, 32, "f", 'f'},
    Format{TypeCode::floating, 16, "e", 'f'},         Format{TypeCode::integer, 64, "q", 'i'},
    Format{TypeCode::integer, 32, "i", 'i'},          Format{TypeCode::integer, 16, "h", 'i'},
    Format{TypeCode::integer, 8, "b", 'i'},           Format{TypeCode::unsigned_integer, 64, "Q", 'u'},
    Format{TypeCode::unsigned_integer, 32, "I", 'u'}, Format{TypeCode::unsigned_integer, 16, "H", 'u'},
    Format{TypeCode::unsigned_integer, 8, "B", 'u'},  Format{TypeCode::boolean, 8, "?", 'b'},
    Format{TypeCode::complex, 128, "Zd", 'c'},        Format{TypeCode::complex, 64, "Zf", 'c'},
};

const Format* format_of(ElementType type) {
    for (const Format& format : formats)
        if (ElementType{format.code, format.bits, 1, false} == type) return &format;
    return nullptr;
}

int refuse_buffer(const std::string& text) {
    PyErr_SetString(PyExc_BufferError, text.c_str());
    return -1;
}

bool asks(int flags, int bits) { return (flags & bits) == bits; }

// Does the layout keep what the flags ask for? Without PyBUF_STRIDES a consumer takes the memory for dense.
bool layout_fits(const Py_buffer& buffer, int flags) {
    if (asks(flags, PyBUF_ANY_CONTIGUOUS)) return PyBuffer_IsContiguous(&buffer, 'A') != 0;
    if (asks(flags, PyBUF_F_CONTIGUOUS)) return PyBuffer_IsContiguous(&buffer, 'F') != 0;
    if (asks(flags, PyBUF_STRIDES) && !asks(flags, PyBUF_C_CONTIGUOUS)) return true;
    return PyBuffer_IsContiguous(&buffer, 'C') != 0;
}

void fill(Py_buffer& buffer, BufferView& held, const Format& format) {
    static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
    static char nothing;  // an empty array may have no memory, and consumers want an address
    auto& view = *std::get_if<ArrayView>(&held.in.value);
    buffer.buf = view.data != nullptr ? view.data : &nothing;
    buffer.itemsize = view.type.bits / 8;
    buffer.len = view.size() * buffer.itemsize;
    buffer.readonly = held.writable() ? 0 : 1;
    buffer.ndim = view.ndim;
    buffer.format = const_cast<char*>(format.text);
    buffer.shape = reinterpret_cast<Py_ssize_t*>(view.shape.data());
    buffer.strides = reinterpret_cast<Py_ssize_t*>(view.strides.data());
    buffer.suboffsets = nullptr;
    buffer.internal = nullptr;
}

void leave_out(Py_buffer& buffer, int flags) {
    if (!asks(flags, PyBUF_FORMAT)) buffer.format = nullptr;
    if (!asks(flags, PyBUF_STRIDES)) buffer.strides = nullptr;
    if (!asks(flags, PyBUF_ND)) buffer.shape = nullptr;
}

// ---- the array interfaces ----

PyObject* attribute_error(const char* name, const char* where) {
    PyErr_Format(PyExc_AttributeError, "this BufferView has no %s; it is for memory %s", name, where);
    return nullptr;
}

Reference interface_of(PyObject* self, const Format& format) {
    const BufferView& held = self_of(self);
    const ArrayView& view = held.view();
    const int item = view.type.bits / 8;
    const std::string typestr = std::string(item == 1 ? "|" : "<") + format.kind + std::to_string(item);
    const Reference shape = Reference::own(PyObject_GetAttrString(self, "shape"));
    const Reference strides = Reference::own(PyObject_GetAttrString(self, "strides"));
    return Reference::own(Py_BuildValue(
        "{s:O,s:O,s:s,s:(K,O),s:i}", "shape", shape.get(), "strides", strides.get(), "typestr", typestr.c_str(), "data",
        reinterpret_cast<unsigned long long>(view.data), held.writable() ? Py_False : Py_True, "version", 3));
}

}  // namespace

PyObject* export_dlpack(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    try {
        return capsule_for(self, read_export_request(arguments, count, names)).release();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* export_device(PyObject* self, PyObject* /*unused*/) {
    const ArrayView& view = self_of(self).view();
    return Py_BuildValue("(ii)", view.device_type, view.device_id);
}

int export_buffer(PyObject* self, Py_buffer* buffer, int flags) {
    buffer->obj = nullptr;
    BufferView& held = self_of(self);
    const ArrayView& view = held.view();
    if (view.device_type != dlpack::device_host)
        return refuse_buffer("the array is on DLPack device (" + std::to_string(view.device_type) + ", " +
                             std::to_string(view.device_id) + "), and a buffer is host memory: take __dlpack__");
    const Format* format = format_of(view.type);
    if (format == nullptr)
        return refuse_buffer("the array holds " + element_type_name(view.type) +
                             ", which has no format of a buffer here: convert it first");
    if (asks(flags, PyBUF_WRITABLE) && !held.writable())
        return refuse_buffer("the array's access is " + std::string(access_name(held.access)) +
                             ", and a buffer to write was asked for" +
                             (held.access == Access::unknown ? ": import it with assume_writable=True" : ""));
    fill(*buffer, held, *format);
    if (!layout_fits(*buffer, flags)) return refuse_buffer("the array is not dense as it was asked for: copy it first");
    leave_out(*buffer, flags);
    buffer->obj = Py_NewRef(self);
    return 0;
}

PyObject* export_array_interface(PyObject* self, void* /*unused*/) {
    const ArrayView& view = self_of(self).view();
    const Format* format = format_of(view.type);
    if (view.device_type != dlpack::device_host || format == nullptr)
        return attribute_error("__array_interface__", "of the host that holds numbers of the machine's byte order");
    try {
        return interface_of(self, *format).release();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* export_cuda_array_interface(PyObject* self, void* /*unused*/) {
    const BufferView& held = self_of(self);
    const Format* format = format_of(held.view().type);
    if (held.view().device_type != cuda_device_type || format == nullptr)
        return attribute_error("__cuda_array_interface__", "on a CUDA device that holds numbers");
    try {
        Reference dict = interface_of(self, *format);
        // A stream that orders nothing is one that nobody has to wait for.
        const bool ordered = held.stream && *held.stream != -1;
        const Reference stream =
            ordered ? Reference::own(PyLong_FromLongLong(*held.stream)) : Reference::borrow(Py_None);
        if (PyDict_SetItemString(dict.get(), "stream", stream.get()) != 0) throw PythonError{};
        return dict.release();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

}  // namespace eagle::python
