#include "array_argument.h"

#include <eagle/Error.h>

#include <string>

namespace nb = nanobind;

namespace eagle::python {

ArrayView array_argument(nb::handle object, const char* name, bool written, Import& in) {
    const Subject subject{{}, name};
    if (!import_array(object.ptr(), subject, written, in))
        throw ArgumentError(subject.text() + " is of type " + nb::type_name(object.type()).c_str() +
                            "; it needs an array: NumPy's, or anything with __dlpack__");
    const auto& view = std::get<ArrayView>(in.value);
    if (!in.on_host())
        throw BufferRefused(subject.text() + " is on DLPack device type " + std::to_string(view.device_type) +
                            ", number " + std::to_string(view.device_id) + "; it needs an array of the host");
    return view;
}

}  // namespace eagle::python
