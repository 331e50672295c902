#include "Outputs.h"

#include <atomic>
#include <cstring>

namespace hawk::native {

using eagle::Dtype;
using eagle::python::PythonError;
using eagle::python::Reference;

namespace {

// NumPy's functions and types that results need; looked up once.
struct Numpy {
    Reference empty, zeros, asarray;
    std::vector<Reference> dtypes;   // dtype objects, in the order of Dtype
    std::vector<Reference> scalars;  // scalar types

    Numpy() {
        Reference numpy = Reference::own(PyImport_ImportModule("numpy"));
        auto get = [&](const char* name) { return Reference::own(PyObject_GetAttrString(numpy.get(), name)); };
        empty = get("empty");
        zeros = get("zeros");
        asarray = get("asarray");
        Reference dtype = get("dtype");
        const char* names[] = {"float64", "float32", "int64", "int32", "uint32", "bool_"};
        for (const char* name : names) {
            scalars.push_back(get(name));
            dtypes.push_back(Reference::own(PyObject_CallOneArg(dtype.get(), scalars.back().get())));
        }
    }
};

std::atomic<const Numpy*> numpy_slot;
const Numpy& numpy() { return eagle::python::published(numpy_slot); }

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

template <class T>
T read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

PyObject* scalar_object(Dtype dtype, const std::byte* bytes) {
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
    return Reference::own(PyObject_CallOneArg(numpy().scalars[static_cast<std::size_t>(dtype)].get(), plain.get()))
        .release();
}

PyObject* as_tensor(PyObject* value) {
    Reference torch = Reference::own(PyImport_ImportModule("torch"));
    Reference array = Reference::own(PyObject_CallOneArg(numpy().asarray.get(), value));
    return Reference::own(PyObject_CallMethod(torch.get(), "from_numpy", "(O)", array.get())).release();
}

}  // namespace

Outputs::Made& Outputs::made(std::size_t position) {
    return position < few ? in_place_[position] : *more_[position - few];
}

std::shared_ptr<void> Outputs::allocate(std::size_t index, const eagle::Parameter& parameter,
                                        std::span<const std::int64_t> shape, std::size_t bytes) {
    if (count_ >= few) more_.push_back(std::make_unique<Made>());
    Made& fresh = made(count_++);
    fresh.index = index;
    fresh.dtype = parameter.dtype;
    void* data = fresh.scalar;
    if (!shape.empty()) fresh.array = zero_array(shape, parameter.dtype, bytes, &data);
    // Owned by this object, not by the pointer.
    return {std::shared_ptr<void>(), data};
}

PyObject* Outputs::one(const Output& output, PyObject* const* given, bool torch) {
    if (PyObject* array = given[output.index]) {
        Py_INCREF(array);
        return array;
    }
    for (std::size_t i = 0; i < count_; ++i) {
        Made& m = made(i);
        if (m.index != output.index) continue;
        Reference value = m.array ? std::move(m.array) : Reference::own(scalar_object(m.dtype, m.scalar));
        return torch ? as_tensor(value.get()) : value.release();
    }
    PyErr_SetString(PyExc_RuntimeError, "an output was neither given nor allocated");
    throw PythonError{};
}

PyObject* Outputs::result(PyObject* const* given, bool torch) {
    const std::vector<Output>& outputs = program_.outputs();
    switch (program_.result()) {
        case Result::none:
            Py_RETURN_NONE;
        case Result::one:
            return one(outputs[0], given, torch);
        case Result::tuple: {
            Reference tuple = Reference::own(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), one(outputs[i], given, torch)) != 0)
                    throw PythonError{};
            return tuple.release();
        }
        case Result::dict:
            break;
    }
    Reference dict = Reference::own(PyDict_New());
    for (const Output& output : outputs) {
        Reference value = Reference::own(one(output, given, torch));
        if (PyDict_SetItem(dict.get(), output.key.get(), value.get()) != 0) throw PythonError{};
    }
    return dict.release();
}

}  // namespace hawk::native
