// What nanobind says when the interpreter ends.
#pragma once
#include <nanobind/nanobind.h>

namespace eagle::python {

// Objects that are still there at the end are reported as leaks; but threads that outlive the interpreter keep what
// they work with, and then nothing is reported.
inline void expect_kept_objects_of_threads(nanobind::module_& module) {
    module.def("_at_exit", [] {
        // By thread; this one has no frame when it is asked from here.
        const auto frames = nanobind::cast<nanobind::dict>(nanobind::module_::import_("sys").attr("_current_frames")());
        const nanobind::int_ here(PyThread_get_thread_ident());
        for (const auto& [thread, frame] : frames)
            if (!thread.equal(here)) nanobind::set_leak_warnings(false);
    });
    nanobind::module_::import_("atexit").attr("register")(module.attr("_at_exit"));
}

}  // namespace eagle::python
