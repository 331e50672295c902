// A bound plan as Python holds it.
#pragma once
#include <eagle/Plan.h>
#include <nanobind/nanobind.h>

#include <vector>

#include "arguments.h"
#include "plan.h"

namespace eagle::python {

struct HeldBound {
    BoundPlan bound;
    nanobind::object plan;  // keeps `held` alive
    const HeldPlan* held = nullptr;
    Arguments given;  // what is bound now, to go back to when a rebind of several fails
    std::vector<HeldArray> arrays;
};

}  // namespace eagle::python
