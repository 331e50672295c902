// __array_interface__ of host arrays, and as much of __cuda_array_interface__ as names the device.
#include <eagle/Error.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <string>

#include "Routes.h"

namespace eagle::python {
namespace {

constexpr std::int32_t cuda_device_type = 2;

PyObject* item(PyObject* dict, const char* key) { return PyDict_GetItemString(dict, key); }  // borrowed, or null

[[noreturn]] void refuse(const Subject& subject, const char* key, const char* needed) {
    throw InteropError(subject.text() + " has an array interface whose '" + key + "' is not " + needed +
                       ": its producer is at fault");
}

// Integers of NumPy are integers too.
Reference whole(PyObject* object, const Subject& subject, const char* key, const char* needed) {
    Reference value = object != nullptr ? Reference::maybe(PyNumber_Index(object)) : Reference();
    if (!value) refuse(subject, key, needed);
    return value;
}

std::int64_t integer(PyObject* object, const Subject& subject, const char* key) {
    int beyond = 0;
    const Reference value = whole(object, subject, key, "an integer");
    const std::int64_t integer = PyLong_AsLongLongAndOverflow(value.get(), &beyond);
    if (beyond != 0) refuse(subject, key, "an integer of 64 bits");
    return integer;
}

void* address(PyObject* object, const Subject& subject) {
    const Reference value =
        whole(object, subject, "data", "a pair (address, read-only) with an integer for an address");
    void* found = PyLong_AsVoidPtr(value.get());
    if (found == nullptr && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse(subject, "data", "a pair (address, read-only) with an address of 64 bits");
    }
    return found;
}

bool is_true(PyObject* object) {
    const int truth = PyObject_IsTrue(object);
    if (truth < 0) throw PythonError{};
    return truth != 0;
}

ElementType element_type(PyObject* text, const Subject& subject) {
    const char* s = text != nullptr && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : nullptr;
    if (s == nullptr || s[0] == '\0' || s[1] == '\0') {
        PyErr_Clear();
        refuse(subject, "typestr", "a type such as '<f8'");
    }
    int bytes = 0;
    std::from_chars(s + 2, s + std::strlen(s), bytes);
    ElementType type{TypeCode::none, 0, 1, false};
    if (bytes < 1 || bytes > 31) return type;
    switch (s[1]) {
        case 'f':
            type.code = TypeCode::floating;
            break;
        case 'i':
            type.code = TypeCode::integer;
            break;
        case 'u':
            type.code = TypeCode::unsigned_integer;
            break;
        case 'b':
            type.code = TypeCode::boolean;
            break;
        case 'c':
            type.code = TypeCode::complex;
            break;
        case 'O':
            type.code = TypeCode::opaque;
            break;
        default:
            return type;
    }
    type.bits = static_cast<std::uint8_t>(bytes * 8);
    constexpr char foreign = std::endian::native == std::endian::little ? '>' : '<';
    type.swapped = bytes > 1 && s[0] == foreign;
    return type;
}

void read_axes(PyObject* dict, const Subject& subject, ArrayView& view) {
    PyObject* shape = item(dict, "shape");
    PyObject* strides = item(dict, "strides");
    if (shape == nullptr || !PyTuple_Check(shape)) refuse(subject, "shape", "a tuple");
    Py_ssize_t ndim = PyTuple_Size(shape);
    bool dense = strides == nullptr || strides == Py_None;
    if (!dense && (!PyTuple_Check(strides) || PyTuple_Size(strides) != ndim)) refuse(subject, "strides", "as long");
    check_dimensions(ndim, subject);
    view.ndim = static_cast<std::int32_t>(ndim);
    std::int64_t step = view.type.bits / 8;
    for (Py_ssize_t i = ndim; i-- > 0;) {
        auto k = static_cast<std::size_t>(i);
        view.shape[k] = integer(PyTuple_GetItem(shape, i), subject, "shape");
        if (view.shape[k] < 0) refuse(subject, "shape", "of extents of at least 0");
        view.strides[k] = dense ? step : integer(PyTuple_GetItem(strides, i), subject, "strides");
        (void)__builtin_mul_overflow(step, view.shape[k], &step);  // check_reach() tells
    }
}

// A new reference to the dict, or null. Without a GIL another thread may change one that the object keeps.
Reference interface_of(PyObject* object, const char* name) {
    PyObject* found = PyObject_GetAttrString(object, name);
    // What else the producer raises there is no answer, and Ctrl-C least of all.
    if (found == nullptr && PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw PythonError{};
    Reference dict = Reference::maybe(found);
    if (!dict || !PyDict_Check(dict.get())) return {};
#ifdef Py_GIL_DISABLED
    return Reference::own(PyDict_Copy(dict.get()));
#else
    return dict;
#endif
}

}  // namespace

bool by_cuda_interface(PyObject* object, ArrayView& view) {
    const Reference dict = interface_of(object, "__cuda_array_interface__");
    if (!dict) return false;
    view.device_type = cuda_device_type;
    return true;
}

static void read_interface(PyObject* object, PyObject* dict, const Subject& subject, Import& into, ArrayView& view) {
    PyObject* mask = item(dict, "mask");
    if (mask != nullptr && mask != Py_None)
        throw BufferRefused(subject.text() + " has a mask; it needs plain values: fill it first");
    PyObject* data = item(dict, "data");
    if (data == nullptr || !PyTuple_Check(data) || PyTuple_Size(data) != 2)
        refuse(subject, "data", "a pair (address, read-only)");
    view.data = address(PyTuple_GetItem(data, 0), subject);
    view.read_only = is_true(PyTuple_GetItem(data, 1));
    view.type = element_type(item(dict, "typestr"), subject);
    read_axes(dict, subject, view);
    check_reach(view, subject);
    into.hold.keep(Reference::borrow(object));
}

bool by_array_interface(PyObject* object, const Subject& subject, Import& into, ArrayView& view) {
    const Reference dict = interface_of(object, "__array_interface__");
    if (!dict) return false;
    read_interface(object, dict.get(), subject, into, view);
    return true;
}

bool take_cuda_interface(PyObject* object, const Subject& subject, Import& into, ArrayView& view,
                         std::optional<std::int64_t>& stream) {
    const Reference dict = interface_of(object, "__cuda_array_interface__");
    if (!dict) return false;
    read_interface(object, dict.get(), subject, into, view);
    view.device_type = cuda_device_type;
    PyObject* named = item(dict.get(), "stream");
    if (named != nullptr && named != Py_None) stream = integer(named, subject, "stream");
    return true;
}

}  // namespace eagle::python
