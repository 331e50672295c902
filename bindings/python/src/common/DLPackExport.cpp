#include "DLPackExport.h"

#include <eagle/Error.h>

#include <memory>
#include <string>
#include <utility>

#include "Gil.h"

namespace eagle::python {
namespace {

constexpr const char* legacy_name = "dltensor";
constexpr const char* versioned_name = "dltensor_versioned";
constexpr dlpack::Version exported_version{1, 0};

// ---- the request ----

std::int64_t integer_of(PyObject* object, const char* name) {
    Reference index = PyBool_Check(object) ? Reference() : Reference::maybe(PyNumber_Index(object));
    if (!index)
        throw ArgumentError(std::string("__dlpack__: ") + name + " is of type " + Py_TYPE(object)->tp_name +
                            "; it needs an integer");
    std::int64_t value = PyLong_AsLongLong(index.get());
    if (value == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw InteropError(std::string("__dlpack__: ") + name +
                           " is an integer outside 64 bits; it needs a DLPack code or a raw handle");
    }
    return value;
}

std::pair<std::int64_t, std::int64_t> pair_of(PyObject* object, const char* name) {
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2)
        throw ArgumentError(std::string("__dlpack__: ") + name + " is of type " + Py_TYPE(object)->tp_name +
                            "; it needs a pair of integers");
    return {integer_of(PyTuple_GetItem(object, 0), name), integer_of(PyTuple_GetItem(object, 1), name)};
}

void take(ExportRequest& request, PyObject* name, PyObject* value) {
    auto is = [&](const char* text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; };
    const bool given = value != Py_None;
    if (is("stream")) {
        if (given) request.stream = integer_of(value, "stream");
    } else if (is("max_version")) {
        request.versioned = given && pair_of(value, "max_version").first >= 1;
    } else if (is("dl_device")) {
        if (!given) return;
        auto [type, id] = pair_of(value, "dl_device");
        request.dl_device = dlpack::Device{static_cast<std::int32_t>(type), static_cast<std::int32_t>(id)};
    } else if (is("copy")) {
        if (!given) return;
        int truth = PyObject_IsTrue(value);
        if (truth < 0) throw PythonError{};
        request.copy = truth != 0;
    } else {
        const char* text = PyUnicode_AsUTF8(name);
        if (text == nullptr) throw PythonError{};
        throw ArgumentError(std::string("__dlpack__ got an unknown argument '") + text +
                            "'; it takes stream, max_version, dl_device and copy");
    }
}

// ---- the tensor ----

// What a capsule owns: the structure that the consumer reads, the arrays it points to, and the owner of the memory.
template <class Header>
struct Exported {
    Header header{};
    std::int64_t shape[ArrayView::max_dims]{};
    std::int64_t strides[ArrayView::max_dims]{};
    std::shared_ptr<void> owner;
};

// The consumer's last act, on whatever thread.
template <class Header>
void give_back(Header* header) {
    delete static_cast<Exported<Header>*>(header->context);
}

// A capsule that was consumed has another name, and its tensor another owner.
template <class Header>
void drop_capsule(PyObject* capsule, const char* name) {
    if (PyCapsule_IsValid(capsule, name) == 0) return;
    auto* header = static_cast<Header*>(PyCapsule_GetPointer(capsule, name));
    header->deleter(header);
}

template <class Header>
void describe(Exported<Header>& exported, const ArrayView& view) {
    dlpack::Tensor& tensor = exported.header.tensor;
    const std::int64_t item = view.type.bits / 8 * view.type.lanes;
    tensor.data = view.data;
    tensor.device = {view.device_type, view.device_id};
    tensor.ndim = view.ndim;
    tensor.dtype = {static_cast<std::uint8_t>(view.type.code), view.type.bits, view.type.lanes};
    for (std::size_t i = 0; i < static_cast<std::size_t>(view.ndim); ++i) {
        exported.shape[i] = view.shape[i];
        exported.strides[i] = view.strides[i] / item;
    }
    tensor.shape = exported.shape;
    tensor.strides = exported.strides;
}

template <class Header>
Reference capsule_over(std::unique_ptr<Exported<Header>> exported, const char* name, PyCapsule_Destructor destructor) {
    exported->header.context = exported.get();
    exported->header.deleter = &give_back<Header>;
    Reference capsule = Reference::own(PyCapsule_New(&exported->header, name, destructor));
    (void)exported.release();
    return capsule;
}

// What the standard of arrays has consumers look for.
[[noreturn]] void refuse(const std::string& text) {
    PyErr_SetString(PyExc_BufferError, text.c_str());
    throw PythonError{};
}

std::string device_text(std::int32_t type, std::int32_t id) {
    return "DLPack device (" + std::to_string(type) + ", " + std::to_string(id) + ")";
}

}  // namespace

