#include "array_argument.h"

#include <Gil.h>
#include <eagle/Error.h>

#include <string>

#include "device_argument.h"
#include "device_array.h"

namespace nb = nanobind;

namespace eagle::python {

bool import_anywhere(nb::handle object, const Subject& subject, bool written, Import& in, StreamCode* stream) {
    if (const DeviceArray* array = device_array(object)) {
        in.value = array->array.view();
        return true;
    }
    if (!import_array(object.ptr(), subject, written, in)) return false;
    if (in.on_host()) return true;
    const StreamCode library = import_memory(object.ptr(), subject, written, in);
    if (stream != nullptr) *stream = library;
    if (!library || *library == 0) return true;  // it is the default stream's already
    const auto& view = std::get<ArrayView>(in.value);
    const WithoutGil released;
    order_streams(view.device_type, view.device_id, library, std::nullopt);
    return true;
}

ArrayView array_argument(nb::handle object, const char* name, bool written, Import& in) {
    const Subject subject{{}, name};
    if (!import_anywhere(object, subject, written, in))
        throw ArgumentError(subject.text() + " is of type " + nb::type_name(object.type()).c_str() +
                            "; it needs an array: NumPy's, or anything with __dlpack__");
    return std::get<ArrayView>(in.value);
}

}  // namespace eagle::python
