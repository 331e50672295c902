// Simulation: a model with its arguments prepared, run until each sample finishes.
#include "simulation.h"

#include <StringText.h>
#include <eagle/Simulate.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "arguments.h"
#include "artifact.h"
#include "callbacks.h"
#include "calls.h"
#include "device_array.h"
#include "exec.h"
#include "gil.h"
#include "memory.h"
#include "module.h"
#include "numbers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

// The Python functions that a run calls.
struct Callbacks : CallingBack {
    nb::object until, progress;

    bool ask_until() {
        bool stop = true;
        call([&] { stop = nb::cast<bool>(nb::bool_(until())); });
        return stop;
    }
    void show(const Progress& at) {
        call([&] { progress(at); });
    }
};

struct HeldSimulation {
    // Without the GIL: a driver waits for its device before it frees page-locked memory, and that may be for a host
    // function which wants the GIL.
    ~HeldSimulation() {
        if (!on_device || !nb::is_alive() || PyGILState_Check() == 0) return;
        const WithoutGil released;
        simulation.reset();
    }

    std::unique_ptr<Callbacks> callbacks;
    std::vector<HeldArray> arrays;
    std::unique_ptr<Simulation> simulation;
    bool on_device = false;
    double last_seconds = -1;
};

// Callbacks and arrays may well refer to the simulation that they belong to.
int visit_held(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const HeldSimulation& held = *nb::inst_ptr<HeldSimulation>(self);
    Py_VISIT(held.callbacks->until.ptr());
    Py_VISIT(held.callbacks->progress.ptr());
    for (const HeldArray& array : held.arrays)
        if (const int found = visit_array(array, visit, arg)) return found;
    return 0;
}

int clear_held(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    HeldSimulation& held = *nb::inst_ptr<HeldSimulation>(self);
    {
        const WithoutGil released;  // work of a device is waited for
        held.simulation.reset();
    }
    held.callbacks->until.reset();
    held.callbacks->progress.reset();
    const auto arrays = std::exchange(held.arrays, {});
    return 0;
}

PyType_Slot simulation_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_held)},
                                  {Py_tp_clear, reinterpret_cast<void*>(&clear_held)},
                                  {0, nullptr}};

std::vector<Kernel> kernels_of(const nb::list& model) {
    std::vector<Kernel> kernels;
    for (const nb::handle item : model) kernels.push_back(nb::cast<const HeldKernel&>(item).kernel);
    return kernels;
}

SimulateOptions options_of(const nb::dict& given, Callbacks& callbacks) {
    SimulateOptions options;
    options.max_steps = whole_number(given["max_steps"], "max_steps", 1);
    const Structure structure = structure_of(given["structure"]);
    if (const auto* team = std::get_if<HostTeam>(&structure)) {
        options.team = *team;
        options.on_team_alone = true;
    } else if (const auto* device = std::get_if<DeviceKernel>(&structure)) {
        options.device = *device;
    }
    if (nb::object every = given["every"]; !every.is_none()) options.every = whole_number(every, "every", 1);
    if (nb::object limit = given["timeout"]; !limit.is_none())
        options.timeout = std::chrono::duration<double>(seconds(limit, "timeout"));
    for (const nb::handle name : given["record"]) options.record.push_back(escaped_text(name.ptr()));
    options.keywords = nb::cast<std::vector<std::string>>(given["keywords"]);
    callbacks.until = given["until"];
    callbacks.progress = given["progress"];
    if (!callbacks.until.is_none()) options.until = [&callbacks] { return callbacks.ask_until(); };
    if (!callbacks.progress.is_none()) options.progress = [&callbacks](const Progress& at) { callbacks.show(at); };
    options.poll = [&callbacks] { return callbacks.poll(); };
    return options;
}

