#include "NumpyArrays.h"

#include <atomic>
#include <cstring>
#include <vector>

namespace eagle::python {

namespace {

// NumPy's functions and types that results need; looked up once.
struct Numpy {
    Reference empty, zeros;
    std::vector<Reference> dtypes;   // dtype objects, in the order of Dtype
    std::vector<Reference> scalars;  // scalar types

    Numpy() {
        Reference numpy = Reference::own(PyImport_ImportModule("numpy"));
        auto get = [&](const char* name) { return Reference::own(PyObject_GetAttrString(numpy.get(), name)); };
        empty = get("empty");
        zeros = get("zeros");
        Reference dtype = get("dtype");
        const char* names[] = {"float64", "float32", "int64", "int32", "uint32", "bool_"};
        for (const char* name : names) {
            scalars.push_back(get(name));
            dtypes.push_back(Reference::own(PyObject_CallOneArg(dtype.get(), scalars.back().get())));
        }
    }
};

std::atomic<const Numpy*> numpy_slot;
const Numpy& numpy() { return published(numpy_slot); }

Reference shape_object(std::span<const std::int64_t> shape) {
    if (shape.size() == 1) return Reference::own(PyLong_FromLongLong(shape[0]));
    Reference tuple = Reference::own(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (std::size_t i = 0; i < shape.size(); ++i) {
        PyObject* extent = PyLong_FromLongLong(shape[i]);
        if (extent == nullptr || PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), extent) != 0)
            throw PythonError{};
    }
    return tuple;
}

// Above this, zeros() that come as untouched pages are cheaper than a fill.
constexpr std::size_t fill_bytes = 65536;

template <class T>
T read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace

Reference zero_array(std::span<const std::int64_t> shape, Dtype dtype, std::size_t bytes, void** data) {
    const Numpy& np = numpy();
    Reference extents = shape_object(shape);
    PyObject* arguments[] = {extents.get(), np.dtypes[static_cast<std::size_t>(dtype)].get()};
    bool fill = bytes <= fill_bytes;
    Reference array =
        Reference::own(PyObject_Vectorcall(fill ? np.empty.get() : np.zeros.get(), arguments, 2, nullptr));
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.get(), &buffer, PyBUF_WRITABLE) != 0) throw PythonError{};
    *data = buffer.buf;
    PyBuffer_Release(&buffer);  // the array keeps its memory, and nobody else can resize it yet
    if (fill && bytes != 0) std::memset(*data, 0, bytes);
    return array;
}

Reference numpy_scalar(Dtype dtype, const std::byte* bytes) {
    Reference plain;
    switch (dtype) {
        case Dtype::float64:
            plain = Reference::own(PyFloat_FromDouble(read<double>(bytes)));
            break;
        case Dtype::float32:
            plain = Reference::own(PyFloat_FromDouble(read<float>(bytes)));
            break;
        case Dtype::int64:
            plain = Reference::own(PyLong_FromLongLong(read<std::int64_t>(bytes)));
            break;
        case Dtype::int32:
            plain = Reference::own(PyLong_FromLong(read<std::int32_t>(bytes)));
            break;
        case Dtype::uint32:
            plain = Reference::own(PyLong_FromUnsignedLong(read<std::uint32_t>(bytes)));
            break;
        case Dtype::boolean:
            plain = Reference::own(PyBool_FromLong(read<std::uint8_t>(bytes) != 0));
            break;
    }
    return Reference::own(PyObject_CallOneArg(numpy().scalars[static_cast<std::size_t>(dtype)].get(), plain.get()));
}

Reference torch_tensor(PyObject* value) {
    Reference torch = Reference::own(PyImport_ImportModule("torch"));
    Reference numpy = Reference::own(PyImport_ImportModule("numpy"));
    Reference array = Reference::own(PyObject_CallMethod(numpy.get(), "asarray", "O", value));
    return Reference::own(PyObject_CallMethod(torch.get(), "from_numpy", "(O)", array.get()));
}

}  // namespace eagle::python
