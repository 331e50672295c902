#include "memory.h"

#include <eagle/Error.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace eagle::python {

namespace {

// What a NumPy array has as its base: a share of the block, exported as bytes. A plain C type, since one is made for
// every output of every call.
struct HostMemory {
    PyObject_HEAD std::shared_ptr<void> owner;
    void* data;
    Py_ssize_t bytes;
};

int export_bytes(PyObject* self, Py_buffer* view, int flags) {
    static char nothing;  // an empty array has no block, and NumPy wants an address
    const auto* memory = reinterpret_cast<HostMemory*>(self);
    void* data = memory->data != nullptr ? memory->data : &nothing;
    return PyBuffer_FillInfo(view, self, data, memory->bytes, 0, flags);
}

void release_memory(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    std::destroy_at(&reinterpret_cast<HostMemory*>(self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyType_Slot memory_slots[] = {
    {Py_tp_doc, const_cast<char*>("A block of eagle's host memory, the base of the arrays that eagle makes.")},
    {Py_tp_dealloc, reinterpret_cast<void*>(&release_memory)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(&export_bytes)},
    {0, nullptr}};
PyType_Spec memory_spec = {"eagle._core.HostMemory", sizeof(HostMemory), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, memory_slots};
PyTypeObject* memory_type = nullptr;

nb::object make_memory(void* data, std::shared_ptr<void> owner, Py_ssize_t bytes) {
    HostMemory* made = PyObject_New(HostMemory, memory_type);
    if (made == nullptr) throw nb::python_error();
    std::construct_at(&made->owner, std::move(owner));
    made->data = data;
    made->bytes = bytes;
    return nb::steal(reinterpret_cast<PyObject*>(made));
}

constexpr std::size_t dtypes = 6;

struct Numpy {
    PyObject* ndarray = nullptr;
    std::array<PyObject*, dtypes> dtype{};
};

// NumPy is imported at the first array that is handed out. Kept for the life of the process.
const Numpy& numpy() {
    static std::atomic<const Numpy*> known{nullptr};
    if (const Numpy* found = known.load(std::memory_order_acquire)) return *found;
    auto made = std::make_unique<Numpy>();
    const nb::module_ module = nb::module_::import_("numpy");
    made->ndarray = nb::object(module.attr("ndarray")).release().ptr();
    for (std::size_t i = 0; i < dtypes; ++i) {
        const std::string name(dtype_name(static_cast<Dtype>(i)));
        made->dtype[i] = nb::object(module.attr("dtype")(name.c_str())).release().ptr();
    }
    const Numpy* expected = nullptr;
    if (known.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *expected;
}

Dtype dtype_of_view(const ArrayView& view) {
    for (std::size_t i = 0; i < dtypes; ++i)
        if (ElementType::of(static_cast<Dtype>(i)) == view.type) return static_cast<Dtype>(i);
    throw Error("an array of " + element_type_name(view.type) + " has no NumPy dtype here");
}

}  // namespace

nb::object to_numpy(const ArrayView& view, std::shared_ptr<void> owner) {
    const Dtype dtype = dtype_of_view(view);
    const Numpy& np = numpy();
    // The block that holds all elements, and where in it the first one is.
    std::int64_t low = 0, high = static_cast<std::int64_t>(dtype_size(dtype));
    const nb::object shape = nb::steal(PyTuple_New(view.ndim)), strides = nb::steal(PyTuple_New(view.ndim));
    for (int i = 0; i < view.ndim; ++i) {
        const std::int64_t extent = view.shape[static_cast<std::size_t>(i)];
        const std::int64_t stride = view.strides[static_cast<std::size_t>(i)];
        (stride < 0 ? low : high) += stride * std::max<std::int64_t>(extent - 1, 0);
        PyTuple_SetItem(shape.ptr(), i, PyLong_FromLongLong(extent));
        PyTuple_SetItem(strides.ptr(), i, PyLong_FromLongLong(stride));
    }
    if (view.size() == 0) low = high = 0;
    const nb::object base = make_memory(static_cast<std::byte*>(view.data) + low, std::move(owner), high - low);
    const nb::object offset = nb::steal(PyLong_FromLongLong(-low));
    PyObject* arguments[] = {shape.ptr(), np.dtype[static_cast<std::size_t>(dtype)], base.ptr(), offset.ptr(),
                             strides.ptr()};
    PyObject* made = PyObject_Vectorcall(np.ndarray, arguments, 5, nullptr);
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

nb::object to_numpy(const Array& array) {
    nb::object whole = to_numpy(array.view(), array.owner());
    return array.view().ndim == 0 ? nb::object(whole[nb::make_tuple()]) : whole;
}

nb::object numbers_of(std::span<const std::int32_t> numbers) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(numbers.size())};
    const Array made = Array::empty(shape, Dtype::int32);
    std::copy(numbers.begin(), numbers.end(), made.as<std::int32_t>().begin());
    return to_numpy(made);
}

nb::object numpy_dtype(const ArrayView& view) {
    return nb::borrow(numpy().dtype[static_cast<std::size_t>(dtype_of_view(view))]);
}

void make_memory_type() {
    PyObject* made = PyType_FromSpec(&memory_spec);
    if (made == nullptr) throw nb::python_error();
    memory_type = reinterpret_cast<PyTypeObject*>(made);
}

}  // namespace eagle::python
