// ActiveSet: which samples are at work.
#include <Gil.h>
#include <eagle/ActiveSet.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "array_argument.h"
#include "device_array.h"
#include "memory.h"
#include "module.h"
#include "numbers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

// Calls over fewer samples than this are done sooner than the GIL is got back.
constexpr std::int64_t worth_releasing_samples = 200'000;

struct HeldSet {
    std::unique_ptr<ActiveSet> set;
    bool device = false;
    std::vector<nb::object> arrays;
    std::vector<Hold> holds;
    nb::object hook = nb::none();

    HeldSet() = default;
    HeldSet(HeldSet&&) noexcept = default;
    HeldSet& operator=(HeldSet&&) = delete;
    // Work of a device is waited for without the GIL.
    ~HeldSet() {
        if (set == nullptr || !device) return;
        const WithoutGil released;
        set.reset();
    }
};

// Without the GIL where the call may take a while; a device is waited for without it always.
class Unheld {
  public:
    explicit Unheld(const HeldSet& held) {
        if (held.device || held.set->samples() > worth_releasing_samples) released_.emplace();
    }

  private:
    std::optional<WithoutGil> released_;
};

// The hook and the arrays may well refer to the set.
int visit_held(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const HeldSet& held = *nb::inst_ptr<HeldSet>(self);
    Py_VISIT(held.hook.ptr());
    for (const nb::object& array : held.arrays) Py_VISIT(array.ptr());
    for (const Hold& hold : held.holds)
        if (const int found = hold.traverse(visit, arg)) return found;
    return 0;
}

int clear_held(PyObject* self) {
    if (!nb::inst_ready(self)) return 0;
    HeldSet& held = *nb::inst_ptr<HeldSet>(self);
    {
        const WithoutGil released;  // work of a device is waited for
        held.set.reset();
    }
    held.hook.reset();
    const auto arrays = std::exchange(held.arrays, {});
    const auto holds = std::exchange(held.holds, {});
    return 0;
}

PyType_Slot set_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visit_held)},
                           {Py_tp_clear, reinterpret_cast<void*>(&clear_held)},
                           {0, nullptr}};

void keep(HeldSet& held, nb::handle object, Import& in) {
    held.arrays.push_back(nb::borrow(object));
    held.holds.push_back(std::move(in.hold));
}

void add_plane(HeldSet& held, nb::handle plane) {
    Import in;
    held.set->add(array_argument(plane, "plane", true, in));
    keep(held, plane, in);
}

void make_set(HeldSet* self, nb::handle mask, const nb::args& planes, bool mask_is_live, double theta,
              nb::handle stream) {
    HeldSet held;
    Import in;
    const ArrayView view = array_argument(mask, "mask", false, in);
    keep(held, mask, in);
    ActiveSetOptions options;
    options.mask_is_live = mask_is_live;
    options.theta = static_cast<float>(theta);
    if (!stream.is_none()) options.stream = static_cast<std::uint64_t>(whole_number(stream, "stream", 0));
    {
        const WithoutGil released;  // the backend may be loaded, which may ask Python for entry points
        held.set = std::make_unique<ActiveSet>(view, options);
    }
    held.device = view.device_type != 1;
    for (const nb::handle plane : planes) add_plane(held, plane);
    new (self) HeldSet(std::move(held));
}

bool holds(const HeldSet& self, nb::handle plane) {
    return std::any_of(self.arrays.begin(), self.arrays.end(), [&](const nb::object& held) { return held.is(plane); });
}

void add(HeldSet& self, const nb::args& planes) {
    for (const nb::handle plane : planes)
        if (!holds(self, plane)) add_plane(self, plane);
}

// Where the mask lies.
nb::object index_map_of(const HeldSet& self) {
    const Array& map = self.set->index_map();
    if (map.on_host()) return to_numpy(map);
    const Backend backend = Backend::load(kind_of_device_type(map.view().device_type));
    return nb::cast(new DeviceArray(map, backend), nb::rv_policy::take_ownership);
}

nb::tuple compact(HeldSet& self) {
    std::int64_t live = 0;
    {
        const Unheld unheld(self);
        live = self.set->compact().live();
    }
    return nb::make_tuple(index_map_of(self), live);
}

void reorder(HeldSet& self, const nb::args& planes, bool if_worth) {
    add(self, planes);
    const Unheld unheld(self);
    if (if_worth)
        self.set->reorder_if_worth();
    else
        self.set->reorder();
}

void when_finished(HeldSet& self, nb::object hook) {
    if (!hook.is_none() && PyCallable_Check(hook.ptr()) == 0)
        throw ArgumentError("when_finished was given a " + std::string(nb::type_name(hook.type()).c_str()) +
                            "; it needs a callable that takes an array of sample numbers, or None");
    ActiveSet::Finished call;
    if (!hook.is_none())
        call = [held = &self](std::span<const std::int32_t> samples) {
            const WithGil acquired;
            if (held->hook.is_valid()) standing_still_at_the_end([&] { held->hook(numbers_of(samples)); });
        };
    self.hook = std::move(hook);
    const Unheld unheld(self);
    self.set->when_finished(std::move(call));
}

