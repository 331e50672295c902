// DeviceArray, empty and zeros.
#include "device_array.h"

#include <DLPackExport.h>
#include <Gil.h>
#include <eagle/Device.h>
#include <eagle/Fence.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "calls.h"
#include "memory.h"
#include "module.h"
#include "new_array.h"
#include "options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

DeviceArray::~DeviceArray() {
    if (!nb::is_alive() || PyGILState_Check() == 0) return;
    const WithoutGil released;
    array = Array();
}

namespace {

// Kept for the life of the process, as the module is.
PyTypeObject* device_array_type = nullptr;

}  // namespace

const DeviceArray* device_array(nb::handle object) {
    return Py_TYPE(object.ptr()) == device_array_type ? nb::inst_ptr<DeviceArray>(object) : nullptr;
}

nb::object to_python(Array array) {
    const Backend backend = array.backend();
    return nb::cast(new DeviceArray(std::move(array), backend), nb::rv_policy::take_ownership);
}

namespace {

std::string place(const DeviceArray& self) { return Device{self.backend, self.array.view().device_id}.name(); }

nb::tuple shape_of(const DeviceArray& self) {
    nb::list made;
    for (int i = 0; i < self.array.view().ndim; ++i) made.append(self.array.view().shape[static_cast<std::size_t>(i)]);
    return nb::tuple(made);
}

std::int64_t bytes_of(const DeviceArray& self) { return self.array.view().size() * (self.array.view().type.bits / 8); }

nb::object to_host(const DeviceArray& self) {
    Array host;
    {
        const WithoutGil released;
        host = self.array.download();
    }
    return to_numpy(host.view(), host.owner());
}

void assign(const DeviceArray& self, nb::handle source) {
    Import in;
    const Subject subject{{}, "source"};
    if (!import_array(source.ptr(), subject, false, in))
        throw ArgumentError(subject.text() + " is of type " + nb::type_name(source.type()).c_str() +
                            "; it needs an array of the host: pass numpy.asarray(x)");
    const WithoutGil released;
    self.array.assign(std::get<ArrayView>(in.value));
}

[[noreturn]] void refuse(const DeviceArray& self, const std::string& who) {
    throw ArgumentError(who + " was given an eagle.DeviceArray on " + place(self) +
                        ", whose memory the host cannot touch; call its to_host() for a copy on the host");
}

std::string name_in_numpy(nb::handle function) {
    return "numpy." + std::string(nb::str(nb::getattr(function, "__name__", nb::repr(function))).c_str());
}

struct Asked {
    const char* method;
    const char* who;
};
// What Python and NumPy would compute with on the host.
constexpr Asked asked_of_the_host[] = {{"__array__", "numpy.asarray()"},
                                       {"__bool__", "bool()"},
                                       {"__int__", "int()"},
                                       {"__float__", "float()"},
                                       {"__complex__", "complex()"},
                                       {"__index__", "operator.index()"},
                                       {"__iter__", "iter()"},
                                       {"__getitem__", "indexing"},
                                       {"__setitem__", "indexing"},
                                       {"__contains__", "in"},
                                       {"__reduce__", "pickle"},
                                       {"__add__", "+"},
                                       {"__radd__", "+"},
                                       {"__sub__", "-"},
                                       {"__rsub__", "-"},
                                       {"__mul__", "*"},
                                       {"__rmul__", "*"},
                                       {"__truediv__", "/"},
                                       {"__rtruediv__", "/"},
                                       {"__floordiv__", "//"},
                                       {"__rfloordiv__", "//"},
                                       {"__mod__", "%"},
                                       {"__rmod__", "%"},
                                       {"__pow__", "**"},
                                       {"__rpow__", "**"},
                                       {"__matmul__", "@"},
                                       {"__rmatmul__", "@"},
                                       {"__neg__", "-"},
                                       {"__pos__", "+"},
                                       {"__abs__", "abs()"},
                                       {"__lt__", "<"},
                                       {"__le__", "<="},
                                       {"__gt__", ">"},
                                       {"__ge__", ">="}};

using DeviceArrayClass = nb::class_<DeviceArray>;

void bind_refusals(DeviceArrayClass& type) {
    for (const Asked& asked : asked_of_the_host) {
        const std::string who = asked.who;
        const std::string signature =
            std::string("def ") + asked.method + "(self, *_: object, **__: object) -> typing.NoReturn";
        type.def(
            asked.method, [who](const DeviceArray& self, const nb::args&, const nb::kwargs&) { refuse(self, who); },
            nb::sig(signature.c_str()));
    }
    type.def(
            "__array_ufunc__",
            [](const DeviceArray& self, nb::handle ufunc, const nb::args&, const nb::kwargs&) {
                refuse(self, name_in_numpy(ufunc));
            },
            nb::sig("def __array_ufunc__(self, ufunc: object, *_: object, **__: object) -> typing.NoReturn"))
        .def(
            "__array_function__",
            [](const DeviceArray& self, nb::handle function, const nb::args&) {
                refuse(self, name_in_numpy(function));
            },
            nb::sig("def __array_function__(self, function: object, *_: object) -> typing.NoReturn"))
        // Elements would be compared; the same object is the same, so that containers work.
        .def(
            "__eq__",
            [](nb::handle self, nb::handle other) {
                if (!self.is(other)) refuse(nb::cast<const DeviceArray&>(self), "==");
                return true;
            },
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__ne__",
            [](nb::handle self, nb::handle other) {
                if (!self.is(other)) refuse(nb::cast<const DeviceArray&>(self), "!=");
                return false;
            },
            nb::sig("def __ne__(self, other: object, /) -> bool"))
        .def("__hash__", [](nb::handle self) { return reinterpret_cast<std::uintptr_t>(self.ptr()) >> 4; });
}

void bind_facts(DeviceArrayClass& type) {
    type.def_prop_ro("shape", &shape_of, nb::sig("def shape(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "dtype", [](const DeviceArray& self) { return numpy_dtype(self.array.view()); },
            nb::sig("def dtype(self) -> typing.Any"), "A numpy.dtype.")
        .def_prop_ro("device", &place, "Kind and number, such as \"cuda:0\".")
        .def_prop_ro("ndim", [](const DeviceArray& self) { return self.array.view().ndim; })
        .def_prop_ro(
            "size", [](const DeviceArray& self) { return self.array.view().size(); }, "Number of elements.")
        .def_prop_ro("nbytes", &bytes_of)
        .def_prop_ro(
            "ptr", [](const DeviceArray& self) { return reinterpret_cast<std::uintptr_t>(self.array.view().data); },
            "The device's address of the first element.")
        .def("__len__",
             [](const DeviceArray& self) {
                 if (self.array.view().ndim == 0)
                     throw ArgumentError(
                         "the array has shape (), so that it has no len(); its one value is to_host().item()");
                 return self.array.view().shape[0];
             })
        .def("__repr__", [](const DeviceArray& self) {
            return "<eagle.DeviceArray " + std::string(nb::repr(shape_of(self)).c_str()) + " " +
                   element_type_name(self.array.view().type) + " on " + place(self) + ">";
        });
}

PyObject* dlpack(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return guarded([&]() -> PyObject* {
        const DeviceArray& held = *nb::inst_ptr<DeviceArray>(self);
        const ArrayView& view = held.array.view();
        const ExportRequest request = read_export_request(arguments, count, names);
        const bool writable = !view.read_only;
        check_export(request, view, writable, "the array");
        if (request.copy.value_or(false)) {
            PyErr_SetString(PyExc_BufferError,
                            "the array is exported without a copy, and copy=True was asked for: copy what is imported");
            throw PythonError{};
        }
        if (request.stream) {
            const WithoutGil released;
            hand_over(held.backend, view.device_type, view.device_id, *request.stream);
        }
        return export_capsule(shared_owner(self), view, request.versioned, writable).release();
    });
}

constexpr const char* dlpack_doc =
    "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
    "A DLPack capsule, versioned for a consumer that reads DLPack 1. What the consumer puts on `stream`, a stream code "
    "of\n"
    "the array's device type, waits for what the device was given before; the host does not wait.";

PyMethodDef dlpack_method = {"__dlpack__", as_method(&dlpack), METH_FASTCALL | METH_KEYWORDS, dlpack_doc};

using Maker = Array (*)(std::span<const std::int64_t>, Dtype, const Backend&, std::int32_t);

nb::object made_by(Maker maker, nb::handle shape, nb::handle dtype, nb::handle named) {
    const std::vector<std::int64_t> extents = extents_of(shape);
    const Dtype type = dtype_named(dtype);
    const std::string device = text(named, "device", "a kind and a number, such as 'cuda:0', or 'cpu'");
    std::optional<Device> where;
    Array made;
    {
        const WithoutGil released;  // the loader may ask Python for entry points
        where = Device::named(device);
        made = maker(extents, type, where->backend, where->number);
    }
    return made.on_host() ? to_numpy(made.view(), made.owner()) : to_python(std::move(made));
}

constexpr const char* empty_doc =
    "An array whose contents are whatever was there, row-major, on a device of any kind: an eagle.DeviceArray, or a "
    "NumPy "
    "array for device=\"cpu\".\n\n"
    "`shape`: an extent or a sequence of them. `dtype`: float64, float32, int64, int32, uint32 or bool. `device`: a "
    "kind "
    "and a number, \"cuda:0\"; the kind alone is its device 0, and \"gpu\" the one GPU kind installed. ValueError for "
    "a "
    "text of another form, a number that the kind has not, or a negative extent; BackendUnavailable for a kind that is "
    "not there; OutOfMemory.";

}  // namespace

void bind_device_array(nb::module_& module) {
    DeviceArrayClass type(module, "DeviceArray",
                          "Memory of a device. It exports DLPack; what would read it on the host raises TypeError. "
                          "Freed with its last user, "
                          "in the order of the device's legacy default stream.");
    device_array_type = reinterpret_cast<PyTypeObject*>(type.ptr());
    bind_facts(type);
    bind_refusals(type);
    type.def("to_host", &to_host, nb::sig("def to_host(self) -> typing.Any"),
             "A copy as a NumPy array, made when the work put on the device before is done.")
        .def("assign", &assign, "source"_a,
             "Overwrites it with a dense host array of the same dtype and number of elements, behind the work put on "
             "the "
             "device before; returns when it is there.")
        .def(
            "__dlpack_device__",
            [](const DeviceArray& self) {
                return nb::make_tuple(self.array.view().device_type, self.array.view().device_id);
            },
            nb::sig("def __dlpack_device__(self) -> tuple[int, int]"));
    add_method(type, dlpack_method);
    module.def(
        "empty",
        [](nb::handle shape, nb::handle dtype, nb::handle device) {
            return made_by(&Array::empty, shape, dtype, device);
        },
        "shape"_a.none(), "dtype"_a.none() = "float64", "device"_a.none() = "cuda:0",
        nb::sig(
            "def empty(shape: int | collections.abc.Sequence[int], dtype: object = 'float64', device: str = 'cuda:0') "
            "-> typing.Any"),
        empty_doc);
    module.def(
        "zeros",
        [](nb::handle shape, nb::handle dtype, nb::handle device) {
            return made_by(&Array::zeros, shape, dtype, device);
        },
        "shape"_a.none(), "dtype"_a.none() = "float64", "device"_a.none() = "cuda:0",
        nb::sig(
            "def zeros(shape: int | collections.abc.Sequence[int], dtype: object = 'float64', device: str = 'cuda:0') "
            "-> typing.Any"),
        "The same as `empty`, filled with zeros.");
}

}  // namespace eagle::python
