// Several arguments of a bound plan anew.
#pragma once
#include <eagle/Plan.h>
#include <eagle/export.h>

namespace eagle {

// As BoundPlan::rebind(), all of them or, on an error, none. Collective on several ranks.
EAGLE_API BoundPlan& rebind(BoundPlan& bound, const Arguments& wanted);

}  // namespace eagle
