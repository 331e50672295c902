// GraphDescription: recording planes and nodes.
#include "graph.h"

#include <Gil.h>
#include <StringText.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_argument.h"
#include "module.h"
#include "new_array.h"
#include "numbers.h"
#include "options.h"
#include "plan.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

using graph::CellRef;
using graph::NodeRef;
using graph::PlaneRef;
using graph::SourceLine;

Callable::~Callable() {
    if (!function_.is_valid()) return;
    if (!nb::is_alive()) {
        (void)function_.release();  // the interpreter is gone, and its objects with it
        return;
    }
    const WithGil held;
    function_.reset();
}

SourceLine line_of(nb::handle where) {
    if (where.is_none()) return {};
    return {escaped_text(where[0].ptr()), nb::cast<std::uint32_t>(where[1])};
}

void wait_for(BuiltGraph& graph) noexcept {
    const nb::error_scope kept;  // of whoever lets go of it
    std::optional<nb::python_error> raised;
    {
        const WithoutGil released;
        try {
            graph.synchronize();
        } catch (nb::python_error& error) {
            raised.emplace(std::move(error));
        } catch (...) {  // nobody is left to be told
        }
    }
    if (raised) raised->discard_as_unraisable("a host function of an eagle.BuiltGraph that nobody synchronized");
}

void HeldGraph::wait() noexcept {
    for (const std::weak_ptr<BuiltGraph>& made : built) {
        const std::shared_ptr<BuiltGraph> graph = made.lock();
        if (graph && !graph->executor().backend().host_only()) wait_for(*graph);
    }
}

std::optional<HeldArray> HeldGraph::give_up(const std::string& plane) {
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const HeldArray& array) { return array.name == plane; });
    if (found == arrays.end() || is_child || built.size() > 1) return std::nullopt;
    std::optional<HeldArray> array(std::move(*found));
    arrays.erase(found);
    given_up = plane;
    return array;
}

void HeldGraph::check_whole(const char* use) const {
    if (!given_up.empty())
        throw InvalidArgument("graph '" + description->name() + "' was given another array for '" + given_up +
                              "' by bind(), and " + use +
                              " has the arrays that the graph was recorded with; build it anew with the array that is "
                              "meant");
}

namespace {

// A function, an array, or a graph that has one, may well refer to the graph itself.
int visit_graph(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const HeldGraph& held = *nb::inst_ptr<HeldGraph>(self);
    for (const auto& callable : held.callables) Py_VISIT(callable->function().ptr());
    for (const nb::object& child : held.children) Py_VISIT(child.ptr());
    for (const HeldArray& array : held.arrays)
        if (const int found = visit_array(array, visit, arg)) return found;
    return 0;
}

int clear_graph(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    HeldGraph& held = *nb::inst_ptr<HeldGraph>(self);
    held.wait();
    for (const auto& callable : held.callables) callable->clear();
    const auto children = std::exchange(held.children, {});
    const auto arrays = std::exchange(held.arrays, {});
    return 0;
}

PyType_Slot graph_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_graph)},
                             {Py_tp_clear, reinterpret_cast<void*>(&clear_graph)},
                             {0, nullptr}};

void make_graph(HeldGraph* self, std::string name, nb::handle where) {
    new (self) HeldGraph(std::make_shared<GraphDescription>(std::move(name), line_of(where)));
}

PlaneRef add_plane(HeldGraph& self, nb::handle given, nb::handle array, nb::handle where) {
    const std::string name = word(given, "name");
    Import in;
    StreamCode stream;
    const Subject subject{{}, name};
    // Whether it is written comes out later; then a read-only array is refused naming the node.
    if (!import_anywhere(array, subject, false, in, &stream))
        throw ArgumentError(subject.text() + " " + found(array) +
                            "; it must be an array, as numpy.asarray makes of a list");
    const PlaneRef made = self.description->plane(name, std::get<ArrayView>(in.value), line_of(where));
    self.arrays.push_back({name, nb::borrow(array), std::move(in.hold), false});
    if (stream) self.stream = static_cast<std::uint64_t>(*stream);
    return made;
}

