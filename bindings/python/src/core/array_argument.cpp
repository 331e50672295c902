#include "array_argument.h"

#include <eagle/Error.h>

#include <string>

#include "device_array.h"

namespace nb = nanobind;

namespace eagle::python {

ArrayView array_argument(nb::handle object, const char* name, bool written, Import& in) {
    if (nb::isinstance<DeviceArray>(object)) {
        in.value = nb::cast<const DeviceArray&>(object).array.view();
        return std::get<ArrayView>(in.value);
    }
    const Subject subject{{}, name};
    if (!import_array(object.ptr(), subject, written, in))
        throw ArgumentError(subject.text() + " is of type " + nb::type_name(object.type()).c_str() +
                            "; it needs an array: NumPy's, or anything with __dlpack__");
    const auto& view = std::get<ArrayView>(in.value);
    if (!in.on_host())
        throw BufferRefused(subject.text() + " is on DLPack device type " + std::to_string(view.device_type) +
                            ", number " + std::to_string(view.device_id) +
                            "; it needs an array of the host, or one that eagle.empty made");
    return view;
}

}  // namespace eagle::python