ExportRequest read_export_request(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 0)
        throw ArgumentError("__dlpack__ got " + std::to_string(count) +
                            " positional arguments; it takes keywords alone: stream, max_version, dl_device and copy");
    ExportRequest request;
    const Py_ssize_t keywords = names != nullptr ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < keywords; ++i) take(request, PyTuple_GetItem(names, i), arguments[i]);
    return request;
}

void check_export(const ExportRequest& request, const ArrayView& view, bool writable, std::string_view what) {
    const std::string subject(what);
    if (request.dl_device && (request.dl_device->type != view.device_type || request.dl_device->id != view.device_id))
        refuse(subject + " is on " + device_text(view.device_type, view.device_id) + " and was asked for " + "on " +
               device_text(request.dl_device->type, request.dl_device->id) +
               "; nothing is moved silently: copy it there first");
    if (!writable && !request.versioned)
        refuse(subject +
               " may not be written, which legacy DLPack cannot say; the consumer needs DLPack 1 "
               "(max_version=(1, 0)), or a copy of the array");
    if (view.type.swapped || view.type.code == TypeCode::none || view.type.code == TypeCode::opaque)
        refuse(subject + " holds " + element_type_name(view.type) +
               ", which DLPack has no code for; it needs numbers in the machine's byte order: convert it "
               "first");
    const std::int64_t item = view.type.bits / 8 * view.type.lanes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(view.ndim); ++i)
        if (view.strides[i] % item != 0)
            refuse(subject + " has a stride of " + std::to_string(view.strides[i]) + " bytes along axis " +
                   std::to_string(i) + ", which is no whole number of elements of " + std::to_string(item) +
                   " bytes, as DLPack needs it: copy it first");
}

std::shared_ptr<void> shared_owner(PyObject* object) {
    Py_INCREF(object);
    return {object, [](void* held) {
                // At the end of the process there is no interpreter left to give the reference back to.
                if (Py_IsInitialized() == 0) return;
                const WithGil taken;
                const KeptError kept;
                Py_DECREF(static_cast<PyObject*>(held));
            }};
}

Reference export_capsule(std::shared_ptr<void> owner, const ArrayView& view, bool versioned, bool writable) {
    if (!versioned) {
        auto exported = std::make_unique<Exported<dlpack::Managed>>();
        exported->owner = std::move(owner);
        describe(*exported, view);
        return capsule_over(std::move(exported), legacy_name,
                            [](PyObject* capsule) { drop_capsule<dlpack::Managed>(capsule, legacy_name); });
    }
    auto exported = std::make_unique<Exported<dlpack::ManagedVersioned>>();
    exported->owner = std::move(owner);
    describe(*exported, view);
    exported->header.version = exported_version;
    exported->header.flags = writable ? 0 : dlpack::flag_read_only;
    return capsule_over(std::move(exported), versioned_name,
                        [](PyObject* capsule) { drop_capsule<dlpack::ManagedVersioned>(capsule, versioned_name); });
}

}  // namespace eagle::python
