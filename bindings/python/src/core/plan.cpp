// Plan: run and bind.
#include "plan.h"

#include <Gil.h>
#include <NumpyArrays.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "calls.h"
#include "device_argument.h"
#include "device_array.h"
#include "exec.h"
#include "gil.h"
#include "memory.h"
#include "module.h"
#include "numbers.h"
#include "rank_call.h"
#include "ranks.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

// The k of `outk`; -1 for a name of another form.
int tuple_place(const std::string& name) {
    if (name.size() < 4 || name.size() > 8 || name.compare(0, 3, "out") != 0) return -1;
    int place = 0;
    for (const char c : name.substr(3)) {
        if (c < '0' || c > '9') return -1;
        place = 10 * place + (c - '0');
    }
    return place;
}

bool keyword_is(PyObject* name, const char* text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; }

// `out=` of a kernel with several outputs: a tuple in their order, or a dict by name.
void take_out(const HeldPlan& plan, Incoming& incoming, nb::handle out) {
    const Returns& returns = plan.returns;
    if (out.is_none()) return;
    if (PyDict_Check(out.ptr())) {
        for (const auto& [name, value] : nb::borrow<nb::dict>(out)) incoming.add(name, value);
        return;
    }
    if (returns.form != Returns::Form::tuple || (!PyTuple_Check(out.ptr()) && !PyList_Check(out.ptr()))) {
        const char* needed = returns.form == Returns::Form::nothing ? "nothing: the kernel returns nothing"
                             : returns.form == Returns::Form::tuple ? "a tuple of arrays"
                                                                    : "a dict of arrays by name";
        throw ArgumentError(std::string("out is ") + nb::type_name(out.type()).c_str() + "; kernel '" +
                            plan.kernel.kernel.name() + "' takes " + needed);
    }
    const nb::object items = nb::steal(PySequence_Tuple(out.ptr()));
    if (nb::len(items) != returns.names.size()) {
        throw ArgumentError("out has " + std::to_string(nb::len(items)) + " arrays; kernel '" +
                            plan.kernel.kernel.name() + "' returns " + std::to_string(returns.names.size()) +
                            ": give an array for each, or None where it is to be allocated");
    }
    for (std::size_t i = 0; i < returns.names.size(); ++i) {
        nb::object item = items[i];
        if (!item.is_none()) incoming.add(nb::str(returns.names[i].c_str()), item);
    }
}

// Small outputs as arrays of NumPy's own, which it makes faster than a wrapper around memory of ours.
class SmallOutputs final : public marshal::OutAllocator {
  public:
    std::shared_ptr<void> allocate(std::size_t, const Parameter& parameter, std::span<const std::int64_t> shape,
                                   std::size_t bytes) override {
        const WithGil held;  // a call that is expected to be long has given it up
        Made& fresh = made_.emplace_back();
        fresh.parameter = &parameter;
        void* data = nullptr;
        if (shape.empty()) {
            fresh.scalar = std::make_unique<std::byte[]>(sizeof(double));
            data = fresh.scalar.get();
        } else {
            fresh.array = zero_array(shape, parameter.dtype, bytes, &data);
        }
        return {std::shared_ptr<void>(), data};  // owned by this object, not by the pointer
    }
    // The output of that name, or null when it was not made here.
    nb::object take(const std::string& name) {
        for (Made& made : made_) {
            if (made.parameter->name != name) continue;
            Reference value =
                made.array ? std::move(made.array) : numpy_scalar(made.parameter->dtype, made.scalar.get());
            return nb::steal(value.release());
        }
        return {};
    }

  private:
    struct Made {
        const Parameter* parameter = nullptr;
        Reference array;
        std::unique_ptr<std::byte[]> scalar;
    };
    std::vector<Made> made_;
};

// What a call has for its outputs: arrays that were given, small ones of NumPy's, large ones of eagle's.
struct Results {
    const Incoming& incoming;
    SmallOutputs small;
    RunResult run;

