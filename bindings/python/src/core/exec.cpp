// HostTeam, DeviceKernel and Partition.
#include "exec.h"

#include <Gil.h>
#include <eagle/Device.h>
#include <eagle/Error.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "device_argument.h"
#include "module.h"
#include "numbers.h"
#include "options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

constexpr const char* team_doc =
    "A team of CPU threads.\n\n"
    "`threads`: how many work on a launch, the calling thread included; None for as many as this process may use.";

constexpr const char* device_doc =
    "One device of a kind, for arrays that lie there.\n\n"
    "`kind`: \"cuda\", or \"gpu\" for the one GPU kind installed. `device`: its number. `stream`: in whose order work "
    "is "
    "put, a raw handle or a stream of CuPy or torch, which outlives what uses it; None for the current one of the "
    "arrays' library. The kind is loaded when a plan is made.";

constexpr const char* partition_doc =
    "Samples [base, base + count) of n_samples.\n\n"
    "ValueError names the field that is out of range.";

int team_threads(nb::handle threads) {
    if (threads.is_none()) return 0;
    return static_cast<int>(whole_number(threads, "threads", 1, 1 << 16));
}

std::string team_text(const HostTeam& team) {
    return team.threads == 0 ? "HostTeam(threads=None)" : "HostTeam(threads=" + std::to_string(team.threads) + ")";
}

std::string partition_text(const Partition& p) {
    return "Partition(base=" + std::to_string(p.base) + ", count=" + std::to_string(p.count) +
           ", n_samples=" + std::to_string(p.n_samples) + ")";
}

void bind_team(nb::module_& module) {
    nb::class_<HostTeam>(module, "HostTeam", team_doc)
        .def(
            "__init__", [](HostTeam* self, nb::handle threads) { new (self) HostTeam{team_threads(threads)}; },
            "threads"_a = nb::none(), nb::sig("def __init__(self, threads: int | None = None) -> None"))
        .def_prop_ro(
            "threads",
            [](const HostTeam& team) { return team.threads ? std::optional(team.threads) : std::optional<int>(); },
            nb::sig("def threads(self) -> int | None"), "The number of threads, or None for as many as there are.")
        .def("__eq__",
             [](const HostTeam& a, nb::handle b) {
                 return nb::isinstance<HostTeam>(b) && nb::cast<const HostTeam&>(b).threads == a.threads;
             })
        .def("__hash__", [](const HostTeam& team) { return team.threads; })
        .def("__reduce__",
             [](const HostTeam& team) {
                 nb::object threads = team.threads ? nb::object(nb::int_(team.threads)) : nb::none();
                 return nb::make_tuple(nb::type<HostTeam>(), nb::make_tuple(threads));
             })
        .def("__repr__", &team_text);
}

std::string device_text(const DeviceKernel& device) {
    return "DeviceKernel('" + device.kind + "', device=" + std::to_string(device.device) +
           (device.stream != 0 ? ", stream=" + std::to_string(device.stream) : "") + ")";
}

bool same_device(const DeviceKernel& a, nb::handle other) {
    if (!nb::isinstance<DeviceKernel>(other)) return false;
    const auto& b = nb::cast<const DeviceKernel&>(other);
    return a.kind == b.kind && a.device == b.device && a.stream == b.stream;
}

nb::tuple parts_of(const DeviceKernel& d) { return nb::make_tuple(d.kind, d.device, d.stream); }

// The structure that backend= names: a kind, or a kind and a number.
Structure structure_of_backend(nb::handle backend) {
    const std::string text = word(backend, "backend");
    const WithoutGil released;  // the loader may ask Python for entry points
    const Device device = Device::named(text);
    if (device.backend.host_only()) return HostTeam{};
    return DeviceKernel(device.backend.kind(), device.number);
}

