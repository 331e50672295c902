// until_done: bound plans launched until every sample is done.
#include <Reference.h>
#include <eagle/UntilDone.h>
#include <nanobind/nanobind.h>

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "bound.h"
#include "callbacks.h"
#include "memory.h"
#include "module.h"
#include "numbers.h"
#include "simulation.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

void call_with(PyObject* function, const nb::object& argument) { nb::borrow(function)(argument); }

float share(nb::handle theta) {
    const double value = PyFloat_AsDouble(theta.ptr());
    if (PyErr_Occurred() == nullptr) return static_cast<float>(value);
    clear_exception();
    throw ArgumentError("theta is " + std::string(nb::repr(theta).c_str()) + "; it must be a number between 0 and 1");
}

UntilDoneOptions options_of(const nb::dict& given, CallingBack& back) {
    UntilDoneOptions options;
    options.max_steps = whole_number(given["max_steps"], "max_steps", 1);
    options.every = whole_number(given["every"], "every", 1);
    options.reorder = nb::cast<bool>(nb::bool_(given["reorder"]));
    options.theta = share(given["theta"]);
    if (nb::object limit = given["timeout"]; !limit.is_none())
        options.timeout = std::chrono::duration<double>(seconds(limit, "timeout"));
    const nb::object on_step = given["on_step"], finished = given["when_finished"], progress = given["progress"];
    if (!on_step.is_none())
        options.on_step = [&back, on_step = on_step.ptr()](std::int64_t steps) {
            back.call([&] { call_with(on_step, nb::int_(steps)); });
        };
    if (!finished.is_none())
        options.when_finished = [&back, finished = finished.ptr()](std::span<const std::int32_t> samples) {
            back.call([&] { call_with(finished, numbers_of(samples)); });
        };
    if (!progress.is_none())
        options.progress = [&back, progress = progress.ptr()](const Progress& at) {
            back.call([&] { call_with(progress, nb::cast(at)); });
        };
    options.poll = [&back] { return back.poll(); };
    return options;
}

// (result, error): the error is what a signal handler or a hook raised, and stopped the run. `options` holds the hooks.
nb::tuple run(const nb::list& plans, const nb::dict& options) {
    std::vector<BoundPlan*> bound;
    for (const nb::handle plan : plans) bound.push_back(&nb::cast<HeldBound&>(plan).bound);
    CallingBack back;
    const UntilDoneOptions chosen = options_of(options, back);
    SimResult result;
    nb::object error;
    {
        LongCall call(-1);
        const Entry entry(back, call, "the run");
        result = until_done(bound, chosen);
        call.end();
        error = left_behind();
    }
    return nb::make_tuple(result_dict(result), error);
}

}  // namespace

void bind_until_done(nb::module_& module) {
    module.def(
        "until_done", &run, "plans"_a, "options"_a,
        nb::sig("def until_done(plans: list[BoundPlan], options: dict[str, object]) -> tuple[dict[str, "
                "typing.Any], BaseException | None]"),
        "Runs bound plans in order as one step: the facts of the run, and what a hook or a signal handler raised "
        "during it.");
}

}  // namespace eagle::python