template <class Call>
auto without_gil(Call call) {
    return [call](HeldSet& self) {
        const Unheld unheld(self);
        return call(*self.set);
    };
}

}  // namespace

void bind_active(nb::module_& module) {
    nb::class_<HeldSet>(module, "ActiveSet", nb::type_slots(set_slots),
                        "Which samples of a batch are still at work, for loops of one's own.\n\n"
                        "`mask`: bool or uint8 (N,), on the host or a device: nonzero marks a finished sample, or with "
                        "`mask_is_live` a live one. `planes`: arrays that move with it: (N,) or (..., N), each row "
                        "dense, or (N, ...) of 1, 2, 4, 8 or 16 bytes a sample. `theta`: see `reorder`. `stream`: raw "
                        "handle of the device's stream that the work is put on; by default the legacy one.\n\n"
                        "A slot is a place in the planes; before the first reorder slot i holds sample i. Finished "
                        "samples stay finished until `reset`. It keeps the arrays alive. One caller at a time (Busy).")
        .def("__init__", &make_set, "mask"_a.none(), "planes"_a, nb::kw_only(), "mask_is_live"_a = false,
             "theta"_a = 0.5, "stream"_a = nb::none(),
             nb::sig("def __init__(self, mask: object, *planes: object, mask_is_live: bool = False, theta: float = "
                     "0.5, stream: int | None = None) -> None"))
        .def("add", &add, "planes"_a, nb::lock_self(), nb::sig("def add(self, *planes: object) -> None"),
             "Planes that move with the mask from here on; before the first reorder, or after `restore`.")
        .def("compact", &compact, nb::lock_self(), nb::sig("def compact(self) -> tuple[typing.Any, int]"),
             "Finds the live samples: (index_map, count). `index_map` is int32 (N,), where the mask lies and the same "
             "memory at every call: the slots of live samples, ascending, in its first `count` elements.")
        .def("reorder", &reorder, "planes"_a, nb::kw_only(), "if_worth"_a = false, nb::lock_self(),
             nb::sig("def reorder(self, *planes: object, if_worth: bool = False) -> None"),
             "Moves the live samples of every plane to the front, in place and in their order; adds `planes` first. "
             "`if_worth`: compacts, and moves only with 4096 slots or more in use and a share below `theta` of live "
             "slots, counted in the groups of 32 neighbours that hold a live one.")
        .def("restore", without_gil([](ActiveSet& set) { set.restore(); }), nb::lock_self(),
             nb::sig("def restore(self) -> None"), "Every plane back in the order of samples, exactly.")
        .def("reset", without_gil([](ActiveSet& set) { set.reset(); }), nb::lock_self(),
             nb::sig("def reset(self) -> None"), "The planes hold a new batch, in the order of samples.")
        .def("live", without_gil([](ActiveSet& set) { return set.live(); }), nb::lock_self(),
             nb::sig("def live(self) -> int"),
             "Samples that the last `compact` or `reorder` found live; looks where there was none.")
        .def("live_span", without_gil([](ActiveSet& set) { return set.live_span(); }), nb::lock_self(),
             nb::sig("def live_span(self) -> int"), "The slots below it hold every live sample.")
        .def("worth_reordering", without_gil([](ActiveSet& set) { return set.worth_reordering(); }), nb::lock_self(),
             nb::sig("def worth_reordering(self) -> bool"),
             "Whether `reorder(if_worth=True)` would move them, by the last `compact`.")
        .def(
            "sample_of",
            [](HeldSet& self, nb::handle slot) {
                const std::int64_t number = whole_number(slot, "slot");
                const Unheld unheld(self);
                return self.set->sample_of(number);
            },
            "slot"_a.none(), nb::lock_self(), nb::sig("def sample_of(self, slot: int) -> int"),
            "The sample in a slot. IndexError out of [0, N).")
        .def(
            "order",
            [](HeldSet& self) {
                std::vector<std::int32_t> order;
                {
                    const Unheld unheld(self);
                    order = self.set->order();
                }
                return numbers_of(order);
            },
            nb::lock_self(), nb::sig("def order(self) -> typing.Any"),
            "sample_of() of every slot, as a NumPy array of int32.")
        .def("when_finished", &when_finished, "hook"_a.none(), nb::lock_self(),
             nb::sig("def when_finished(self, hook: collections.abc.Callable[[typing.Any], object] | None) -> None"),
             "At each compaction calls `hook(samples)` with the numbers of those that finished since the one before, "
             "ascending, as a NumPy array of int32, if there are any; the first counts from this call or `reset`. None "
             "ends it. What the hook raises comes out of the call.")
        .def_prop_ro(
            "samples", [](const HeldSet& self) { return self.set->samples(); }, "N.")
        .def("__repr__", [](const HeldSet& self) {
            return "<eagle.ActiveSet of " + std::to_string(self.set->samples()) + " samples>";
        });
}

}  // namespace eagle::python
