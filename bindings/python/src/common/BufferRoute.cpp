// The buffer protocol: NumPy, memoryview, array.array, ctypes, bytes.
#include <eagle/Error.h>

#include <bit>
#include <string>

#include "Routes.h"

namespace eagle::python {
namespace {

TypeCode code_of(char c) {
    switch (c) {
        case 'e':
        case 'f':
        case 'd':
        case 'g':
            return TypeCode::floating;
        case 'b':
        case 'h':
        case 'i':
        case 'l':
        case 'q':
        case 'n':
            return TypeCode::integer;
        case 'B':
        case 'H':
        case 'I':
        case 'L':
        case 'Q':
        case 'N':
            return TypeCode::unsigned_integer;
        case '?':
            return TypeCode::boolean;
        case 'O':
            return TypeCode::opaque;
        default:
            return TypeCode::none;
    }
}

// A format string of the struct module; anything but one plain element is no number.
ElementType element_type(const char* format, Py_ssize_t item) {
    ElementType type{TypeCode::unsigned_integer, 8, 1, false};
    if (format == nullptr) return type;
    constexpr bool little = std::endian::native == std::endian::little;
    if (*format == '>' || *format == '!') {
        type.swapped = little && item > 1;
        ++format;
    } else if (*format == '<') {
        type.swapped = !little && item > 1;
        ++format;
    } else if (*format == '@' || *format == '=') {
        ++format;
    }
    if (format[0] == 'Z') {
        type.code = TypeCode::complex;
        ++format;
    } else {
        type.code = code_of(format[0]);
    }
    if (format[0] == '\0' || format[1] != '\0' || item > 31) type.code = TypeCode::none;
    type.bits = static_cast<std::uint8_t>(type.code == TypeCode::none ? 0 : item * 8);
    if (type.code == TypeCode::none) type.swapped = false;
    return type;
}

[[noreturn]] void refuse(const Subject& subject) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw PythonError{};
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    Reference t = Reference::maybe(type), v = Reference::maybe(value), b = Reference::maybe(trace);
    if (!v) throw BufferRefused(subject.text() + " gives no buffer; it needs an array of numbers");
    Reference text = Reference::maybe(PyObject_Str(v.get()));
    const char* said = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    if (said == nullptr) PyErr_Clear();
    throw BufferRefused(subject.text() + " gives no buffer: " + (said != nullptr ? said : "no reason given") +
                        "; it needs an array of numbers");
}

}  // namespace

void by_buffer(PyObject* object, const Subject& subject, Import& into, ArrayView& view) {
    Py_buffer* buffer = into.hold.begin_buffer();
    if (PyObject_GetBuffer(object, buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) refuse(subject);
    into.hold.keep_buffer();
    check_dimensions(buffer->ndim, subject);
    view.data = buffer->buf;
    view.type = element_type(buffer->format, buffer->itemsize);
    view.ndim = buffer->ndim;
    view.read_only = buffer->readonly != 0;
    // Some exporters (ctypes) leave out the strides of a contiguous buffer although they were asked for.
    Py_ssize_t step = buffer->itemsize;
    for (int i = buffer->ndim - 1; i >= 0; --i) {
        auto k = static_cast<std::size_t>(i);
        view.shape[k] = buffer->shape[i];
        view.strides[k] = buffer->strides != nullptr ? buffer->strides[i] : step;
        step *= buffer->shape[i];
    }
}

}  // namespace eagle::python
