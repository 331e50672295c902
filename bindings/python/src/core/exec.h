// Execution structures from Python.
#pragma once
#include <eagle/Exec.h>
#include <nanobind/nanobind.h>

#include <variant>

namespace eagle::python {

// What `structure` is; nothing for None. Throws ArgumentError for anything else, saying what is `needed`.
using Structure = std::variant<std::monostate, HostTeam, DeviceKernel>;
Structure structure_of(nanobind::handle structure,
                       const char* needed = "an eagle.exec.HostTeam or an eagle.exec.DeviceKernel");

}  // namespace eagle::python