PlaneRef add_scratch(HeldGraph& self, nb::handle name, nb::handle shape, nb::handle dtype, nb::handle where) {
    const std::vector<std::int64_t> extents = extents_of(shape);
    return self.description->scratch(word(name, "name"), extents, ElementType::of(dtype_named(dtype)), line_of(where));
}

graph::Number number_of(nb::handle value, const std::string& name) {
    graph::Number number;
    number.updatable_as = name;
    Import in;
    if (!import_number(value.ptr(), Subject{{}, name}, in.value))
        throw ArgumentError("a number is " + shown(value) + "; it must be an int or a float");
    if (const auto* whole = std::get_if<std::int64_t>(&in.value)) number.value = *whole;
    if (const auto* real = std::get_if<double>(&in.value)) number.value = *real;
    return number;
}

// Planes, numbers, and (number, name) for those that are given anew between replays.
graph::NamedArguments arguments_of(const nb::dict& given) {
    graph::NamedArguments made;
    for (const auto& [key, value] : given) {
        const std::string name = escaped_text(key.ptr());
        if (nb::isinstance<PlaneRef>(value)) {
            made.emplace_back(name, nb::cast<PlaneRef>(value));
        } else if (PyTuple_Check(value.ptr())) {
            made.emplace_back(name, number_of(value[0], nb::cast<std::string>(value[1])));
        } else {
            made.emplace_back(name, number_of(value, {}));
        }
    }
    return made;
}

nb::tuple add_call(HeldGraph& self, const HeldPlan& plan, const nb::dict& arguments, nb::handle name,
                   nb::handle where) {
    const graph::Call made =
        self.description->call(plan.plan, arguments_of(arguments), word(name, "name"), line_of(where));
    nb::dict outputs;
    for (const auto& [parameter, plane] : made.outputs) outputs[parameter.c_str()] = plane;
    return nb::make_tuple(made.node, outputs);
}

NodeRef add_fill(HeldGraph& self, PlaneRef plane, nb::handle value, nb::handle name, nb::handle where) {
    const graph::Number number = number_of(value, {});
    return std::visit([&](auto n) { return self.description->fill(plane, n, word(name, "name"), line_of(where)); },
                      number.value);
}

NodeRef add_host(HeldGraph& self, nb::object function, std::vector<PlaneRef> reads, std::vector<PlaneRef> writes,
                 nb::handle name, nb::handle where) {
    auto call = std::make_shared<Callable>(std::move(function));
    const NodeRef made = self.description->host([call] { call->call(); }, std::move(reads), std::move(writes),
                                                word(name, "name"), line_of(where));
    self.callables.push_back(std::move(call));
    self.calls_python = true;
    return made;
}

NodeRef add_opaque(HeldGraph& self, nb::object function, std::vector<PlaneRef> reads, std::vector<PlaneRef> writes,
                   nb::handle name, nb::handle where) {
    auto call = std::make_shared<Callable>(std::move(function));
    const NodeRef made =
        self.description->opaque([call](std::uint64_t stream) { call->call(stream); }, std::move(reads),
                                 std::move(writes), word(name, "name"), line_of(where));
    self.callables.push_back(std::move(call));
    self.calls_python = true;
    return made;
}

graph::Fold fold_of(nb::handle fold_name) {
    const std::string name = word(fold_name, "fold");
    for (graph::Fold fold : {graph::Fold::sum, graph::Fold::max, graph::Fold::min, graph::Fold::all})
        if (graph::fold_name(fold) == name) return fold;
    throw InvalidArgument("fold is '" + name + "'; it must be sum, max, min or all");
}

