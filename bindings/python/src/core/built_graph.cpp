// BuiltGraph: replay, new arrays, new numbers.
#include <Gil.h>
#include <StringText.h>
#include <eagle/BuiltGraph.h>
#include <eagle/GraphPicture.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_argument.h"
#include "calls.h"
#include "device_argument.h"
#include "device_array.h"
#include "gil.h"
#include "graph.h"
#include "memory.h"
#include "module.h"
#include "numbers.h"
#include "options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

using graph::PlaneRef;

namespace {

struct HeldBuilt {
    HeldBuilt(std::shared_ptr<BuiltGraph> of, nb::handle description, bool always)
        : graph(std::move(of)),
          recording(nb::borrow(description)),
          results(nb::none()),
          stream(nb::cast<const HeldGraph&>(description).stream),
          gives_up_gil(always) {}
    HeldBuilt(const HeldBuilt&) = delete;
    HeldBuilt& operator=(const HeldBuilt&) = delete;
    ~HeldBuilt() {
        if (!nb::is_alive() || PyGILState_Check() == 0) return;
        wait_for(*graph);  // before its arrays go
    }

    std::shared_ptr<BuiltGraph> graph;  // arrays over its arena share it
    nb::object recording;
    nb::object results;            // what a replay gives back
    std::vector<HeldArray> bound;  // arrays that took the place of recorded ones
    std::uint64_t stream;          // of the library of its arrays; 0: none told
    // A host function waits for the GIL; a loop may run for long after it ran for a moment.
    bool gives_up_gil = false;
    bool is_watched = false;  // its loops end at Ctrl-C; its host functions are in C++ or there are none
    double seconds = -1;      // of a replay, by the last one; negative: not known
};

int visit_built(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const HeldBuilt& held = *nb::inst_ptr<HeldBuilt>(self);
    Py_VISIT(held.recording.ptr());
    Py_VISIT(held.results.ptr());
    for (const HeldArray& array : held.bound)
        if (const int found = visit_array(array, visit, arg)) return found;
    return 0;
}

int clear_built(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    HeldBuilt& held = *nb::inst_ptr<HeldBuilt>(self);
    wait_for(*held.graph);
    const nb::object results = std::exchange(held.results, nb::none());
    const auto bound = std::exchange(held.bound, {});
    return 0;
}

// A graph waits for its replays when it goes, and a host function in one of them wants the GIL.
void drop(BuiltGraph* graph) {
    if (!nb::is_alive() || PyGILState_Check() == 0) {
        delete graph;
        return;
    }
    const WithoutGil released;
    delete graph;
}

void make_built(HeldBuilt* self, nb::handle recording, nb::handle backend) {
    HeldGraph& held = nb::cast<HeldGraph&>(recording);
    const std::string kind = word(backend, "backend");
    const nb::ft_object_guard alone(recording);
    held.check_whole("another graph built of it");
    std::shared_ptr<BuiltGraph> built;
    held.description->finish();  // while the GIL is held: no other thread is inside a recording call
    {
        const WithoutGil released;  // the loader may ask Python for entry points, a driver for its threads
        built = std::shared_ptr<BuiltGraph>(new BuiltGraph(build(held.description, kind)), &drop);
    }
    held.built.push_back(built);
    // How long a loop runs is known when it has run.
    bool loops = false;
    for (const graph::Node& node : held.description->nodes()) loops |= std::holds_alternative<graph::While>(node.work);
    new (self) HeldBuilt(std::move(built), recording, held.calls_python || loops);
    self->is_watched = loops && !held.calls_python;
}

constexpr double between_signals = 25e-3;  // seconds

// Replays that fit between two looks for a signal.
std::int64_t replays_at_once(double seconds, std::int64_t left) {
    if (seconds < 0) return 1;
    const double fitting = between_signals / std::max(seconds, 1e-9);
    return fitting < static_cast<double>(left) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(fitting)) : left;
}

constexpr double worth_watching = 10e-3;  // seconds: a thread costs some 50 us

// All of them at once: Ctrl-C is looked for meanwhile.
void launch_watched(BuiltGraph& graph, std::int64_t times, LongCall& call) {
    try {
        graph.launch(times, [&call] { return call.poll(); });
    } catch (const Interrupted& stopped) {
        call.end();
        throw_interrupted(stopped);
    }
}

void replay(HeldBuilt& held, std::int64_t times, std::uint64_t stream) {
    const double expected = held.seconds * static_cast<double>(times);
    LongCall call(held.gives_up_gil || held.seconds < 0 ? -1 : expected);
    for (std::int64_t done = 0; done < times;) {
        const bool watches = held.is_watched && stream == 0 && !(held.seconds >= 0 && held.seconds < worth_watching);
        const bool all = watches || !call.may_be_long();
        const std::int64_t some = all ? times - done : replays_at_once(held.seconds, times - done);
        const auto begin = std::chrono::steady_clock::now();
        if (watches)
            launch_watched(*held.graph, some, call);
        else
            stream != 0 ? held.graph->launch_on(stream, some) : held.graph->launch(some);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        held.seconds = took.count() / static_cast<double>(some);
        done += some;
        if (!call.may_be_long() || !call.poll()) continue;
        call.end();
        throw nb::python_error();
    }
}

