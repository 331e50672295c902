// A plan as Python holds it.
#pragma once
#include <eagle/Plan.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <string>
#include <vector>

#include "arguments.h"
#include "artifact.h"

namespace eagle::python {

// What calls of a plan have cost, so that the next one knows whether to give up the GIL.
class Cost {
  public:
    // Seconds of a call over that many elements; negative while nothing is known.
    double expected(std::int64_t elements) const {
        return per_element_.load(std::memory_order_relaxed) * static_cast<double>(elements + 1);
    }
    void learn(std::int64_t elements, double seconds) {
        per_element_.store(seconds / static_cast<double>(elements + 1), std::memory_order_relaxed);
    }

  private:
    std::atomic<double> per_element_{-1.0};
};

// What a call gives back, by the names of its outputs: nothing, the array of `out`, a tuple of `out0`, `out1`, ..., or
// a dict of named ones.
struct Returns {
    enum class Form : std::uint8_t { nothing, single, tuple, dict } form = Form::nothing;
    std::vector<std::string> names;

    explicit Returns(const Signature& signature);
};

struct HeldPlan {
    // Work of a device is waited for, without the GIL.
    ~HeldPlan();

    Plan plan;
    HeldKernel kernel;
    Names names;
    Returns returns;
    Cost cost;
    nanobind::object structure;  // as it was given
};

// Adds the arguments of a call, `out` and `layout` among them, to `incoming`. Throws TypeError for positional ones.
void take_call(const HeldPlan& plan, Incoming& incoming, PyObject* const* values, Py_ssize_t positional,
               PyObject* names);

// The object that a bound plan of `plan` is in Python. `self`: the plan.
nanobind::object make_bound(nanobind::handle self, const HeldPlan& plan, Incoming& incoming);

}  // namespace eagle::python
