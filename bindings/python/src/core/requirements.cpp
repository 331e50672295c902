#include "requirements.h"

#include <eagle/Error.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

std::string shown(nb::handle object) { return nb::repr(object).c_str(); }

// NumPy reads whatever names a dtype of its own; the names of others (bfloat16) are read as they stand.
ElementType element_type(nb::handle given) {
    if (nb::isinstance<nb::str>(given))
        if (const auto type = element_type_from_name(nb::cast<std::string>(given))) return *type;
    try {
        const nb::object dtype = nb::module_::import_("numpy").attr("dtype")(given);
        if (const auto type = element_type_from_name(nb::cast<std::string>(dtype.attr("name")))) return *type;
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_TypeError)) throw;
    }
    throw InvalidArgument("dtype is " + shown(given) +
                          "; it must name a number type, such as 'float64' or numpy.int32");
}

std::vector<std::int64_t> shape_of(nb::handle given) {
    std::vector<std::int64_t> shape;
    std::int64_t extent = 0;
    if (nb::try_cast(given, extent))
        shape = {extent};
    else if (!nb::try_cast(given, shape))
        throw ArgumentError("shape is " + shown(given) + "; it needs an integer or a tuple of integers");
    for (const std::int64_t e : shape)
        if (e < 0) throw InvalidArgument("shape is " + shown(given) + "; its extents must be at least 0");
    return shape;
}

std::int32_t number_of(const std::string& text, std::string_view digits) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0) return number;
    throw InvalidArgument("device is '" + text +
                          "'; it must be a kind such as 'cuda', a kind and a number such as "
                          "'cuda:0', or a DLPack device type");
}

void set_device(Requirements& made, nb::handle device) {
    std::int32_t type = 0;
    if (nb::try_cast(device, type)) {
        made.device_type = type;
        return;
    }
    if (!nb::isinstance<nb::str>(device))
        throw ArgumentError("device is " + shown(device) +
                            "; it needs a kind, such as 'cuda', or a DLPack device type");
    const auto text = nb::cast<std::string>(device);
    const std::size_t colon = text.find(':');
    made.device_type = device_type_of_kind(text.substr(0, colon));
    if (colon == std::string::npos) return;
    const std::int32_t number = number_of(text, std::string_view(text).substr(colon + 1));
    if (made.device_id && *made.device_id != number)
        throw InvalidArgument("device is '" + text + "' and device_id is " + std::to_string(*made.device_id) +
                              "; they must agree: give one of them");
    made.device_id = number;
}

Requirements requirements(nb::handle dtype, std::optional<std::int64_t> count, nb::handle shape, bool contiguous,
                          std::int64_t alignment, nb::handle device, std::optional<std::int32_t> device_id,
                          bool writable) {
    if (count && *count < 0) throw InvalidArgument("count is " + std::to_string(*count) + "; it must be at least 0");
    if (alignment < 0)
        throw InvalidArgument("alignment is " + std::to_string(alignment) + "; it must be at least 0 bytes");
    Requirements made;
    if (!dtype.is_none()) made.dtype = element_type(dtype);
    made.count = count;
    if (!shape.is_none()) made.shape = shape_of(shape);
    made.contiguous = contiguous;
    made.alignment = alignment;
    made.device_id = device_id;
    if (!device.is_none()) set_device(made, device);
    made.writable = writable;
    return made;
}

std::optional<std::string> dtype_name_of(const Requirements& needed) {
    if (!needed.dtype) return std::nullopt;
    return element_type_name(*needed.dtype);
}

nb::object shape_tuple(const Requirements& needed) {
    if (!needed.shape) return nb::none();
    return nb::tuple(nb::cast(*needed.shape));
}

}  // namespace

void bind_requirements(nb::module_& module) {
    nb::class_<Requirements>(module, "Requirements",
                             "What an array must be for `import_buffer(require=)`; what is not given is not looked at.")
        .def(
            "__init__",
            [](Requirements* self, nb::object dtype, std::optional<std::int64_t> count, nb::object shape,
               bool contiguous, std::int64_t alignment, nb::object device, std::optional<std::int32_t> device_id,
               bool writable) {
                new (self)
                    Requirements(requirements(dtype, count, shape, contiguous, alignment, device, device_id, writable));
            },
            "dtype"_a = nb::none(), "count"_a = nb::none(), "shape"_a = nb::none(), "contiguous"_a = false,
            "alignment"_a = 0, "device"_a = nb::none(), "device_id"_a = nb::none(), "writable"_a = false,
            nb::sig("def __init__(self, dtype: object = None, count: int | None = None, shape: int | "
                    "collections.abc.Sequence[int] | None = None, contiguous: bool = False, alignment: int = 0, "
                    "device: str | int | None = None, device_id: int | None = None, writable: bool = False) -> None"),
            "dtype: a name, or what numpy.dtype takes. count: elements of all axes together. shape: elements along "
            "each axis.\ncontiguous: dense and row-major. alignment: bytes that divide the address. device: a kind "
            "('cuda'), a kind and a\nnumber ('cuda:1') or a DLPack device type. writable: of access 'read-write'.\n"
            "ValueError for what no array has, TypeError for what is none of these.")
        .def_prop_ro("dtype", &dtype_name_of)
        .def_ro("count", &Requirements::count)
        .def_prop_ro("shape", &shape_tuple, nb::sig("def shape(self) -> tuple[int, ...] | None"))
        .def_ro("contiguous", &Requirements::contiguous)
        .def_ro("alignment", &Requirements::alignment)
        .def_ro("device_type", &Requirements::device_type)
        .def_ro("device_id", &Requirements::device_id)
        .def_ro("writable", &Requirements::writable);
}

const Requirements* requirements_of(PyObject* object) {
    if (object == Py_None) return nullptr;
    const Requirements* found = nullptr;
    if (nb::try_cast(nb::handle(object), found) && found != nullptr) return found;
    throw ArgumentError(std::string("require is of type ") + Py_TYPE(object)->tp_name +
                        "; it needs an eagle.interop.Requirements or None");
}

}  // namespace eagle::python
