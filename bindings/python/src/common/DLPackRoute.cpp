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

[[noreturn]] void refuse_tensor(const Subject& subject, const std::string& what) {
    throw InteropError(subject.text() + " is a DLPack tensor with " + what + ": its producer is at fault");
}

void read_axes(const Tensor& tensor, const Subject& subject, ArrayView& view) {
    const std::int64_t item = tensor.dtype.bits / 8 * tensor.dtype.lanes;
    std::int64_t step = 1;
    for (int i = tensor.ndim - 1; i >= 0; --i) {
        auto k = static_cast<std::size_t>(i);
        if (tensor.shape[i] < 0) refuse_tensor(subject, "an extent of " + std::to_string(tensor.shape[i]));
        view.shape[k] = tensor.shape[i];
        const std::int64_t stride = tensor.strides != nullptr ? tensor.strides[i] : step;
        if (__builtin_mul_overflow(stride, item, &view.strides[k]) && tensor.shape[i] > 1)
            refuse_tensor(subject, "a stride of " + std::to_string(stride) + " elements of " + std::to_string(item) +
                                       " bytes, more than memory has");
        (void)__builtin_mul_overflow(step, tensor.shape[i], &step);  // the next axis, or check_reach(), tells
    }
}

void describe(const Tensor& tensor, const Subject& subject, ArrayView& view) {
    check_dimensions(tensor.ndim, subject);
    if (tensor.ndim < 0) refuse_tensor(subject, std::to_string(tensor.ndim) + " dimensions");
    if (tensor.ndim > 0 && tensor.shape == nullptr) refuse_tensor(subject, "dimensions and no shape");
    if (tensor.dtype.bits == 0 || tensor.dtype.lanes == 0)
        refuse_tensor(subject, "elements of " + std::to_string(tensor.dtype.lanes) + " lanes of " +
                                   std::to_string(tensor.dtype.bits) + " bits");
    if (tensor.data != nullptr) view.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    view.type = element_type(tensor.dtype);
    view.ndim = tensor.ndim;
    view.device_type = tensor.device.type;
    view.device_id = tensor.device.id;
    read_axes(tensor, subject, view);
    check_reach(view, subject);
}

bool is_true(const Reference& answer) { return answer.get() == Py_True; }

// A method of C that takes nothing is called as what it is, without the checks of a call from Python: `method` is that
// of the object's own type.
bool asks(PyObject* method, PyObject* object) {
    if (method == nullptr) return false;
    if (Py_TYPE(method) == &PyMethodDescr_Type) {
        const PyMethodDef* found = reinterpret_cast<PyMethodDescrObject*>(method)->d_method;
        if (found->ml_flags == METH_NOARGS) return is_true(Reference::own(found->ml_meth(object, nullptr)));
    }
    return is_true(Reference::own(PyObject_Vectorcall(method, &object, 1, nullptr)));
}

}  // namespace

namespace {

// The attribute through its descriptor where that is C's own, without a look-up on the object.
bool requires_grad(PyObject* object, PyObject* descriptor) {
    static PyObject* const name = PyUnicode_InternFromString("requires_grad");
    if (Py_TYPE(descriptor) != &PyGetSetDescr_Type) return is_true(Reference::own(PyObject_GetAttr(object, name)));
    const auto* found = reinterpret_cast<PyGetSetDescrObject*>(descriptor)->d_getset;
    return is_true(Reference::own(found->get(object, found->closure)));
}

}  // namespace

