// eagle's own host memory as NumPy arrays.
#pragma once
#include <eagle/Array.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>

namespace eagle::python {

// A NumPy array over the memory of `array`, without a copy; the NumPy array owns a reference to it. A NumPy scalar for
// an array of no dimensions.
nanobind::object to_numpy(const Array& array);

// The same over the memory of a view, which `owner` keeps there. An array also where it has no dimensions.
nanobind::object to_numpy(const ArrayView& view, std::shared_ptr<void> owner);

// A NumPy array of int32 with these elements.
nanobind::object numbers_of(std::span<const std::int32_t> numbers);

// The numpy.dtype of what a view is made of.
nanobind::object numpy_dtype(const ArrayView& view);

// Makes the type of the objects that hold the memory; once, when the module is made.
void make_memory_type();

}  // namespace eagle::python
