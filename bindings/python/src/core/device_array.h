// Memory of a device as Python holds it.
#pragma once
#include <eagle/Array.h>
#include <nanobind/nanobind.h>

#include <utility>

namespace eagle::python {

struct DeviceArray {
    DeviceArray(Array of, const Backend& whose) : array(std::move(of)), backend(whose) {}
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    // Whoever frees the memory of a device calls its driver, for which the GIL is given up.
    ~DeviceArray();

    Array array;
    Backend backend;
};

// What `object` is when it is one; null for anything else.
const DeviceArray* device_array(nanobind::handle object);
// Memory of a device as an object of Python.
nanobind::object to_python(Array array);

}  // namespace eagle::python
