// pinned, and what a device says of itself.
#include <Gil.h>
#include <eagle/Device.h>
#include <eagle/DeviceProps.h>
#include <eagle/Pinned.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <vector>

#include "memory.h"
#include "module.h"
#include "new_array.h"
#include "numbers.h"
#include "options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

std::optional<std::string> kind_of(nb::handle backend) {
    if (backend.is_none()) return std::nullopt;
    return text(backend, "backend", "the name of a kind, such as 'cuda', or None");
}

// (array, kind): an empty kind is plain memory.
nb::tuple make_pinned(nb::handle shape, nb::handle dtype, nb::handle backend) {
    const std::vector<std::int64_t> extents = extents_of(shape);
    const Dtype type = dtype_named(dtype);
    const std::optional<std::string> kind = kind_of(backend);
    PinnedArray made;
    {
        const WithoutGil released;  // the loader may ask Python for entry points
        made = pinned(extents, type, kind);
    }
    return nb::make_tuple(to_numpy(made.array.view(), made.array.owner()), made.kind);
}

DeviceProps props_of(nb::handle backend, nb::handle device) {
    const std::optional<std::string> kind = kind_of(backend);
    const auto number = static_cast<std::int32_t>(whole_number(device, "device", 0, 1'000'000));
    const WithoutGil released;
    if (kind) return device_props(Device::of(*kind, number).backend, number);
    const std::optional<Backend> loaded = loaded_device_backend("device_props");
    return device_props(loaded ? *loaded : Backend::load(host_kind()), number);
}

}  // namespace

void bind_device_memory(nb::module_& module) {
    module.def("pinned", &make_pinned, "shape"_a.none(), "dtype"_a.none(), "backend"_a.none(),
               nb::sig("def pinned(shape: object, dtype: object, backend: str | None) -> tuple[typing.Any, str]"),
               "A NumPy array of page-locked memory, and the kind whose it is; \"\" is plain aligned memory.");
    nb::class_<DeviceProps>(module, "DeviceProps",
                            "What a device says of itself. Clocks in kHz, memory in bytes; a number that a kind has "
                            "not is 0.")
        .def_ro("kind", &DeviceProps::kind)
        .def_ro("device", &DeviceProps::device, "Its number.")
        .def_ro("name", &DeviceProps::name)
        .def_ro("cc_major", &DeviceProps::cc_major, "Compute capability.")
        .def_ro("cc_minor", &DeviceProps::cc_minor)
        .def_ro("sm_count", &DeviceProps::sm_count, "Multiprocessors, or the threads of a host.")
        .def_ro("clock_rate_khz", &DeviceProps::clock_rate_khz)
        .def_ro("memory_clock_rate_khz", &DeviceProps::memory_clock_rate_khz)
        .def_ro("memory_bus_width_bits", &DeviceProps::memory_bus_width_bits)
        .def_ro("regs_per_block", &DeviceProps::regs_per_block)
        .def_ro("regs_per_sm", &DeviceProps::regs_per_sm)
        .def_ro("warp_size", &DeviceProps::warp_size)
        .def_ro("shared_mem_per_block", &DeviceProps::shared_mem_per_block)
        .def_ro("shared_mem_per_sm", &DeviceProps::shared_mem_per_sm)
        .def_ro("peak_bytes_per_s", &DeviceProps::peak_bytes_per_s)
        .def_ro("peak_flops_sp", &DeviceProps::peak_flops_sp, "In single precision.")
        .def_ro("peak_flops_dp", &DeviceProps::peak_flops_dp, "In double precision.")
        .def_ro("fp64_ratio", &DeviceProps::fp64_ratio, "Of the peaks, double to single precision.")
        .def_ro("ridge_flops_per_byte_sp", &DeviceProps::ridge_flops_per_byte_sp)
        .def_ro("ridge_flops_per_byte_dp", &DeviceProps::ridge_flops_per_byte_dp)
        .def("__repr__", [](const DeviceProps& p) {
            return "<eagle.DeviceProps of " + p.kind + ":" + std::to_string(p.device) + ", " + p.name + ">";
        });
    module.def("device_props", &props_of, "backend"_a = nb::none(), "device"_a.none() = 0,
               nb::sig("def device_props(backend: str | None = None, device: int = 0) -> DeviceProps"),
               "What device `device` of a kind, or of \"gpu\", the one GPU kind installed, says of itself. Without "
               "`backend`: of the one device kind that is loaded, two are refused by name, and of the host where none "
               "is. BackendUnavailable for a kind that is not there or has no usable device, ValueError for a number "
               "that it has not.");
}

}  // namespace eagle::python