    nb::object output(const std::string& name) {
        if (const nb::handle given = incoming.given(name)) return nb::borrow(given);
        nb::object value = allocated(name);
        if (!incoming.torch()) return value;
        if (device_array(value) != nullptr) return nb::module_::import_("torch").attr("from_dlpack")(value);
        return nb::steal(torch_tensor(value.ptr()).release());
    }

  private:
    nb::object allocated(const std::string& name) {
        if (nb::object made = small.take(name)) return made;
        for (const auto& [made, array] : run.outputs)
            if (made == name) return array.on_host() ? to_numpy(array) : to_python(array);
        throw Error("the run made no output '" + name + "'");
    }
};

// Outputs by name, in the form that a call gives them back.
template <class Output>
nb::object arranged(const Returns& returns, Output&& output) {
    if (returns.form == Returns::Form::nothing) return nb::none();
    if (returns.form == Returns::Form::single) return output(returns.names.front());
    if (returns.form == Returns::Form::dict) {
        nb::dict made;
        for (const std::string& name : returns.names) made[name.c_str()] = output(name);
        return made;
    }
    nb::list made;
    for (const std::string& name : returns.names) made.append(output(name));
    return nb::tuple(made);
}

void timed_run(HeldPlan& plan, Results& results) {
    const Incoming& incoming = results.incoming;
    // Nobody calls the driver of a device with the GIL.
    const double expected = incoming.on_device() ? -1 : plan.cost.expected(incoming.elements());
    {
        LongCall call(expected);
        RunOptions options;
        options.small_outputs = &results.small;
        options.stream = incoming.stream();
        if (call.may_be_long()) options.poll = [&call] { return call.poll(); };
        results.run = plan.plan.run(incoming.arguments(), options);
    }
    if (!incoming.on_device()) plan.cost.learn(incoming.elements(), results.run.seconds);
}

PyObject* plan_run(PyObject* self, PyObject* const* values, Py_ssize_t positional, PyObject* names) {
    if (!nb::inst_ready(self)) return refuse_unmade(self, "eagle.plan() or eagle.deploy()");
    HeldPlan& plan = *nb::inst_ptr<HeldPlan>(self);
    return guarded_together(plan.plan.ranks(), [&]() -> PyObject* {
        Incoming incoming(plan.names, Accept::values, names ? static_cast<std::size_t>(PyTuple_Size(names)) : 0);
        take_call(plan, incoming, values, positional, names);
        Results results{incoming, {}, {}};
        timed_run(plan, results);
        incoming.warn_of(results.run.notices);
        return arranged(plan.returns, [&](const std::string& name) { return results.output(name); }).release().ptr();
    });
}

PyObject* plan_bind(PyObject* self, PyObject* const* values, Py_ssize_t positional, PyObject* names) {
    if (!nb::inst_ready(self)) return refuse_unmade(self, "eagle.plan() or eagle.deploy()");
    HeldPlan& plan = *nb::inst_ptr<HeldPlan>(self);
    return guarded_together(plan.plan.ranks(), [&]() -> PyObject* {
        Incoming incoming(plan.names, Accept::arrays, names ? static_cast<std::size_t>(PyTuple_Size(names)) : 0);
        take_call(plan, incoming, values, positional, names);
        return make_bound(self, plan, incoming).release().ptr();
    });
}

constexpr const char* run_doc =
    "run(*, out=None, layout=None, stream=None, **arguments)\n--\n\n"
    "Runs the kernel over the samples of the arguments and returns what it computes: on the host when the work is\n"
    "done; where the arrays lie on a device, when it is put there, and the arrays may go at once.\n\n"
    "On a device the work waits, by event, for all that the device was given before, and is in the order of `stream`: "
    "a\n"
    "raw handle, or a stream of CuPy or torch; without one, the current stream of the arrays' library. A fault inside "
    "the\n"
    "kernel is raised by synchronize(), or by a later run.\n\n"
    "Outputs that are not given (by `out=` or by name) are allocated. Arrays of a safely convertible dtype or layout\n"
    "are converted by value, with a PerformanceWarning or LayoutWarning. `layout`: \"samples_first\" or\n"
    "\"samples_last\" for arrays whose shape can be read both ways. TypeError, LayoutError and BufferRefused name the\n"
    "argument, what was found and what is needed, and nothing has been touched then.";

