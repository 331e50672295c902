// Arrays and scalars of NumPy's own, made for results.
#pragma once
#include <Reference.h>
#include <eagle/marshal/Signature.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace eagle::python {

// A zero-filled array; `data` becomes its address. `bytes` is the size of its elements together. Throws PythonError.
Reference zero_array(std::span<const std::int64_t> shape, Dtype dtype, std::size_t bytes, void** data);

// The element at `bytes` as a scalar of NumPy's type. Throws PythonError.
Reference numpy_scalar(Dtype dtype, const std::byte* bytes);

// The memory of a NumPy array as a torch tensor; of a NumPy scalar a tensor of no dimensions. Throws PythonError.
Reference torch_tensor(PyObject* value);

}  // namespace eagle::python
