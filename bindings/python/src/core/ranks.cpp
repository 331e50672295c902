// RankPartition: the collective is the caller's, a function of Python.
#include "ranks.h"

#include <Gil.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "array_argument.h"
#include "exec.h"
#include "module.h"
#include "numbers.h"
#include "rank_call.h"
#include "rank_mpi.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

constexpr const char* doc =
    "One of several processes that run the same program on the same planes; eagle.exec.RankPartition over MPI.\n\n"
    "`allgatherv(in_place, [memoryview, counts, displacements, byte])`: a method of an MPI communicator. `messages`: "
    "`isend(bytes, rank, tag)`, `improbe(any_source, tag)`, `any_source` and `tag` of a communicator of eagle's own, "
    "by which a rank that waits hears of the others. They are written in C: no signal handler of Python runs, and "
    "raises, between a rank's decision to call them and the call.";

std::shared_ptr<const MpiAllgather> allgather_of(nb::handle method, nb::handle in_place, nb::handle byte) {
    return method.is_none() ? nullptr : std::make_shared<const MpiAllgather>(method, in_place, byte);
}

RankPartition::Allgather calling(const std::shared_ptr<const MpiAllgather>& collective) {
    if (!collective) return {};
    return [collective](void* whole, std::span<const std::int64_t> offsets) { (*collective)(whole, offsets); };
}

void make(HeldRanks* self, nb::handle rank, nb::handle size, nb::handle method, nb::handle in_place, nb::handle byte,
          nb::handle structure, bool gather, nb::handle messages) {
    structure_of(structure);
    const std::shared_ptr<const MpiAllgather> collective = allgather_of(method, in_place, byte);
    const std::shared_ptr<RankMessages> through =
        messages.is_none() ? nullptr : std::make_shared<MpiMessages>(messages, collective);
    new (self) HeldRanks{ranks_with_messages(static_cast<int>(whole_number(rank, "rank", 0, 1 << 30)),
                                             static_cast<int>(whole_number(size, "size", 1, 1 << 30)),
                                             calling(collective), through, gather),
                         nb::borrow(structure)};
}

void gather_all(const HeldRanks& self, const nb::args& planes) {
    PyObject* const done = guarded_together(self.ranks, [&]() -> PyObject* {
        std::vector<Import> in(planes.size());
        std::vector<ArrayView> views;
        for (std::size_t i = 0; i < planes.size(); ++i)
            views.push_back(array_argument(planes[i], ("plane " + std::to_string(i)).c_str(), true, in[i]));
        const WithoutGil released;
        meet_ranks(self.ranks, "allgather of " + std::to_string(views.size()) + " planes");
        for (const ArrayView& view : views) self.ranks.allgather(view);
        return Py_None;
    });
    if (done == nullptr) throw nb::python_error();
}

}  // namespace

void bind_ranks(nb::module_& module) {
    module.def("require_communicator", &require_communicator, "comm"_a.none(),
               nb::sig("def require_communicator(comm: object) -> None"),
               "Raises BadHandle for a null communicator of mpi4py.");
    nb::class_<HeldRanks>(module, "RankPartition", doc)
        .def("__init__", &make, "rank"_a, "size"_a, "allgatherv"_a.none(), "in_place"_a.none(), "byte"_a.none(),
             nb::kw_only(), "structure"_a = nb::none(), "gather"_a = true, "messages"_a = nb::none(),
             nb::sig(
                 "def __init__(self, rank: int, size: int, allgatherv: typing.Callable[..., object] | None, in_place: "
                 "object, byte: object, *, structure: HostTeam | DeviceKernel | None = None, gather: bool = True, "
                 "messages: "
                 "tuple[typing.Callable[..., object], typing.Callable[..., object], int, int] | None = None) -> None"))
        .def_prop_ro(
            "rank", [](const HeldRanks& r) { return r.ranks.rank(); }, "This process, counted from 0.")
        .def_prop_ro(
            "size", [](const HeldRanks& r) { return r.ranks.size(); }, "How many processes there are.")
        .def_prop_ro(
            "gather", [](const HeldRanks& r) { return r.ranks.gathers(); },
            "Whether a launch ends with every written plane whole on every rank.")
        .def_prop_ro(
            "structure", [](const HeldRanks& r) { return r.structure; },
            nb::sig("def structure(self) -> HostTeam | DeviceKernel | None"), "What a rank runs its part on.")
        .def(
            "partition",
            [](const HeldRanks& r, nb::handle n_samples) {
                return r.ranks.part(whole_number(n_samples, "n_samples", 0, INT64_MAX));
            },
            "n_samples"_a, nb::sig("def partition(self, n_samples: int) -> Partition"),
            "The samples that are this rank's, of so many.")
        .def("allgather", &gather_all, "planes"_a, nb::sig("def allgather(self, *planes: object) -> None"),
             "Makes planes whole on every rank, of which each rank has its own samples: along the last axis, or the "
             "first of what `eagle.samples_first` gives. Collective. BufferRefused for one that is read-only.")
        .def("__repr__", [](const HeldRanks& r) {
            return "<RankPartition " + std::to_string(r.ranks.rank()) + " of " + std::to_string(r.ranks.size()) + ">";
        });
}

}  // namespace eagle::python