constexpr const char* bind_doc =
    "bind(*, out=None, layout=None, stream=None, **arguments)\n--\n\n"
    "A BoundPlan over these very arrays, which decide where it runs: nothing is allocated and nothing converted, so "
    "every\n"
    "output is given. `stream`: as in run, of every launch that names none.";

PyMethodDef run_method = {"run", as_method(&plan_run), METH_FASTCALL | METH_KEYWORDS, run_doc};
PyMethodDef bind_method = {"bind", as_method(&plan_bind), METH_FASTCALL | METH_KEYWORDS, bind_doc};

Plan plan_of(const Kernel& kernel, nb::handle given, int parts) {
    const HeldRanks* const held = nb::isinstance<HeldRanks>(given) ? &nb::cast<const HeldRanks&>(given) : nullptr;
    const Structure structure =
        structure_of(held != nullptr ? nb::handle(held->structure) : given,
                     "an eagle.exec.HostTeam, an eagle.exec.DeviceKernel or an eagle.exec.RankPartition");
    if (const auto* device = std::get_if<DeviceKernel>(&structure)) {
        const WithoutGil released;  // the loader may ask Python for entry points
        const Kernel there = kernel.on(device->kind, device->device);
        return held != nullptr ? Plan(there, held->ranks, *device, parts) : Plan(there, *device, parts);
    }
    if (const auto* team = std::get_if<HostTeam>(&structure))
        return held != nullptr ? Plan(kernel, held->ranks, *team, parts) : Plan(kernel, *team, parts);
    return held != nullptr ? Plan::where_arrays_are(kernel, held->ranks, parts) : Plan::where_arrays_are(kernel, parts);
}

void make_plan(HeldPlan* self, const HeldKernel& kernel, nb::handle structure, nb::handle npartitions) {
    const int parts = static_cast<int>(whole_number(npartitions, "npartitions", 1, 1 << 30));
    const Signature& signature = kernel.kernel.signature();
    new (self) HeldPlan{plan_of(kernel.kernel, structure, parts),
                        kernel,
                        Names(std::span(&signature, 1)),
                        Returns(signature),
                        {},
                        nb::borrow(structure)};
}

nb::object structure_in_python(const HeldPlan& plan) {
    if (plan.plan.ranks()) return plan.structure;
    if (plan.plan.device()) return nb::cast(*plan.plan.device());
    return nb::cast(plan.plan.team());
}

nb::tuple reduced(nb::handle self) {
    const HeldPlan& plan = nb::cast<const HeldPlan&>(self);
    const bool nowhere = plan.plan.follows_arrays() && !plan.plan.ranks();
    const nb::object structure = nowhere ? nb::none() : structure_in_python(plan);
    return nb::make_tuple(self.type(), nb::make_tuple(plan.kernel, structure, plan.plan.npartitions()));
}

// A RankPartition takes attributes, and may well refer to a plan over it.
int visit_plan(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    Py_VISIT(nb::inst_ptr<HeldPlan>(self)->structure.ptr());
    return 0;
}

int clear_plan(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    const nb::object structure = std::exchange(nb::inst_ptr<HeldPlan>(self)->structure, nb::none());
    return 0;
}

PyType_Slot plan_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_plan)},
                            {Py_tp_clear, reinterpret_cast<void*>(&clear_plan)},
                            {0, nullptr}};

}  // namespace

HeldPlan::~HeldPlan() {
    if (!nb::is_alive() || PyGILState_Check() == 0) return;
    const WithoutGil released;
    const Plan gone = std::move(plan);
}