// The replay that a short graph takes: no clock, no optional.
PyObject* built_call(PyObject* self, PyObject* arguments, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (PyTuple_GET_SIZE(arguments) != 0 || (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0))
            throw ArgumentError(
                "a replay takes no arguments: give new arrays with bind(x=...), new numbers with update(a=...)");
        if (!nb::inst_ready(self)) throw BadHandle("this BuiltGraph was not built; it needs what Graph.build returns");
        HeldBuilt& held = *nb::inst_ptr<HeldBuilt>(self);
        const nb::ft_object_guard alone(self);
        replay(held, 1, held.stream);
        return Py_NewRef(held.results.ptr());
    });
}

PyType_Slot built_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_built)},
                             {Py_tp_clear, reinterpret_cast<void*>(&clear_built)},
                             {Py_tp_call, reinterpret_cast<void*>(&built_call)},
                             {0, nullptr}};

nb::object launch(nb::object self, nb::handle times, nb::handle stream) {
    HeldBuilt& held = nb::cast<HeldBuilt&>(self);
    replay(held, whole_number(times, "n", 1), stream.is_none() ? held.stream : raw_stream(stream.ptr(), "launch()"));
    return self;
}

void synchronize(HeldBuilt& held) {
    LongCall call(-1);
    held.graph->synchronize();
}

// Replays on a device may still use an array that another took the place of.
void retire(HeldBuilt& held, HeldArray array) {
    std::shared_ptr<void> old = owner_of(array.object.ptr(), std::move(array.hold));
    array.object.reset();
    const WithoutGil released;
    held.graph->keep_until_done(std::move(old));
}

// The array that stood under that name, if there was one.
std::optional<HeldArray> replace(HeldBuilt& held, HeldArray array) {
    const auto same = std::find_if(held.bound.begin(), held.bound.end(),
                                   [&](const HeldArray& old) { return old.name == array.name; });
    if (same != held.bound.end()) return std::exchange(*same, std::move(array));
    const nb::ft_object_guard alone(held.recording);
    auto recorded = nb::cast<HeldGraph&>(held.recording).give_up(array.name);
    held.bound.push_back(std::move(array));
    return recorded;
}

void bind_arrays(HeldBuilt& held, const nb::dict& given) {
    std::vector<HeldArray> arrays;
    std::vector<std::string> names;
    std::vector<ArrayView> views;
    StreamCode stream;
    for (const auto& [key, value] : given) {
        const auto& name = names.emplace_back(escaped_text(key.ptr()));
        Import in;
        const Subject subject{{}, name};
        if (!import_anywhere(value, subject, false, in, &stream))
            throw ArgumentError(subject.text() + " is " + shown(value) + "; bind() takes arrays, update() numbers");
        views.push_back(std::get<ArrayView>(in.value));
        arrays.push_back({name, nb::borrow(value), std::move(in.hold), false});
    }
    std::vector<Binding> bindings;
    for (std::size_t i = 0; i < names.size(); ++i) bindings.push_back({names[i], views[i], nullptr});
    {
        LongCall call(-1);
        held.graph->bind(bindings);
    }
    if (stream) held.stream = static_cast<std::uint64_t>(*stream);
    std::vector<HeldArray> old;
    for (HeldArray& array : arrays)
        if (auto before = replace(held, std::move(array))) old.push_back(std::move(*before));
    for (HeldArray& array : old) retire(held, std::move(array));
}

void update_numbers(HeldBuilt& held, const nb::dict& given) {
    for (const auto& [key, value] : given) {
        const std::string name = escaped_text(key.ptr());
        Import in;
        if (!import_number(value.ptr(), Subject{{}, name}, in.value))
            throw ArgumentError("number '" + name + "' " + found(value) + "; update() takes numbers, bind() arrays");
        if (const auto* whole = std::get_if<std::int64_t>(&in.value)) held.graph->update(name, *whole);
        if (const auto* real = std::get_if<double>(&in.value)) held.graph->update(name, *real);
    }
}

nb::list edges_of(const HeldBuilt& held) {
    const GraphDescription& description = held.graph->description();
    nb::list made;
    for (const graph::Edge& edge : held.graph->analysis().edges) {
        nb::list planes;
        for (const std::string& plane : planes_of(description, edge)) planes.append(plane);
        made.append(
            nb::make_tuple(description.nodes()[edge.from].name, description.nodes()[edge.to].name,
                           nb::str(graph::hazard_name(edge.hazard).data(), graph::hazard_name(edge.hazard).size()),
                           nb::tuple(planes)));
    }
    return made;
}

