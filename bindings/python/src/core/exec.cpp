// HostTeam and Partition.
#include "exec.h"

#include <eagle/Error.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "module.h"
#include "numbers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

constexpr const char* team_doc =
    "A team of CPU threads.\n\n"
    "`threads`: how many work on a launch, the calling thread included; None for as many as this process may use.";

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
            "base"_a, "count"_a, "n_samples"_a,
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

HostTeam team_of(nb::handle structure) {
    if (structure.is_none()) return {};
    if (nb::isinstance<HostTeam>(structure)) return nb::cast<HostTeam>(structure);
    throw ArgumentError(std::string("structure is ") + nb::repr(structure).c_str() + " (" +
                        nb::type_name(structure.type()).c_str() + "); it must be an eagle.exec.HostTeam");
}

void bind_exec(nb::module_& module) {
    bind_team(module);
    bind_partition(module);
}

}  // namespace eagle::python
