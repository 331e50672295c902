// Execution structures from Python.
#pragma once
#include <eagle/Exec.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

// The team that `structure` is; None is a team of as many threads as this process may use. Throws ArgumentError for
// anything else.
HostTeam team_of(nanobind::handle structure);

}  // namespace eagle::python
