// DLPack: the C exchange table with the guards that it leaves to its user, and __dlpack__, versioned and legacy.
#include <eagle/Error.h>

#include <string>

#include "Routes.h"

namespace eagle::python {
namespace {

using dlpack::Managed;
using dlpack::ManagedVersioned;
using dlpack::Tensor;

constexpr const char* legacy_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";

ElementType element_type(dlpack::DataType type) {
    ElementType found{TypeCode::none, type.bits, type.lanes, false};
    if (type.code <= 6 && type.bits % 8 == 0) found.code = static_cast<TypeCode>(type.code);
    return found;
}

void describe(const Tensor& tensor, const Subject& subject, ArrayView& view) {
    check_dimensions(tensor.ndim, subject);
    if (tensor.data != nullptr) view.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    view.type = element_type(tensor.dtype);
    view.ndim = tensor.ndim;
    view.device_type = tensor.device.type;
    view.device_id = tensor.device.id;
    std::int64_t step = 1, item = tensor.dtype.bits / 8;
    for (int i = tensor.ndim - 1; i >= 0; --i) {
        auto k = static_cast<std::size_t>(i);
        view.shape[k] = tensor.shape[i];
        view.strides[k] = (tensor.strides != nullptr ? tensor.strides[i] : step) * item;
        step *= tensor.shape[i];
    }
}

bool is_true(const Reference& answer) { return answer.get() == Py_True; }

bool asks(PyObject* method, PyObject* object) {
    return method != nullptr && is_true(Reference::own(PyObject_Vectorcall(method, &object, 1, nullptr)));
}

// The table tells of none of these; a lazy bit left in place would be a wrong sign.
void guard(PyObject* object, const TypeRoutes& routes, const Subject& subject, const ArrayView& view) {
    if (routes.grad && is_true(Reference::own(PyObject_GetAttrString(object, "requires_grad"))))
        throw BufferRefused(subject.text() +
                            " is a tensor that requires grad, and a kernel records none; it needs plain values: pass "
                            "x.detach()");
    if (asks(routes.is_neg, object))
        throw BufferRefused(subject.text() +
                            " is a tensor with a pending negative bit; it needs plain values: pass x.resolve_neg()");
    if (view.type.code == TypeCode::complex && asks(routes.is_conj, object))
        throw BufferRefused(subject.text() +
                            " is a tensor with a pending conjugate bit; it needs plain values: pass x.resolve_conj()");
}

void consume_versioned(PyObject* capsule, const Subject& subject, Import& into, ArrayView& view) {
    auto* tensor = static_cast<ManagedVersioned*>(PyCapsule_GetPointer(capsule, versioned_name));
    // From the moment the capsule is renamed the tensor is ours to delete.
    if (PyCapsule_SetName(capsule, "used_dltensor_versioned") != 0) throw PythonError{};
    into.hold.keep(tensor);
    if (tensor->version.major != dlpack::major_version)
        throw InteropError(subject.text() + " is a DLPack tensor of major version " +
                           std::to_string(tensor->version.major) +
                           "; version 1 is understood: ask its producer for it");
    describe(tensor->tensor, subject, view);
    view.read_only = (tensor->flags & dlpack::flag_read_only) != 0;
}

void consume_legacy(PyObject* capsule, const Subject& subject, bool written, Import& into, ArrayView& view) {
    auto* tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, legacy_name));
    if (PyCapsule_SetName(capsule, "used_dltensor") != 0) throw PythonError{};
    into.hold.keep(tensor);
    describe(tensor->tensor, subject, view);
    if (written)
        throw BufferRefused(subject.text() +
                            " comes through legacy DLPack, which does not tell whether it may be written, and the "
                            "kernel writes it; it needs a producer of DLPack 1: pass a NumPy array");
}

struct NewestVersion {
    Reference names = Reference::own(Py_BuildValue("(s)", "max_version"));
    Reference value = Reference::own(Py_BuildValue("(ii)", 1, 1));
};
std::atomic<const NewestVersion*> newest_slot;

Reference capsule_of(PyObject* object, const TypeRoutes& routes) {
    const NewestVersion& newest = published(newest_slot);
    PyObject* arguments[] = {object, newest.value.get()};
    PyObject* capsule = PyObject_Vectorcall(routes.dlpack, arguments, 1, newest.names.get());
    if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {  // a producer older than max_version
        PyErr_Clear();
        capsule = PyObject_Vectorcall(routes.dlpack, arguments, 1, nullptr);
    }
    return Reference::own(capsule);
}

// The producer is asked for its device first: a stream is not negotiated for memory that is refused anyway.
bool on_host(PyObject* object, const TypeRoutes& routes, const Subject& subject, ArrayView& view) {
    if (routes.dlpack_device == nullptr) return true;
    Reference pair = Reference::own(PyObject_Vectorcall(routes.dlpack_device, &object, 1, nullptr));
    if (!PyTuple_Check(pair.get()) || PyTuple_Size(pair.get()) != 2)
        throw InteropError(subject.text() + " answers __dlpack_device__ with something else than (type, id)");
    long type = PyLong_AsLong(PyTuple_GetItem(pair.get(), 0)), id = PyLong_AsLong(PyTuple_GetItem(pair.get(), 1));
    if (PyErr_Occurred() != nullptr) throw PythonError{};
    view.device_type = static_cast<std::int32_t>(type);
    view.device_id = static_cast<std::int32_t>(id);
    return type == dlpack::device_host;
}

}  // namespace

void by_exchange(PyObject* object, const TypeRoutes& routes, const Subject& subject, Import& into, ArrayView& view) {
    if (routes.exchange->view_of_object != nullptr) {
        Tensor tensor{};
        if (routes.exchange->view_of_object(object, &tensor) != 0) throw PythonError{};
        describe(tensor, subject, view);
    } else {
        ManagedVersioned* tensor = nullptr;
        if (routes.exchange->managed_from_object(object, &tensor) != 0) throw PythonError{};
        into.hold.keep(tensor);
        describe(tensor->tensor, subject, view);
        view.read_only = (tensor->flags & dlpack::flag_read_only) != 0;
    }
    guard(object, routes, subject, view);
}

void by_dlpack(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& into,
               ArrayView& view) {
    guard(object, routes, subject, view);
    if (!on_host(object, routes, subject, view)) return;
    Reference capsule = capsule_of(object, routes);
    if (PyCapsule_IsValid(capsule.get(), versioned_name) != 0)
        consume_versioned(capsule.get(), subject, into, view);
    else if (PyCapsule_IsValid(capsule.get(), legacy_name) != 0)
        consume_legacy(capsule.get(), subject, written, into, view);
    else
        throw InteropError(
            subject.text() + " answers __dlpack__ with " + Py_TYPE(capsule.get())->tp_name +
            "; a fresh capsule named dltensor or dltensor_versioned is needed: its producer is at fault");
    if (routes.torch) guard(object, routes, subject, view);
}

}  // namespace eagle::python
