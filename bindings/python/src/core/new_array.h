// What calls that make arrays are given: empty, zeros, pinned, and scratch of a graph.
#pragma once
#include <eagle/marshal/Signature.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

namespace eagle::python {

// An extent, or a sequence of them. TypeError or ValueError naming shape for anything else, and for one below 0.
std::vector<std::int64_t> extents_of(nanobind::handle shape);
// Whatever NumPy takes for a dtype; TypeError for the rest. ValueError for one that eagle has not, such as one of the
// other byte order.
Dtype dtype_named(nanobind::handle dtype);

}  // namespace eagle::python