NodeRef add_child(HeldGraph& self, nb::object child, nb::handle name, nb::handle where) {
    HeldGraph& inner = nb::cast<HeldGraph&>(child);
    inner.check_whole("a child");
    const NodeRef made = self.description->child(inner.description, word(name, "name"), line_of(where));
    inner.is_child = true;
    self.calls_python |= inner.calls_python;
    self.children.push_back(std::move(child));
    return made;
}

nb::object or_none(bool there, nb::object value) { return there ? std::move(value) : nb::none(); }

// What the Python side shows of a plane: name, shape, dtype, device, kind of plane.
nb::dict plane_dict(const graph::Plane& plane) {
    nb::list shape, strides;
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        shape.append(plane.shape[static_cast<std::size_t>(i)]);
        strides.append(plane.strides[static_cast<std::size_t>(i)]);
    }
    nb::dict made;
    made["name"] = plane.name;
    made["shape"] = nb::tuple(shape);
    made["strides"] = nb::tuple(strides);
    made["dtype"] = element_type_name(plane.type);
    made["device"] = plane.device.text();
    made["scratch"] = plane.scratch;
    made["cell"] = plane.cell;
    made["itemsize"] = plane.item_bytes();
    return made;
}

nb::dict node_dict(const GraphDescription& description, const graph::Node& node) {
    nb::dict made;
    nb::list reads, writes, bodies;
    for (const graph::Access& access : node.accesses) {
        const std::string& name = description.planes()[access.plane].name;
        if (graph::reads(access.mode)) reads.append(name);
        if (graph::writes(access.mode)) writes.append(name);
    }
    for (const std::uint32_t body : node.bodies()) bodies.append(description.bodies()[body].label);
    made["name"] = node.name;
    made["kind"] = std::string(node.kind());
    made["where"] = node.where.text();
    made["body"] = description.bodies()[node.body].label;
    made["inside"] = or_none(
        node.body != 0,
        nb::cast(node.body != 0 ? description.nodes()[description.bodies()[node.body].owner].name : std::string()));
    made["reads"] = reads;
    made["writes"] = writes;
    made["bodies"] = bodies;
    return made;
}

void bind_references(nb::module_& module) {
    nb::class_<PlaneRef>(module, "PlaneRef", "Names a plane of one description.")
        .def("__eq__", [](PlaneRef a, PlaneRef b) { return a == b; })
        .def("__hash__", [](PlaneRef a) { return a.description * 1000003 + a.index; });
    nb::class_<NodeRef>(module, "NodeRef", "Names a node of one description.")
        .def_ro("index", &NodeRef::index)
        .def("__eq__", [](NodeRef a, NodeRef b) { return a == b; })
        .def("__hash__", [](NodeRef a) { return a.description * 1000003 + a.index; });
}