Returns::Returns(const Signature& signature) {
    for (const Parameter& parameter : signature.parameters)
        if (parameter.role == Role::out) names.push_back(parameter.name);
    if (names.empty()) return;
    const bool numbered = std::all_of(names.begin(), names.end(), [](const auto& n) { return tuple_place(n) >= 0; });
    if (names.size() == 1 && names.front() == "out") {
        form = Form::single;
    } else if (numbered) {
        form = Form::tuple;
        std::sort(names.begin(), names.end(),
                  [](const auto& a, const auto& b) { return tuple_place(a) < tuple_place(b); });
    } else {
        form = Form::dict;
    }
}

void take_call(const HeldPlan& plan, Incoming& incoming, PyObject* const* values, Py_ssize_t positional,
               PyObject* names) {
    if (positional > 0) {
        std::string takes;
        for (const Parameter& parameter : plan.kernel.kernel.signature().parameters)
            if (!parameter.supplied() && parameter.role != Role::nsamples)
                takes.append(takes.empty() ? "" : ", ").append(parameter.name).append("=");
        throw ArgumentError(std::to_string(positional) + (positional == 1 ? " argument is" : " arguments are") +
                            " given without a name; kernel '" + plan.kernel.kernel.name() +
                            "' takes its arguments by name: " + takes);
    }
    const Py_ssize_t count = names != nullptr ? PyTuple_Size(names) : 0;
    Py_ssize_t out = -1;
    Py_ssize_t layout = -1;
    Py_ssize_t stream = -1;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* name = PyTuple_GET_ITEM(names, i);
        if (plan.names.find(name) != nullptr) continue;
        if (keyword_is(name, "layout")) layout = i;
        if (keyword_is(name, "out")) out = i;
        if (keyword_is(name, "stream")) stream = i;
    }
    if (layout >= 0) incoming.set_axis(samples_axis(values[layout]));
    if (stream >= 0 && values[stream] != Py_None) incoming.set_stream(raw_stream(values[stream], "it"));
    for (Py_ssize_t i = 0; i < count; ++i)
        if (i != out && i != layout && i != stream) incoming.add(PyTuple_GET_ITEM(names, i), values[i]);
    if (out >= 0) take_out(plan, incoming, values[out]);
}

void bind_plan(nb::module_& module) {
    auto type =
        nb::class_<HeldPlan>(module, "Plan", nb::type_slots(plan_slots),
                             "A kernel joined with an execution structure. Immutable and re-entrant: any number of "
                             "threads may run one on their own data. Pickles with its kernel.")
            .def("__init__", &make_plan, "kernel"_a, "structure"_a = nb::none(), "npartitions"_a = 1,
                 nb::sig(
                     "def __init__(self, kernel: Kernel, structure: HostTeam | DeviceKernel | RankPartition | None = "
                     "None, npartitions: int = 1) -> None"))
            .def_prop_ro("kernel", [](const HeldPlan& p) { return p.kernel; })
            .def_prop_ro("structure", &structure_in_python,
                         nb::sig("def structure(self) -> HostTeam | DeviceKernel | RankPartition"),
                         "What was given; all threads of the process for a plan that runs where its arrays are.")
            .def(
                "synchronize",
                [](const HeldPlan& p) {
                    const WithoutGil released;
                    p.plan.synchronize();
                },
                "Returns when every run that has returned is done; a fault of one of them on a device is raised here.")
            .def_prop_ro("npartitions", [](const HeldPlan& p) { return p.plan.npartitions(); })
            .def(
                "arrange",
                [](const HeldPlan& p, const nb::dict& outputs) {
                    return arranged(p.returns,
                                    [&](const std::string& name) { return nb::object(outputs[name.c_str()]); });
                },
                "outputs"_a, "What stands for each output, by name, in the form that run() gives arrays back.")
            .def("__reduce__", &reduced)
            .def("__repr__", [](const HeldPlan& p) { return "<eagle.Plan of " + p.kernel.kernel.name() + ">"; });
    add_method(type, run_method);
    add_method(type, bind_method);
}

}  // namespace eagle::python
