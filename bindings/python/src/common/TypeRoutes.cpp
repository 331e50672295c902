#include "TypeRoutes.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>

#include "Reference.h"

namespace eagle::python {
namespace {

// A program meets a handful of types; a linear table of published pointers needs no lock to read. Types beyond the
// table are looked up anew each time.
constexpr std::size_t table_size = 64;
std::array<std::atomic<const TypeRoutes*>, table_size> table;

// A class of a module that is loaded already; nothing is imported.
Reference loaded_class(const char* module, const char* name) {
    PyObject* modules = PyImport_GetModuleDict();
    const Reference found = Reference::maybe(PyMapping_GetItemString(modules, module));
    if (!found) return {};
    return Reference::maybe(PyObject_GetAttrString(found.get(), name));
}

bool derives(PyTypeObject* type, const char* module, const char* name) {
    Reference base = loaded_class(module, name);
    return base && PyType_Check(base.get()) && PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(base.get())) != 0;
}

NumberKind number_kind(PyTypeObject* type) {
    if (type == &PyBool_Type) return NumberKind::boolean;
    if (PyType_IsSubtype(type, &PyLong_Type) != 0) return NumberKind::integer;
    if (PyType_IsSubtype(type, &PyFloat_Type) != 0) return NumberKind::floating;
    if (PyType_IsSubtype(type, &PyComplex_Type) != 0) return NumberKind::complex;
    if (!derives(type, "numpy", "generic")) return NumberKind::none;
    if (derives(type, "numpy", "timedelta64")) return NumberKind::other;  // numpy counts it among the integers
    if (derives(type, "numpy", "bool_")) return NumberKind::boolean;
    if (derives(type, "numpy", "integer")) return NumberKind::integer;
    if (derives(type, "numpy", "floating")) return NumberKind::floating;
    if (derives(type, "numpy", "complexfloating")) return NumberKind::complex;
    return NumberKind::other;
}

bool from_package(PyTypeObject* type, const char* package) {
    Reference module = Reference::maybe(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__module__"));
    if (!module || !PyUnicode_Check(module.get())) return false;
    const char* text = PyUnicode_AsUTF8(module.get());
    if (text == nullptr) {
        PyErr_Clear();
        return false;
    }
    std::size_t n = std::strlen(package);
    return std::strncmp(text, package, n) == 0 && (text[n] == '\0' || text[n] == '.');
}

// A tensor subclass with a __torch_dispatch__ of its own (fake or distributed tensors) has no memory that the table
// could tell of; it goes by __dlpack__, which asks the subclass.
bool dispatches_itself(PyObject* type) {
    Reference base = loaded_class("torch", "Tensor");
    if (!base) return false;
    Reference mine = Reference::maybe(PyObject_GetAttrString(type, "__torch_dispatch__"));
    Reference theirs = Reference::maybe(PyObject_GetAttrString(base.get(), "__torch_dispatch__"));
    return mine.get() != theirs.get();
}

const dlpack::ExchangeTable* exchange_table(PyObject* type) {
    Reference capsule = Reference::maybe(PyObject_GetAttrString(type, "__dlpack_c_exchange_api__"));
    if (!capsule || PyCapsule_IsValid(capsule.get(), dlpack::exchange_capsule) == 0) return nullptr;
    auto* found =
        static_cast<const dlpack::ExchangeTable*>(PyCapsule_GetPointer(capsule.get(), dlpack::exchange_capsule));
    while (found != nullptr && found->header.version.major > dlpack::major_version)
        found = reinterpret_cast<const dlpack::ExchangeTable*>(found->header.previous);
    return found != nullptr && found->header.version.major == dlpack::major_version && !dispatches_itself(type)
               ? found
               : nullptr;
}

PyObject* attribute(PyObject* type, const char* name) {
    return Reference::maybe(PyObject_GetAttrString(type, name)).release();
}

void release(const TypeRoutes& routes) {
    for (PyObject* method : {routes.dlpack, routes.dlpack_device, routes.grad, routes.is_neg, routes.is_conj}) {
        Py_XDECREF(method);
    }
    Py_DECREF(reinterpret_cast<PyObject*>(routes.type));
}

void ask_attributes(TypeRoutes& routes) {
    auto* object = reinterpret_cast<PyObject*>(routes.type);
    routes.dlpack = attribute(object, "__dlpack__");
    routes.dlpack_device = attribute(object, "__dlpack_device__");
    routes.is_neg = attribute(object, "is_neg");
    routes.is_conj = attribute(object, "is_conj");
    routes.grad = attribute(object, "requires_grad");
}

// With references to the type and its attributes, which release() gives back. A metaclass may answer in Python, and
// raise.
std::unique_ptr<TypeRoutes> look_up(PyTypeObject* type) {
    auto routes = std::make_unique<TypeRoutes>();
    auto* object = reinterpret_cast<PyObject*>(type);
    routes->type = type;
    routes->number = number_kind(type);
    routes->sequence =
        PyType_FastSubclass(type, Py_TPFLAGS_LIST_SUBCLASS) || PyType_FastSubclass(type, Py_TPFLAGS_TUPLE_SUBCLASS);
    routes->buffer = type->tp_as_buffer != nullptr && type->tp_as_buffer->bf_getbuffer != nullptr;
    routes->masked = derives(type, "numpy.ma", "MaskedArray");
    routes->pandas = from_package(type, "pandas");
    routes->torch = derives(type, "torch", "Tensor");
    routes->cupy = derives(type, "cupy", "ndarray");
    Reference ndarray = loaded_class("numpy", "ndarray");
    routes->ndarray = ndarray.get() == object;
    routes->numpy = derives(type, "numpy", "ndarray");
    routes->exchange = exchange_table(object);
    Py_INCREF(object);
    try {
        ask_attributes(*routes);
    } catch (...) {
        release(*routes);
        throw;
    }
    return routes;
}

const TypeRoutes* find(PyTypeObject* type) {
    for (auto& entry : table) {
        const TypeRoutes* routes = entry.load(std::memory_order_acquire);
        if (routes == nullptr) return nullptr;
        if (routes->type == type) return routes;
    }
    return nullptr;
}

// What is remembered of the type from here on: `fresh`, or what another thread was first with. Null in a full table.
const TypeRoutes* remember(std::unique_ptr<TypeRoutes>& fresh) {
    for (auto& entry : table) {
        const TypeRoutes* expected = nullptr;
        if (entry.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) return fresh.release();
        if (expected->type == fresh->type) return expected;
    }
    return nullptr;
}

}  // namespace

RoutesOf::RoutesOf(PyTypeObject* type) : routes_(find(type)) {
    if (routes_ != nullptr) return;
    own_ = look_up(type);
    routes_ = remember(own_);
    if (routes_ == nullptr) routes_ = own_.get();
}

RoutesOf::~RoutesOf() {
    if (own_) release(*own_);
}

void forget_types() {
    for (auto& entry : table) {
        const TypeRoutes* routes = entry.exchange(nullptr, std::memory_order_acq_rel);
        // Its own memory stays: another thread may be reading there.
        if (routes != nullptr) release(*routes);
    }
}

}  // namespace eagle::python
