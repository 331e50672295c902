// What happens when the interpreter ends.
#pragma once
#include <nanobind/nanobind.h>

#include "TypeRoutes.h"

namespace eagle::python {

// Objects that are still there at the end are reported as leaks; but threads that outlive the interpreter keep what
// they work with, and then nothing is reported. Without such threads, what is remembered of types goes here: a class of
// the program's own would keep all that its module holds, kernels and arrays too.
inline void expect_kept_objects_of_threads(nanobind::module_& module) {
    module.def("_at_exit", [] {
        // By thread; this one has no frame when it is asked from here.
        const auto frames = nanobind::cast<nanobind::dict>(nanobind::module_::import_("sys").attr("_current_frames")());
        const nanobind::int_ here(PyThread_get_thread_ident());
        bool alone = true;
        for (const auto& [thread, frame] : frames) alone = alone && thread.equal(here);
        if (alone) {
            forget_types();
        } else {
            nanobind::set_leak_warnings(false);
        }
    });
    nanobind::module_::import_("atexit").attr("register")(module.attr("_at_exit"));
}

}  // namespace eagle::python
