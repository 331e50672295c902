#include "Outputs.h"

#include <NumpyArrays.h>

namespace hawk::native {

using eagle::python::PythonError;
using eagle::python::Reference;

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
    if (!shape.empty()) fresh.array = eagle::python::zero_array(shape, parameter.dtype, bytes, &data);
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
        Reference value = m.array ? std::move(m.array) : eagle::python::numpy_scalar(m.dtype, m.scalar);
        return torch ? eagle::python::torch_tensor(value.get()).release() : value.release();
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
