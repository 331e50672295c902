// eagle.interop.import_buffer: any array, as a view of its memory.
#include <Exceptions.h>
#include <Routes.h>
#include <eagle/Error.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>

#include "buffer_view.h"
#include "module.h"
#include "requirements.h"

namespace nb = nanobind;

namespace eagle::python {

namespace {

const Subject subject{"", "obj"};

struct Wanted {
    PyObject* stream_object = nullptr;  // borrowed; null when none was given
    StreamCode stream;
    const Requirements* require = nullptr;
    bool assume_writable = false;
};

StreamCode stream_code(PyObject* given) {
    const Reference index = PyBool_Check(given) ? Reference() : Reference::maybe(PyNumber_Index(given));
    if (!index)
        throw ArgumentError(std::string("stream is of type ") + Py_TYPE(given)->tp_name +
                            "; it needs None or an integer, a DLPack stream code or a raw handle");
    const long long code = PyLong_AsLongLong(index.get());
    if (code == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw InteropError("stream is an integer outside 64 bits; it needs a DLPack stream code or a raw handle");
    }
    return code;
}

void take(Wanted& wanted, PyObject* name, PyObject* value) {
    auto is = [&](const char* text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; };
    if (is("stream")) {
        if (value == Py_None) return;
        wanted.stream = stream_code(value);
        wanted.stream_object = value;
    } else if (is("require")) {
        wanted.require = requirements_of(value);
    } else if (is("assume_writable")) {
        const int truth = PyObject_IsTrue(value);
        if (truth < 0) throw PythonError{};
        wanted.assume_writable = truth != 0;
    } else {
        const char* text = PyUnicode_AsUTF8(name);
        if (text == nullptr) throw PythonError{};
        throw ArgumentError(std::string("import_buffer got an unknown argument '") + text +
                            "'; it takes an array, stream, require and assume_writable");
    }
}

// ---- the routes ----

Access of_flag(const ArrayView& view) { return view.read_only ? Access::read_only : Access::read_write; }

// The producer's current stream, as its table tells it: a raw handle, which for the default is 0.
StreamCode current_stream(const dlpack::ExchangeTable& table, const ArrayView& view) {
    void* raw = nullptr;
    if (table.current_stream == nullptr) return std::nullopt;
    if (table.current_stream(view.device_type, view.device_id, &raw) != 0) throw PythonError{};
    if (raw == nullptr) return std::nullopt;
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(raw));
}

void by_exchange_table(BufferView& into, ArrayView& view, const TypeRoutes& routes, const Wanted& wanted) {
    into.route = "exchange";
    // A tensor of torch is always written to, and its managed form pins no more than the reference that a view has; of
    // another producer only the managed form tells what may be written.
    if (routes.torch) {
        by_exchange(into.owner, routes, subject, into.in, view);
    } else {
        take_exchange(into.owner, routes, subject, into.in, view);
        guard_tensor(into.owner, routes, subject, view);
    }
    into.access = of_flag(view);
    if (view.device_type == dlpack::device_host && !wanted.stream) return;  // the host has no streams
    into.stream = checked_stream(view.device_type, wanted.stream, "stream");
    // The table orders nothing by itself.
    if (view.device_type != dlpack::device_host) order(view, current_stream(*routes.exchange, view), into.stream);
}

void by_capsule(BufferView& into, ArrayView& view, const TypeRoutes& routes, const Wanted& wanted) {
    guard_tensor(into.owner, routes, subject, view);
    read_device(into.owner, routes, subject, view);
    const std::int32_t type = view.device_type;
    // Before the producer is asked for anything: it orders what it holds before that stream.
    into.stream = checked_stream(type, wanted.stream, "stream");
    const Told told = take_dlpack(into.owner, routes, subject, wanted.stream_object, into.in, view);
    if (view.device_type != type)
        throw InteropError(subject.text() + " names DLPack device type " + std::to_string(type) +
                           " and hands out memory of type " + std::to_string(view.device_type) +
                           ": its producer is at fault");
    into.route = told == Told::nothing ? "dlpack-legacy" : "dlpack";
    into.access = told == Told::nothing ? Access::unknown : of_flag(view);
    if (routes.torch) guard_tensor(into.owner, routes, subject, view);
}

bool by_interfaces(BufferView& into, ArrayView& view, const Wanted& wanted) {
    StreamCode producer;
    if (take_cuda_interface(into.owner, subject, into.in, view, producer)) {
        into.route = "cuda_array_interface";
        into.stream = checked_stream(view.device_type, wanted.stream, "stream");
        // A producer that names no stream says that nothing is pending.
        if (producer) order(view, producer, into.stream);
    } else if (by_array_interface(into.owner, subject, into.in, view)) {
        into.route = "array_interface";
        into.stream = checked_stream(view.device_type, wanted.stream, "stream");
    } else {
        return false;
    }
    into.access = of_flag(view);
    return true;
}

// A view of a view: the same memory, in the order of another stream.
void by_view(BufferView& into, ArrayView& view, const Wanted& wanted) {
    const auto& from = *reinterpret_cast<const BufferView*>(into.owner);
    view = from.view();
    into.route = from.route;
    into.access = from.access;
    into.assume_writable |= from.assume_writable;
    into.stream = checked_stream(view.device_type, wanted.stream, "stream");
    order(view, from.stream, into.stream);
}

void by_host_buffer(BufferView& into, ArrayView& view, const Wanted& wanted) {
    into.route = "buffer";
    by_buffer(into.owner, subject, into.in, view);
    into.access = of_flag(view);
    if (wanted.stream) checked_stream(view.device_type, wanted.stream, "stream");
}

[[noreturn]] void refuse_object(PyObject* object) {
    throw ArgumentError(subject.text() + " is of type " + Py_TYPE(object)->tp_name +
                        "; it needs an array: anything with __dlpack__, __cuda_array_interface__, "
                        "__array_interface__ or the buffer protocol. Pass numpy.asarray(x)");
}

void import_into(BufferView& into, const Wanted& wanted) {
    const RoutesOf found(Py_TYPE(into.owner));
    const TypeRoutes& routes = *found;
    ArrayView& view = *std::get_if<ArrayView>(&into.in.value);
    into.assume_writable = wanted.assume_writable;
    if (routes.ndarray) return by_host_buffer(into, view, wanted);
    if (is_buffer_view(into.owner)) return by_view(into, view, wanted);
    // NumPy's scalars show their bytes as a buffer and are no arrays.
    if (routes.number != NumberKind::none) refuse_object(into.owner);
    refuse_special(routes, subject, false);
    if (routes.exchange != nullptr) return by_exchange_table(into, view, routes, wanted);
    if (routes.buffer && (routes.numpy || routes.dlpack == nullptr)) return by_host_buffer(into, view, wanted);
    if (routes.dlpack != nullptr) return by_capsule(into, view, routes, wanted);
    if (!by_interfaces(into, view, wanted)) refuse_object(into.owner);
}

// Every way out of the view would hand on an address that is none.
void require_memory(const ArrayView& view) {
    if (view.data != nullptr) return;
    const auto* const end = view.shape.data() + view.ndim;
    if (std::find(view.shape.data(), end, 0) != end) return;
    throw BufferRefused(
        subject.text() +
        " has elements and no memory; it needs real data (a fake or meta array?): materialise it first");
}

Reference import(PyObject* object, const Wanted& wanted) {
    BufferView* made = new_buffer_view(object);
    Reference view = Reference::own(reinterpret_cast<PyObject*>(made));
    import_into(*made, wanted);
    require_memory(made->view());
    if (wanted.require != nullptr) {
        const Access access = made->writable() ? Access::read_write : made->access;
        require(made->view(), access, *wanted.require, subject.text());
    }
    PyObject_GC_Track(view.get());
    return view;
}

PyObject* import_buffer(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    try {
        if (count != 1)
            throw ArgumentError("import_buffer got " + std::to_string(count) +
                                " positional arguments; it takes one array, and stream, require and assume_writable "
                                "by keyword");
        Wanted wanted;
        const Py_ssize_t keywords = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
        for (Py_ssize_t i = 0; i < keywords; ++i) take(wanted, PyTuple_GET_ITEM(names, i), arguments[count + i]);
        return import(arguments[0], wanted).release();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyMethodDef import_method = {
    "import_buffer", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&import_buffer)),
    METH_FASTCALL | METH_KEYWORDS,
    "import_buffer(obj, *, stream=None, require=None, assume_writable=False)\n--\n\n"
    "The memory of an array of any library, without a copy.\n\n"
    "obj: anything with __dlpack__, __cuda_array_interface__, __array_interface__ or the buffer protocol. It is kept\n"
    "alive by the view.\n"
    "stream: in whose order the memory will be used, as a DLPack stream code of the array's device type (CUDA: 1 "
    "legacy\n"
    "default, 2 per-thread default, -1 unordered; ROCm: 0 default), or a raw handle; None is the default stream. It\n"
    "waits for the producer's, by an event: the host never waits.\n"
    "require: Requirements; BufferRefused says every one that is not met.\n"
    "assume_writable: takes an array of unknown access (legacy DLPack) for one that may be written.\n\n"
    "Raises TypeError for what is no array, BufferRefused for one that cannot be viewed as it stands, InteropError for "
    "a\n"
    "producer that breaks DLPack and for a stream that the device type has not."};

}  // namespace

void bind_interop(nb::module_& module) {
    module.attr("BufferView") = nb::steal(make_buffer_view_type());
    bind_requirements(module);
    PyObject* name = module.attr("__name__").ptr();
    PyObject* made = PyCFunction_NewEx(&import_method, module.ptr(), name);
    if (made == nullptr) throw nb::python_error();
    module.attr("import_buffer") = nb::steal(made);
}

}  // namespace eagle::python