// The table tells of none of these; a lazy bit left in place would be a wrong sign.
void guard_tensor(PyObject* object, const TypeRoutes& routes, const Subject& subject, const ArrayView& view) {
    if (routes.grad != nullptr && requires_grad(object, routes.grad))
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

namespace {

Told consume_versioned(PyObject* capsule, const Subject& subject, Import& into, ArrayView& view) {
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
    return view.read_only ? Told::read_only : Told::writable;
}

Told consume_legacy(PyObject* capsule, const Subject& subject, Import& into, ArrayView& view) {
    auto* tensor = static_cast<Managed*>(PyCapsule_GetPointer(capsule, legacy_name));
    if (PyCapsule_SetName(capsule, "used_dltensor") != 0) throw PythonError{};
    into.hold.keep(tensor);
    describe(tensor->tensor, subject, view);
    return Told::nothing;
}

struct NewestVersion {
    Reference names = Reference::own(Py_BuildValue("(s)", "max_version"));
    Reference names_and_stream = Reference::own(Py_BuildValue("(ss)", "max_version", "stream"));
    Reference stream = Reference::own(Py_BuildValue("(s)", "stream"));
    Reference value = Reference::own(Py_BuildValue("(ii)", 1, 1));
};
std::atomic<const NewestVersion*> newest_slot;

Reference capsule_of(PyObject* object, const TypeRoutes& routes, PyObject* stream) {
    const NewestVersion& newest = published(newest_slot);
    PyObject* arguments[] = {object, newest.value.get(), stream};
    PyObject* names = stream != nullptr ? newest.names_and_stream.get() : newest.names.get();
    PyObject* capsule = PyObject_Vectorcall(routes.dlpack, arguments, 1, names);
    if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {  // a producer older than max_version
        PyErr_Clear();
        arguments[1] = stream;
        capsule = PyObject_Vectorcall(routes.dlpack, arguments, 1, stream != nullptr ? newest.stream.get() : nullptr);
    }
    return Reference::own(capsule);
}

}  // namespace

static std::int32_t device_number(PyObject* object, const Subject& subject) {
    const Reference value = Reference::maybe(PyNumber_Index(object));
    int beyond = 0;
    const std::int64_t number = value ? PyLong_AsLongLongAndOverflow(value.get(), &beyond) : 0;
    if (!value || beyond != 0 || number != static_cast<std::int32_t>(number))
        throw InteropError(subject.text() + " answers __dlpack_device__ with a pair that holds " +
                           Py_TYPE(object)->tp_name + (value ? " outside 32 bits" : "") +
                           "; it must be (type, id), two integers of 32 bits: its producer is at fault");
    return static_cast<std::int32_t>(number);
}

void read_device(PyObject* object, const TypeRoutes& routes, const Subject& subject, ArrayView& view) {
    if (routes.dlpack_device == nullptr) return;
    Reference pair = Reference::own(PyObject_Vectorcall(routes.dlpack_device, &object, 1, nullptr));
    if (!PyTuple_Check(pair.get()) || PyTuple_Size(pair.get()) != 2)
        throw InteropError(subject.text() + " answers __dlpack_device__ with " + Py_TYPE(pair.get())->tp_name +
                           "; it must be (type, id), a tuple of two integers: its producer is at fault");
    view.device_type = device_number(PyTuple_GetItem(pair.get(), 0), subject);
    view.device_id = device_number(PyTuple_GetItem(pair.get(), 1), subject);
}

Told take_dlpack(PyObject* object, const TypeRoutes& routes, const Subject& subject, PyObject* stream, Import& into,
                 ArrayView& view) {
    Reference capsule = capsule_of(object, routes, stream);
    if (PyCapsule_IsValid(capsule.get(), versioned_name) != 0)
        return consume_versioned(capsule.get(), subject, into, view);
    if (PyCapsule_IsValid(capsule.get(), legacy_name) != 0) return consume_legacy(capsule.get(), subject, into, view);
    throw InteropError(subject.text() + " answers __dlpack__ with " + Py_TYPE(capsule.get())->tp_name +
                       "; a fresh capsule named dltensor or dltensor_versioned is needed: its producer is at fault");
}

// What a tensor library raises of a tensor that it cannot hand out comes with the argument's name, and without the
// library's own stack behind it.
[[noreturn]] static void refuse_exchange(PyObject* object, const Subject& subject) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0 || PyErr_ExceptionMatches(PyExc_MemoryError) != 0)
        throw PythonError{};
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Reference t = Reference::maybe(type), v = Reference::maybe(value), b = Reference::maybe(trace);
    const Reference text = v ? Reference::maybe(PyObject_Str(v.get())) : Reference();
    const char* const said = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    if (said == nullptr) PyErr_Clear();
    const std::string reason = said != nullptr ? said : "no reason given";
    throw BufferRefused(
        subject.text() + " is a " + Py_TYPE(object)->tp_name + " that its library hands out no memory of (" +
        reason.substr(0, reason.find('\n')) +
        "); it needs a dense tensor of plain numbers with memory of its own: a sparse one is made dense "
        "with x.to_dense()");
}

void take_exchange(PyObject* object, const TypeRoutes& routes, const Subject& subject, Import& into, ArrayView& view) {
    ManagedVersioned* tensor = nullptr;
    if (routes.exchange->managed_from_object(object, &tensor) != 0) refuse_exchange(object, subject);
    into.hold.keep(tensor);
    describe(tensor->tensor, subject, view);
    view.read_only = (tensor->flags & dlpack::flag_read_only) != 0;
}

void by_exchange(PyObject* object, const TypeRoutes& routes, const Subject& subject, Import& into, ArrayView& view) {
    if (routes.exchange->view_of_object != nullptr) {
        Tensor tensor{};
        if (routes.exchange->view_of_object(object, &tensor) != 0) refuse_exchange(object, subject);
        describe(tensor, subject, view);
    } else {
        take_exchange(object, routes, subject, into, view);
    }
    guard_tensor(object, routes, subject, view);
}

void by_dlpack(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& into,
               ArrayView& view) {
    guard_tensor(object, routes, subject, view);
    // Asked first: a stream is not negotiated for memory that is refused anyway.
    read_device(object, routes, subject, view);
    if (view.device_type != dlpack::device_host) return;
    if (take_dlpack(object, routes, subject, nullptr, into, view) == Told::nothing && written)
        throw BufferRefused(subject.text() +
                            " comes through legacy DLPack, which does not tell whether it may be written, and the "
                            "kernel writes it; it needs a producer of DLPack 1: pass a NumPy array");
    if (routes.torch) guard_tensor(object, routes, subject, view);
}

}  // namespace eagle::python