nb::dict report_dict(const HeldBuilt& held) {
    const ReplayReport report = held.graph->report();
    nb::dict made;
    made["launches"] = report.launches;
    made["repointed"] = report.repointed;
    made["updated"] = report.updated;
    made["captured"] = report.captured;
    made["last"] = report.last;
    made["text"] = report.text();
    return made;
}

nb::dict memory_dict(const HeldBuilt& held) {
    MemoryReport report = held.graph->memory_report();
    report.owners = held.bound.size() + nb::cast<const HeldGraph&>(held.recording).arrays.size();
    nb::dict made;
    made["arena"] = report.arena;
    made["without_sharing"] = report.without_sharing;
    made["planes"] = report.planes;
    made["owners"] = report.owners;
    made["text"] = report.text();
    return made;
}

// What keeps a plane's memory there: of scratch the graph, of the caller's plane its array.
std::shared_ptr<void> plane_owner(const HeldBuilt& held, const graph::Plane& plane) {
    if (plane.scratch) return held.graph;
    const std::string& root = held.graph->description().planes()[plane.root].name;
    nb::object owner;
    for (const HeldArray& array : nb::cast<const HeldGraph&>(held.recording).arrays)
        if (array.name == root) owner = array.object;
    for (const HeldArray& array : held.bound)
        if (array.name == root) owner = array.object;
    return std::make_shared<Callable>(std::move(owner));
}

// The plane where a replay leaves it, as an array that keeps its memory alive.
nb::object result_array(const HeldBuilt& held, PlaneRef plane) {
    const ArrayView view = held.graph->array(plane);
    std::shared_ptr<void> owner = plane_owner(held, held.graph->description().plane(plane));
    if (graph::Device{view.device_type, view.device_id}.host()) return to_numpy(view, std::move(owner));
    return to_python(Array::over(view, std::move(owner), held.graph->executor().backend()));
}

std::string picture(const HeldBuilt& held, nb::handle wanted) {
    const std::string form = text(wanted, "form", "text, dot, mermaid or svg");
    const GraphDescription& description = held.graph->description();
    const GraphAnalysis& analysis = held.graph->analysis();
    if (form == "text") return to_text(description, analysis);
    if (form == "dot") return to_dot(description, analysis);
    if (form == "mermaid") return to_mermaid(description, analysis);
    if (form == "svg") return to_svg(description, analysis);
    throw InvalidArgument("form is '" + form + "'; it must be text, dot, mermaid or svg");
}

}  // namespace

void bind_built_graph(nb::module_& module) {
    nb::class_<HeldBuilt>(module, "BuiltGraph", nb::type_slots(built_slots), "A graph that was lowered and replays.")
        .def("__init__", &make_built, "description"_a, "backend"_a.none() = nb::none())
        .def("launch", &launch, "n"_a.none() = 1, "stream"_a = nb::none(), nb::lock_self(),
             "Replays `n` times. On a device the work is enqueued: behind what the device's default stream holds, and "
             "in "
             "the order of `stream`, a raw handle or a stream of CuPy or torch; without one, of the stream that the "
             "library of the planes' arrays had when they were given.")
        .def("synchronize", &synchronize, nb::lock_self())
        .def("bind_arrays", &bind_arrays, "arrays"_a, nb::lock_self())
        .def("update_numbers", &update_numbers, "numbers"_a, nb::lock_self())
        .def(
            "set_enabled",
            [](HeldBuilt& held, nb::handle node, nb::handle enabled) {
                const std::string name = word(node, "node");
                const bool on = yes_or_no(enabled, "enabled");
                LongCall call(-1);
                held.graph->set_enabled(name, on);
            },
            "node"_a.none(), "enabled"_a.none(), nb::lock_self())
        .def("edges", &edges_of,
             "What waits for what: (from, to, why, planes), by the names of nodes; transitively reduced.")
        .def("picture", &picture, "form"_a.none(), nb::sig("def picture(self, form: str) -> str"),
             "The graph as \"text\", \"dot\", \"mermaid\" or \"svg\".")
        .def("report_facts", &report_dict, nb::lock_self())
        .def("memory_facts", &memory_dict, nb::lock_self())
        .def("array", &result_array, "plane"_a, nb::lock_self())
        .def_prop_ro("backend", [](const HeldBuilt& held) { return held.graph->executor().backend().kind(); })
        .def_prop_ro("description", [](const HeldBuilt& held) { return held.recording; })
        .def_prop_rw(
            "results", [](const HeldBuilt& held) { return held.results; },
            [](HeldBuilt& held, nb::object results) { held.results = std::move(results); },
            nb::for_setter("results"_a.none()), nb::lock_self());
}

}  // namespace eagle::python
