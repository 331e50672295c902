#include "new_array.h"

#include <eagle/Error.h>

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

Dtype dtype_named(nb::handle dtype) {
    const nb::object known = nb::module_::import_("numpy").attr("dtype")(dtype);
    const std::string name = nb::str(known.attr("name")).c_str();
    const std::optional<Dtype> found = dtype_from_name(name);
    if (found && nb::cast<bool>(known.attr("isnative"))) return *found;
    const nb::str given = nb::isinstance<nb::str>(dtype) ? nb::str(nb::repr(dtype)) : nb::str(known);
    throw InvalidArgument(std::string("dtype is ") + given.c_str() +
                          "; it must be float64, float32, int64, int32, uint32 or bool, in this machine's byte order");
}

}  // namespace eagle::python