void make_simulation(HeldSimulation* self, const nb::list& model, const nb::dict& arguments, const nb::dict& given) {
    std::vector<Kernel> kernels = kernels_of(model);
    std::vector<Signature> signatures;
    for (const Kernel& kernel : kernels) signatures.push_back(kernel.signature());
    const Names names(signatures);
    auto callbacks = std::make_unique<Callbacks>();
    SimulateOptions options = options_of(given, *callbacks);
    Incoming incoming(names, Accept::values, nb::len(arguments));
    incoming.set_axis(samples_axis(given["layout"]));
    for (const auto& [name, value] : arguments) incoming.add(name, value);
    std::unique_ptr<Simulation> simulation;
    {
        LongCall call(incoming.on_device() ? -1 : 0);  // nobody calls the driver of a device with the GIL
        simulation = std::make_unique<Simulation>(std::move(kernels), incoming.arguments(), std::move(options));
    }
    new (self) HeldSimulation{std::move(callbacks), incoming.take_held(), std::move(simulation), incoming.on_device()};
}

nb::dict recorded_dict(const SimResult& result) {
    nb::dict made;
    for (const auto& [name, arrays] : result.recorded) {
        nb::list times;
        for (const Array& array : arrays) times.append(to_numpy(array));
        made[name.c_str()] = times;
    }
    return made;
}

}  // namespace

nb::dict result_dict(const SimResult& result) {
    nb::dict made;
    made["status"] = std::string(status_name(result.status));
    made["finished"] = result.finished;
    made["samples"] = result.samples;
    made["done"] = result.done;
    made["steps"] = result.steps;
    made["steps_per_sample"] = to_numpy(result.steps_per_sample);
    made["finished_mask"] = to_numpy(result.finished_mask);
    made["mask"] = result.allocated_mask ? to_python(*result.allocated_mask) : nb::object(made["finished_mask"]);
    made["wall_s"] = result.wall_s;
    made["report"] = result.report;
    made["recorded"] = recorded_dict(result);
    nb::list notices;
    for (const marshal::Notice& notice : result.notices)
        notices.append(nb::make_tuple(notice.kind == marshal::Notice::Kind::layout ? "layout" : "performance",
                                      nb::str(notice.text.c_str())));
    made["notices"] = notices;
    return made;
}

namespace {

// (result, error): the error is what a signal handler or a callback raised, and stopped the run.
nb::tuple run(HeldSimulation& self) {
    SimResult result;
    nb::object error;
    {
        LongCall call(0);
        const Entry entry(*self.callbacks, call, "the simulation");
        if (self.on_device || self.last_seconds < 0 || self.last_seconds > worth_releasing) call.release();
        result = self.simulation->run();
        call.end();
        error = left_behind();
        self.last_seconds = result.wall_s;
    }
    return nb::make_tuple(result_dict(result), error);
}

}  // namespace

void bind_simulation(nb::module_& module) {
    nb::class_<Progress>(module, "Progress", "How far a run has come.")
        .def_ro("samples", &Progress::samples, "Samples of the batch.")
        .def_ro("done", &Progress::done, "Samples that finished or are at the cap.")
        .def_ro("steps", &Progress::steps, "Steps of all samples together, so far in this call.")
        .def_ro("seconds", &Progress::seconds, "Seconds since the call began.")
        .def("__repr__", [](const Progress& p) {
            return "Progress(samples=" + std::to_string(p.samples) + ", done=" + std::to_string(p.done) +
                   ", steps=" + std::to_string(p.steps) + ")";
        });
    nb::class_<HeldSimulation>(module, "Simulation", nb::type_slots(simulation_slots),
                               "A model and its arguments, prepared once.")
        .def("__init__", &make_simulation, "model"_a, "arguments"_a, "options"_a,
             nb::sig("def __init__(self, model: list[Kernel], arguments: dict[str, object], options: dict[str, object])"
                     " -> None"))
        .def("run", &run, nb::lock_self(),
             nb::sig("def run(self) -> tuple[dict[str, typing.Any], BaseException | None]"),
             "Runs to the end, the cap or the timeout: the facts of the run, and what a callback or a signal handler "
             "raised during it. Busy for a second entry.");
}

}  // namespace eagle::python
