// Recordings of what ran.
#include <Gil.h>
#include <eagle/Trace.h>
#include <nanobind/stl/filesystem.h>

#include "module.h"
#include "numbers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

void bind_trace(nb::module_& module) {
    nb::class_<Trace>(module, "Recording", "A recording of the whole process that runs from its making to stop().")
        .def(
            "__init__",
            [](Trace* self, const std::filesystem::path& path, nb::handle most) {
                TraceOptions options;
                options.max_events = static_cast<std::uint64_t>(whole_number(most, "max_events", 1));
                new (self) Trace(path, options);
            },
            "path"_a, "max_events"_a)
        .def(
            "stop", [](Trace& self) { (void)self.stop(); }, nb::call_guard<WithoutGil>(),
            "Ends it and writes the file; a second call does nothing.")
        .def_prop_ro("running", &Trace::running)
        .def_prop_ro("path", &Trace::file)
        .def_prop_ro("events", [](const Trace& self) { return self.summary().events; })
        .def_prop_ro("dropped", [](const Trace& self) { return self.summary().dropped; });
}

}  // namespace eagle::python
