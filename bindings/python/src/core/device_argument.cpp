#include "device_argument.h"

#include <Gil.h>
#include <Routes.h>
#include <eagle/Backend.h>
#include <eagle/Device.h>
#include <eagle/Error.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "options.h"

namespace nb = nanobind;

namespace eagle::python {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string made;
    for (const std::string& word : words) made += (made.empty() ? "" : ", ") + word;
    return made.empty() ? "none" : made;
}

bool is_there(const std::string& kind) {
    for (const Backend& backend : loaded_backends())
        if (backend.kind() == kind) return true;
    const std::vector<std::string> installed = installed_kinds();
    return std::find(installed.begin(), installed.end(), kind) != installed.end();
}

void require_backend(const Subject& subject, const ArrayView& view) {
    const WithoutGil released;  // the loader may ask Python for entry points
    const std::string kind = kind_of_device_type(view.device_type);
    if (is_there(kind)) return;
    throw BackendUnavailable(
        subject.text() + " is on device " + kind + ":" + std::to_string(view.device_id) + ", and no backend of kind '" +
        kind + "' is installed (installed: " + joined(installed_kinds()) +
        "); install a wheel of eagle that carries libeagle_" + kind + ".so, or copy the array to the host");
}

// Whoever is the last to use the memory may be a thread without the GIL.
struct Owner {
    Reference object;
    Hold hold;
};

}  // namespace

std::shared_ptr<void> owner_of(PyObject* object, Hold hold) {
    auto made = std::make_unique<Owner>();
    made->object = Reference::borrow(object);
    made->hold = std::move(hold);
    return {made.release(), [](Owner* owner) {
                if (!nb::is_alive()) return;  // the interpreter is gone, and its objects with it
                const WithGil held;
                delete owner;
            }};
}

namespace {

bool is_on_card(const ArrayView& view) { return view.device_type == 2 || view.device_type == 10; }

StreamCode stream_of_table(const dlpack::ExchangeTable& table, const ArrayView& view) {
    void* raw = nullptr;
    if (table.current_stream == nullptr) return std::nullopt;
    if (table.current_stream(view.device_type, view.device_id, &raw) != 0) throw PythonError{};
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(raw));
}

// Of an array without an exchange table: CuPy's, and torch's before it had one.
StreamCode stream_of_library(const TypeRoutes& routes, const ArrayView& view) {
    if (routes.cupy) {
        const nb::object stream = nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")(view.device_id);
        return nb::cast<std::int64_t>(stream.attr("ptr"));
    }
    if (routes.torch && is_on_card(view)) {
        const nb::object stream = nb::module_::import_("torch").attr("cuda").attr("current_stream")(view.device_id);
        return nb::cast<std::int64_t>(stream.attr("cuda_stream"));
    }
    return std::nullopt;
}

// The interface of CUDA's arrays names no device.
void find_device(ArrayView& view) {
    const WithoutGil released;
    view.device_id = device_of_memory(Backend::load(kind_of_device_type(view.device_type)),
                                      reinterpret_cast<std::uint64_t>(view.data));
}

[[noreturn]] void refuse_legacy(const Subject& subject) {
    throw BufferRefused(subject.text() +
                        " comes through legacy DLPack, which does not tell whether it may be written, and the kernel "
                        "writes it; it needs a producer of DLPack 1: pass eagle.interop.import_buffer(x, "
                        "assume_writable=True)");
}

StreamCode take(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& in,
                ArrayView& view) {
    if (routes.exchange != nullptr) return stream_of_table(*routes.exchange, view);
    if (routes.dlpack != nullptr) {
        // No stream is named: the producer orders what it has before the device's default stream.
        if (take_dlpack(object, routes, subject, nullptr, in, view) == Told::nothing && written) refuse_legacy(subject);
        return stream_of_library(routes, view);
    }
    StreamCode stream;
    take_cuda_interface(object, subject, in, view, stream);
    find_device(view);
    return stream;
}

}  // namespace

bool is_served(std::int32_t device_type) {
    try {
        return is_there(kind_of_device_type(device_type));
    } catch (const BackendUnavailable&) {  // no kind is known for it, or several
        return false;
    }
}

StreamCode import_memory(PyObject* object, const Subject& subject, bool written, Import& in) {
    ArrayView& view = std::get<ArrayView>(in.value);
    require_backend(subject, view);
    return take(object, *RoutesOf(Py_TYPE(object)), subject, written, in, view);
}

DeviceArgument import_from_device(PyObject* object, const Subject& subject, bool written, Import& in) {
    const StreamCode stream = import_memory(object, subject, written, in);
    return {ArgumentValue(std::get<ArrayView>(in.value), owner_of(object, std::move(in.hold))), stream};
}

namespace {

// Of an int from 0 on. The upper half of 64 bits holds no handle, and there -1 would mean no order at all.
std::optional<std::uint64_t> raw_handle(PyObject* number) {
    const long long raw = PyLong_AsLongLong(number);
    if (PyErr_Occurred() != nullptr) PyErr_Clear();
    return raw < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(raw));
}

}  // namespace

std::uint64_t raw_stream(PyObject* stream, const char* who) {
    if (stream == Py_None) return 0;
    std::optional<std::uint64_t> raw;
    for (const char* name : {"cuda_stream", "ptr"}) {  // of torch's and CuPy's streams
        const Reference found = Reference::maybe(PyObject_GetAttrString(stream, name));
        if (!raw && found && PyLong_Check(found.get())) raw = raw_handle(found.get());
    }
    if (PyLong_Check(stream) && !PyBool_Check(stream)) raw = raw_handle(stream);
    if (raw) return *raw;
    throw ArgumentError("stream is " + shown(stream) + "; " + who +
                        " needs a raw handle (an int, 0 or more, below 2^63), or a stream of CuPy or torch");
}

}  // namespace eagle::python
