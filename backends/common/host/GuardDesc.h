// What a description asks a conditional node to look at.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include "Guard.h"

namespace eagle::host {

// Throws Failure: INVALID_ARGUMENT, and UNSUPPORTED for a kind that there is not.
Guard guard_of(const struct eagle_backend_conditional_desc& d);

}  // namespace eagle::host
