#include "module.h"

#include <Ending.h>
#include <eagle/Backend.h>

#include "memory.h"

NB_MODULE(_core, module) {
    namespace nb = nanobind;
    module.doc() = "libeagle for Python: converts arguments and results, and nothing else.";
    module.attr("__version__") = nb::str(eagle::version().data(), eagle::version().size());
    eagle::python::expect_kept_objects_of_threads(module);
    eagle::python::make_memory_type();
    eagle::python::bind_errors(module);
    eagle::python::bind_names(module);
    eagle::python::bind_backend(module);
    eagle::python::bind_artifact(module);
    eagle::python::bind_copy(module);
    eagle::python::bind_device_memory(module);
    eagle::python::bind_device_array(module);
    eagle::python::bind_exec(module);
    eagle::python::bind_ranks(module);
    eagle::python::bind_bound(module);
    eagle::python::bind_interop(module);
    eagle::python::bind_plan(module);
    eagle::python::bind_graph(module);
    eagle::python::bind_built_graph(module);
    eagle::python::bind_simulation(module);
    eagle::python::bind_active(module);
    eagle::python::bind_until_done(module);
    eagle::python::bind_trace(module);
}