void bind_recording(nb::class_<HeldGraph>& type) {
    type.def("__init__", &make_graph, "name"_a, "where"_a = nb::none())
        .def("plane", &add_plane, "name"_a.none(), "array"_a, "where"_a = nb::none(), nb::lock_self())
        .def("scratch", &add_scratch, "name"_a.none(), "shape"_a.none(), "dtype"_a.none(), "where"_a = nb::none(),
             nb::lock_self())
        .def(
            "view",
            [](HeldGraph& self, std::string name, PlaneRef of, std::int64_t offset,
               const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides, nb::handle where) {
                return self.description->view(std::move(name), of, offset, shape, strides, line_of(where));
            },
            "name"_a, "of"_a, "offset"_a, "shape"_a, "strides"_a, "where"_a = nb::none(), nb::lock_self())
        .def(
            "cell",
            [](HeldGraph& self, std::string name, PlaneRef of, std::int64_t index, nb::handle where) {
                return self.description->cell(std::move(name), of, index, line_of(where)).plane;
            },
            "name"_a, "of"_a, "index"_a, "where"_a = nb::none(), nb::lock_self())
        .def(
            "widen",
            [](HeldGraph& self, PlaneRef cell, nb::handle name, nb::handle where) {
                const SourceLine line = line_of(where);
                return self.description->widen(self.description->as_cell(cell, line), word(name, "name"), line);
            },
            "cell"_a, "name"_a.none(), "where"_a = nb::none(), nb::lock_self())
        .def(
            "keep",
            [](HeldGraph& self, PlaneRef plane, nb::handle where) { self.description->keep(plane, line_of(where)); },
            "plane"_a, "where"_a = nb::none(), nb::lock_self())
        .def("call", &add_call, "plan"_a, "arguments"_a, "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self())
        .def(
            "copy",
            [](HeldGraph& self, PlaneRef to, PlaneRef from, nb::handle name, nb::handle where) {
                return self.description->copy(to, from, word(name, "name"), line_of(where));
            },
            "to"_a, "source"_a, "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self())
        .def("fill", &add_fill, "plane"_a, "value"_a, "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self())
        .def(
            "free_name",
            [](const HeldGraph& self, const std::string& work) { return self.description->free_name(work); }, "work"_a,
            nb::lock_self())
        .def("host", &add_host, "function"_a, "reads"_a, "writes"_a, "name"_a.none() = "", "where"_a = nb::none(),
             nb::lock_self())
        .def("opaque", &add_opaque, "function"_a, "reads"_a, "writes"_a, "name"_a.none() = "", "where"_a = nb::none(),
             nb::lock_self())
        .def(
            "reduce",
            [](HeldGraph& self, nb::handle fold, PlaneRef from, PlaneRef into, nb::handle name, nb::handle where) {
                return self.description->reduce(fold_of(fold), from, into, word(name, "name"), line_of(where));
            },
            "fold"_a.none(), "source"_a, "into"_a, "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self())
        .def(
            "compact",
            [](HeldGraph& self, PlaneRef mask, PlaneRef map, PlaneRef count, nb::handle drop, nb::handle name,
               nb::handle where) {
                const SourceLine line = line_of(where);
                return self.description->compact(mask, map, self.description->as_cell(count, line),
                                                 yes_or_no(drop, "drop"), word(name, "name"), line);
            },
            "mask"_a, "map"_a, "count"_a, "drop"_a.none() = false, "name"_a.none() = "", "where"_a = nb::none(),
            nb::lock_self())
        .def("child", &add_child, "graph"_a, "name"_a.none() = "", "where"_a = nb::none(), nb::lock_self());
}

void bind_facts(nb::class_<HeldGraph>& type) {
    type.def_prop_ro(
            "name", [](const HeldGraph& self) { return self.description->name(); }, nb::lock_self())
        .def(
            "plane_facts",
            [](const HeldGraph& self, PlaneRef plane) { return plane_dict(self.description->plane(plane)); },
            nb::lock_self())
        .def(
            "node_name", [](const HeldGraph& self, NodeRef node) { return self.description->node(node).name; },
            nb::lock_self())
        .def(
            "nodes",
            [](const HeldGraph& self) {
                nb::list made;
                for (const graph::Node& node : self.description->nodes())
                    made.append(node_dict(*self.description, node));
                return made;
            },
            nb::lock_self())
        .def(
            "abandon",
            [](HeldGraph& self, const std::string& part, nb::handle where) {
                self.description->abandon(part, line_of(where));
            },
            "part"_a, "where"_a = nb::none(), nb::lock_self())
        .def("check_complete", [](const HeldGraph& self) { self.description->check_complete(); }, nb::lock_self());
}

}  // namespace

void bind_graph(nb::module_& module) {
    bind_references(module);
    nb::class_<HeldGraph> type(module, "GraphDescription", nb::type_slots(graph_slots),
                               "A graph as data: planes, nodes, nested bodies. It runs nothing.");
    bind_recording(type);
    bind_facts(type);
    bind_flow(module, type);
}

}  // namespace eagle::python
