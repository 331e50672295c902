// The subjects of eagle._core; each file binds one.
#pragma once
#include <nanobind/nanobind.h>

namespace eagle::python {

void bind_errors(nanobind::module_& module);
void bind_backend(nanobind::module_& module);
void bind_active(nanobind::module_& module);
void bind_artifact(nanobind::module_& module);
void bind_copy(nanobind::module_& module);
void bind_device_memory(nanobind::module_& module);
void bind_device_array(nanobind::module_& module);
void bind_exec(nanobind::module_& module);
void bind_names(nanobind::module_& module);
void bind_bound(nanobind::module_& module);
void bind_interop(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_ranks(nanobind::module_& module);
void bind_graph(nanobind::module_& module);
void bind_built_graph(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_until_done(nanobind::module_& module);
void bind_trace(nanobind::module_& module);

}  // namespace eagle::python
