#include "new_array.h"

#include <Reference.h>
#include <StringText.h>
#include <eagle/Error.h>
#include <eagle/marshal/NameText.h>

#include <optional>
#include <string>

#include "numbers.h"
#include "options.h"

namespace nb = nanobind;

namespace eagle::python {

std::vector<std::int64_t> extents_of(nb::handle shape) {
    if (!nb::isinstance<nb::sequence>(shape)) {
        if (PyFloat_Check(shape.ptr()) || PyIndex_Check(shape.ptr())) return {whole_number(shape, "shape", 0)};
        throw ArgumentError("shape " + found(shape) +
                            "; it must be a whole number of at least 0, or a sequence of them");
    }
    std::vector<std::int64_t> made;
    for (const nb::handle extent : nb::borrow<nb::sequence>(shape))
        made.push_back(whole_number(extent, "an extent of shape", 0));
    return made;
}

namespace {

constexpr const char* needed_dtype =
    "; it must be float64, float32, int64, int32, uint32 or bool, in this machine's byte order";

// What NumPy makes of it; none where it makes nothing.
nb::object numpy_dtype(nb::handle dtype) {
    const nb::object make = nb::module_::import_("numpy").attr("dtype");
    PyObject* made = PyObject_CallOneArg(make.ptr(), dtype.ptr());
    if (made == nullptr) clear_exception();
    return nb::steal(made);
}

[[noreturn]] void refuse_unknown(nb::handle dtype) {
    const std::string text = "dtype is " + shown(dtype) + ", which NumPy does not take for one" + needed_dtype;
    if (!PyUnicode_Check(dtype.ptr())) throw ArgumentError(text);
    const std::string names[] = {"float64", "float32", "int64", "int32", "uint32", "bool"};
    throw ArgumentError(text + marshal::nearest_text(escaped_text(dtype.ptr()), names));
}

}  // namespace

Dtype dtype_named(nb::handle dtype) {
    const nb::object known = numpy_dtype(dtype);
    if (!known.is_valid()) refuse_unknown(dtype);
    const std::string name = nb::str(known.attr("name")).c_str();
    const std::optional<Dtype> found = dtype_from_name(name);
    if (found && nb::cast<bool>(known.attr("isnative"))) return *found;
    const std::string given = nb::isinstance<nb::str>(dtype) ? shown(dtype) : nb::str(known).c_str();
    throw InvalidArgument("dtype is " + given + needed_dtype);
}

}  // namespace eagle::python
