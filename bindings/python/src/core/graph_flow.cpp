// GraphDescription: control flow. A scope is open from its making to end().
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "graph.h"
#include "module.h"
#include "numbers.h"
#include "options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

using graph::CellRef;
using graph::PlaneRef;

namespace {

CellRef cell_of(const HeldGraph& self, const std::optional<PlaneRef>& plane, nb::handle where) {
    return plane ? self.description->as_cell(*plane, line_of(where)) : CellRef{};
}

graph::IfNode add_if(HeldGraph& self, PlaneRef cell, std::optional<PlaneRef> baseline, nb::handle negate,
                     nb::handle name, nb::handle where) {
    graph::IfOptions options{cell_of(self, baseline, where), yes_or_no(negate, "negate"), word(name, "name")};
    return self.description->if_(cell_of(self, cell, where), options, line_of(where));
}

constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();

std::optional<std::uint32_t> cap_of(nb::handle cap, const char* name) {
    if (cap.is_none()) return std::nullopt;
    return static_cast<std::uint32_t>(whole_number(cap, name, 1, most));
}

// A loop without a cell only counts.
graph::LoopScope add_loop(HeldGraph& self, std::optional<PlaneRef> cell, nb::handle cap, std::optional<PlaneRef> limit,
                          std::optional<PlaneRef> stop, std::optional<PlaneRef> baseline, nb::handle negate,
                          nb::handle name, nb::handle where) {
    graph::WhileOptions options{cap_of(cap, cell ? "cap" : "count"), cell_of(self, limit, where),
                                cell_of(self, stop, where),          cell_of(self, baseline, where),
                                yes_or_no(negate, "negate"),         word(name, "name")};
    if (cell) return self.description->while_(cell_of(self, cell, where), options, line_of(where));
    return self.description->repeat(options, line_of(where));
}

graph::SwitchNode add_switch(HeldGraph& self, PlaneRef cell, nb::handle arms, nb::handle name, nb::handle where) {
    const auto count = static_cast<std::uint32_t>(whole_number(arms, "arms", 0, most));
    return self.description->switch_(cell_of(self, cell, where), count, word(name, "name"), line_of(where));
}

void bind_scopes(nb::module_& module) {
    nb::class_<graph::Scope>(module, "Scope", "An open body or branch.")
        .def("end", [](graph::Scope& self) { self.end(); })
        .def("abandon", [](graph::Scope& self) { self.abandon(); });
    nb::class_<graph::LoopScope, graph::Scope>(module, "LoopScope", "The open body of a loop.")
        .def_prop_ro("node", &graph::LoopScope::node)
        .def_prop_ro("iteration", [](const graph::LoopScope& self) { return self.iteration().plane; });
    nb::class_<graph::IfNode>(module, "IfNode")
        .def_prop_ro("node", &graph::IfNode::node)
        .def(
            "then", [](graph::IfNode& self, nb::handle where) { return self.then(line_of(where)); },
            "where"_a = nb::none())
        .def(
            "otherwise", [](graph::IfNode& self, nb::handle where) { return self.otherwise(line_of(where)); },
            "where"_a = nb::none());
    nb::class_<graph::SwitchNode>(module, "SwitchNode")
        .def_prop_ro("node", &graph::SwitchNode::node)
        .def(
            "arm",
            [](graph::SwitchNode& self, nb::handle number, nb::handle where) {
                return self.arm(static_cast<std::uint32_t>(whole_number(number, "the number of an arm", 0, most)),
                                line_of(where));
            },
            "number"_a.none(), "where"_a = nb::none());
    nb::class_<graph::Fork>(module, "Fork")
        .def(
            "branch",
            [](graph::Fork& self, nb::handle name, nb::handle where) {
                return self.branch(word(name, "name"), line_of(where));
            },
            "name"_a.none() = "", "where"_a = nb::none());
}

}  // namespace

void bind_flow(nb::module_& module, nb::class_<HeldGraph>& type) {
    bind_scopes(module);
    type.def("if_", &add_if, "cell"_a, "baseline"_a = nb::none(), "negate"_a.none() = false, "name"_a.none() = "",
             "where"_a = nb::none(), nb::lock_self())
        .def("loop", &add_loop, "cell"_a = nb::none(), "cap"_a = nb::none(), "limit"_a = nb::none(),
             "stop"_a = nb::none(), "baseline"_a = nb::none(), "negate"_a.none() = false, "name"_a.none() = "",
             "where"_a = nb::none(), nb::lock_self())
        .def("switch_", &add_switch, "cell"_a, "arms"_a.none(), "name"_a.none() = "", "where"_a = nb::none(),
             nb::lock_self())
        .def(
            "fork",
            [](HeldGraph& self, nb::handle name, nb::handle where) {
                return self.description->fork(word(name, "name"), line_of(where));
            },
            "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self());
}

}  // namespace eagle::python
