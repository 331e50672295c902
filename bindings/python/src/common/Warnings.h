// Notices of marshal as Python warnings.
#pragma once
#include <eagle/marshal/Pack.h>

#include "Reference.h"

namespace eagle::python {

// Warns with raptor.errors.LayoutWarning or PerformanceWarning at the Python frame `stacklevel` - 1 above the caller.
// The text of a notice names kernel and argument and holds no extents, so that Python's own registry shows it once a
// call site and argument. Throws PythonError when the filters turn it into an error: call it before the work.
void warn(const marshal::Notice& notice, int stacklevel = 1);

}  // namespace eagle::python
