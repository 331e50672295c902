// A bound plan as Python holds it.
#pragma once
#include <eagle/Plan.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "arguments.h"
#include "plan.h"

namespace eagle::python {

struct HeldBound {
    // Work of a device is waited for, without the GIL.
    ~HeldBound();

    BoundPlan bound;
    nanobind::object plan;  // keeps `held` alive
    const HeldPlan* held = nullptr;
    std::vector<HeldArray> arrays;
    std::uint64_t stream = 0;  // of a launch that names none
};

}  // namespace eagle::python
