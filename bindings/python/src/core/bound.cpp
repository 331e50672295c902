// BoundPlan: launch and rebind.
#include "bound.h"

#include <eagle/Rebind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calls.h"
#include "device_argument.h"
#include "gil.h"
#include "module.h"
#include "numbers.h"
#include "rank_call.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

std::uint64_t stream_of(const HeldBound& held, PyObject* const* values, Py_ssize_t positional, PyObject* names) {
    const Py_ssize_t named = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
    if (positional == 0 && named == 0) return held.stream;
    if (positional != 0 || named != 1 || PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "stream") != 0)
        throw ArgumentError("launch() takes stream= and nothing else; other arguments are given anew with rebind()");
    return values[0] == Py_None ? held.stream : raw_stream(values[0], "launch()");
}

PyObject* bound_launch(PyObject* self, PyObject* const* values, Py_ssize_t positional, PyObject* names) {
    if (!nb::inst_ready(self)) return refuse_unmade(self, "Plan.bind()");
    HeldBound& held = *nb::inst_ptr<HeldBound>(self);
    return guarded_together(held.held->plan.ranks(), [&]() -> PyObject* {
        BoundPlan& bound = held.bound;
        const std::uint64_t stream = stream_of(held, values, positional, names);
        LongCall call(bound.expected_seconds());
        if (bound.on_device()) {
            bound.launch_on(stream);
            call.end();
            return Py_NewRef(self);
        }
        if (!call.may_be_long()) {
            bound.launch();
            return Py_NewRef(self);
        }
        bound.launch([&call] { return call.poll(); });
        call.end();
        return Py_NewRef(self);
    });
}

void keep(std::vector<HeldArray>& arrays, HeldArray array) {
    for (HeldArray& old : arrays) {
        if (old.name != array.name) continue;
        std::swap(old, array);  // the old one goes when the new one is in its place
        return;
    }
    arrays.push_back(std::move(array));
}

PyObject* bound_rebind(PyObject* self, PyObject* const* values, Py_ssize_t positional, PyObject* names) {
    if (!nb::inst_ready(self)) return refuse_unmade(self, "Plan.bind()");
    HeldBound& held = *nb::inst_ptr<HeldBound>(self);
    return guarded_together(held.held->plan.ranks(), [&]() -> PyObject* {
        Incoming incoming(held.held->names, Accept::arrays,
                          names != nullptr ? static_cast<std::size_t>(PyTuple_Size(names)) : 0);
        take_call(*held.held, incoming, values, positional, names);
        {
            LongCall call(held.bound.on_device() ? -1 : 0);  // nobody calls the driver of a device with the GIL
            rebind(held.bound, incoming.arguments());
        }
        const nb::ft_object_guard alone(self);
        for (HeldArray& array : incoming.take_held()) keep(held.arrays, std::move(array));
        return Py_NewRef(self);
    });
}

nb::object array_of(const HeldBound& held, const std::string& name) {
    for (const HeldArray& array : held.arrays)
        if (array.name == name) return array.object;
    throw nb::key_error(name.c_str());
}

// An array may well refer to what is bound to it: one of a subclass, whose owner launches.
int visit_bound(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const HeldBound& held = *nb::inst_ptr<HeldBound>(self);
    Py_VISIT(held.plan.ptr());
    for (const HeldArray& array : held.arrays)
        if (const int found = visit_array(array, visit, arg)) return found;
    return 0;
}

// The plan stays: what is left is a bound plan that was moved from.
int clear_bound(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    HeldBound& held = *nb::inst_ptr<HeldBound>(self);
    {
        const WithoutGil released;
        const BoundPlan gone = std::move(held.bound);
    }
    const auto arrays = std::exchange(held.arrays, {});
    return 0;
}

PyType_Slot bound_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_bound)},
                             {Py_tp_clear, reinterpret_cast<void*>(&clear_bound)},
                             {0, nullptr}};

constexpr const char* launch_doc =
    "launch(*, stream=None)\n--\n\n"
    "Runs the kernel over the bound arrays; returns this bound plan, on the host when the work is done, on a device\n"
    "when it is put there, in the order that Plan.run says. Busy for a second entry.";

constexpr const char* rebind_doc =
    "rebind(*, layout=None, **arguments)\n--\n\n"
    "Other numbers or arrays for some of the arguments, under the rules of bind; returns this bound plan. On an error\n"
    "nothing has changed. Collective on several ranks.";

PyMethodDef launch_method = {"launch", as_method(&bound_launch), METH_FASTCALL | METH_KEYWORDS, launch_doc};
PyMethodDef rebind_method = {"rebind", as_method(&bound_rebind), METH_FASTCALL | METH_KEYWORDS, rebind_doc};

}  // namespace

nb::object make_bound(nb::handle self, const HeldPlan& plan, Incoming& incoming) {
    std::optional<BoundPlan> bound;
    {
        LongCall call(incoming.on_device() ? -1 : 0);  // nobody calls the driver of a device with the GIL
        bound.emplace(plan.plan.bind(incoming.arguments()));
    }
    std::unique_ptr<HeldBound> held(
        new HeldBound{std::move(*bound), nb::borrow(self), &plan, incoming.take_held(), incoming.stream()});
    return nb::cast(held.release(), nb::rv_policy::take_ownership);
}

HeldBound::~HeldBound() {
    if (!nb::is_alive() || PyGILState_Check() == 0) return;
    const WithoutGil released;
    const BoundPlan gone = std::move(bound);
}

void bind_bound(nb::module_& module) {
    auto type =
        nb::class_<HeldBound>(module, "BoundPlan", nb::type_slots(bound_slots),
                              "A plan with its arguments packed, ready to launch again and again. One caller at "
                              "a time. It keeps the arrays alive.")
            .def_prop_ro("samples", [](const HeldBound& b) { return b.bound.samples(); })
            .def(
                "narrow",
                [](nb::handle self, nb::handle count) {
                    nb::cast<HeldBound&>(self).bound.narrow(whole_number(count, "count"));
                    return nb::borrow(self);
                },
                "count"_a.none(), nb::sig("def narrow(self, count: int) -> BoundPlan"),
                "What follows launches the first `count` samples alone, `samples` all of them, as with "
                "`ActiveSet.live_span()`; returns this bound plan. ValueError out of [0, samples], and for a kernel "
                "that is not sample_local.")
            .def(
                "synchronize",
                [](nb::handle self) {
                    BoundPlan& bound = nb::cast<HeldBound&>(self).bound;
                    {
                        const WithoutGil released;
                        bound.synchronize();
                    }
                    return nb::borrow(self);
                },
                nb::sig("def synchronize(self) -> BoundPlan"),
                "Returns this bound plan when every launch is done; a fault of one of them on a device is raised here.")
            .def_prop_ro("plan", [](const HeldBound& b) { return b.plan; })
            .def("__getitem__", &array_of, "name"_a, nb::lock_self(), "The array bound to that name.")
            .def("__repr__", [](const HeldBound& b) {
                return "<eagle.BoundPlan of " + b.held->kernel.kernel.name() + ", " +
                       std::to_string(b.bound.samples()) + " samples>";
            });
    add_method(type, launch_method);
    add_method(type, rebind_method);
}

}  // namespace eagle::python
