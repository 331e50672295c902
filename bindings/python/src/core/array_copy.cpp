// copy: from one array into another, wherever they lie.
#include <Gil.h>
#include <eagle/Memory.h>
#include <nanobind/nanobind.h>

#include "array_argument.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

// Copies of more than this are waited for without the GIL.
constexpr std::int64_t worth_releasing_bytes = 1 << 20;

void copy_array(nb::handle source, nb::handle into) {
    Import from, to;
    const ArrayView read = array_argument(source, "source", false, from),
                    written = array_argument(into, "into", true, to);
    const bool on_host = read.device_type == 1 && written.device_type == 1;
    if (on_host && read.size() * (read.type.bits / 8) < worth_releasing_bytes) return copy(read, written);
    const WithoutGil released;
    copy(read, written);
}

}  // namespace

void bind_copy(nb::module_& module) {
    module.def("copy", &copy_array, "source"_a.none(), nb::kw_only(), "into"_a.none(),
               nb::sig("def copy(source: object, *, into: object) -> None"),
               "Copies the elements of `source` into `into`, of the same shape and dtype, in any direction between the "
               "host and a device. Between arrays of the host it is a plain copy, in which no backend takes part; to "
               "and from a device both are dense and row-major, and it goes behind the work put on the device before. "
               "Done when it returns; within a device, enqueued. LayoutError for another shape, an array that is not "
               "dense, or an `into` with elements that share memory; BufferRefused for another dtype, a read-only "
               "`into`, two devices, or memory that both share.");
}

}  // namespace eagle::python