void bind_device(nb::module_& module) {
    nb::class_<DeviceKernel>(module, "DeviceKernel", device_doc)
        .def(
            "__init__",
            [](DeviceKernel* self, nb::handle given, nb::handle device, nb::handle stream) {
                const std::string kind = text(given, "kind", "the name of a kind, such as 'cuda'");
                const auto number = static_cast<std::int32_t>(whole_number(device, "device", 0, 1'000'000));
                const std::uint64_t raw = raw_stream(stream.ptr(), "it");
                std::string named;
                {
                    const WithoutGil released;  // the loader may ask Python for entry points
                    named = named_kind(kind);
                }
                new (self) DeviceKernel(std::move(named), number, raw);
            },
            "kind"_a.none(), "device"_a.none() = 0, "stream"_a = nb::none(),
            nb::sig("def __init__(self, kind: str, device: int = 0, stream: object = None) -> None"))
        .def_ro("kind", &DeviceKernel::kind)
        .def_ro("device", &DeviceKernel::device, "Its number.")
        .def_ro("stream", &DeviceKernel::stream, "A raw handle; 0 where none was given.")
        .def("__eq__", &same_device)
        .def("__hash__", [](const DeviceKernel& d) { return nb::hash(parts_of(d)); })
        .def("__reduce__", [](const DeviceKernel& d) { return nb::make_tuple(nb::type<DeviceKernel>(), parts_of(d)); })
        .def("__repr__", &device_text);
    module.def("structure_of_backend", &structure_of_backend, "backend"_a,
               nb::sig("def structure_of_backend(backend: str) -> HostTeam | DeviceKernel"),
               "The structure that a text such as \"cuda:0\", \"gpu\" or \"cpu\" names; loads the backend.");
    module.def(
        "raw_stream", [](nb::handle stream, const std::string& who) { return raw_stream(stream.ptr(), who.c_str()); },
        "stream"_a.none(), "who"_a, nb::sig("def raw_stream(stream: object, who: str) -> int"),
        "The raw handle that a stream is, 0 for None.");
}

void bind_partition(nb::module_& module) {
    nb::class_<Partition>(module, "Partition", partition_doc)
        .def(
            "__init__",
            [](Partition* self, nb::handle base, nb::handle count, nb::handle n_samples) {
                Partition made{whole_number(base, "base"), whole_number(count, "count"),
                               whole_number(n_samples, "n_samples")};
                made.validate();
                new (self) Partition(made);
            },
            "base"_a.none(), "count"_a.none(), "n_samples"_a.none(),
            nb::sig("def __init__(self, base: int, count: int, n_samples: int) -> None"))
        .def_ro("base", &Partition::base, "First sample.")
        .def_ro("count", &Partition::count, "Number of samples.")
        .def_ro("n_samples", &Partition::n_samples, "Samples of the whole batch.")
        .def_static("whole", &Partition::whole, "n_samples"_a, "All of `n_samples` samples.")
        .def_static(
            "split", &Partition::split, "n_samples"_a, "parts"_a, "multiple"_a = 1,
            "`parts` neighbouring ranges that cover `n_samples`, boundaries at multiples of `multiple`; the last "
            "ones may be empty.")
        .def("__eq__",
             [](const Partition& a, nb::handle other) {
                 if (!nb::isinstance<Partition>(other)) return false;
                 const auto& b = nb::cast<const Partition&>(other);
                 return a.base == b.base && a.count == b.count && a.n_samples == b.n_samples;
             })
        .def("__hash__", [](const Partition& p) { return nb::hash(nb::make_tuple(p.base, p.count, p.n_samples)); })
        .def("__reduce__",
             [](const Partition& p) {
                 return nb::make_tuple(nb::type<Partition>(), nb::make_tuple(p.base, p.count, p.n_samples));
             })
        .def("__repr__", &partition_text);
}

}  // namespace

Structure structure_of(nb::handle structure, const char* needed) {
    if (structure.is_none()) return {};
    if (nb::isinstance<HostTeam>(structure)) return nb::cast<HostTeam>(structure);
    if (nb::isinstance<DeviceKernel>(structure)) return nb::cast<DeviceKernel>(structure);
    throw ArgumentError("structure " + found(structure) + "; it must be " + needed);
}

void bind_exec(nb::module_& module) {
    bind_team(module);
    bind_device(module);
    bind_partition(module);
}

}  // namespace eagle::python
