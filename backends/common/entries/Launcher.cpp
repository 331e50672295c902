// The group launcher.
#include "Entries.h"

using namespace eagle::engine;

eagle_backend_status eagle_backend_launcher_launch(eagle_backend_launcher h) {
    return entry("eagle_backend_launcher_launch", [&] { object_of<Launcher>(h).launch(); });
}

eagle_backend_status eagle_backend_launcher_synchronize(eagle_backend_launcher h) {
    return entry("eagle_backend_launcher_synchronize", [&] { object_of<Launcher>(h).synchronize(); });
}

eagle_backend_status eagle_backend_launcher_stream(eagle_backend_launcher h, uint64_t stream) {
    return entry("eagle_backend_launcher_stream", [&] { object_of<Launcher>(h).set_stream(stream); });
}

eagle_backend_status eagle_backend_launcher_set_logical_size(eagle_backend_launcher h, int64_t logical_size) {
    return entry("eagle_backend_launcher_set_logical_size",
                 [&] { object_of<Launcher>(h).set_logical_size(logical_size); });
}

eagle_backend_status eagle_backend_launcher_kernel_node_count(eagle_backend_launcher h, int64_t* count) {
    return entry("eagle_backend_launcher_kernel_node_count", [&] {
        Launcher& launcher = object_of<Launcher>(h);
        require_output(count, "count");
        *count = launcher.kernels_that_fit();
    });
}

eagle_backend_status eagle_backend_launcher_set_node_enabled(eagle_backend_launcher h, uint64_t node, int32_t enabled) {
    return entry("eagle_backend_launcher_set_node_enabled",
                 [&] { object_of<Launcher>(h).set_enabled(node, enabled != 0); });
}

void eagle_backend_launcher_release(eagle_backend_launcher h) {
    release<Launcher>("eagle_backend_launcher_release", h);
}

eagle_backend_status eagle_backend_launcher_set_kernel_params(eagle_backend_launcher h, uint64_t node,
                                                              const uint64_t* params, int64_t nparams) {
    return entry("eagle_backend_launcher_set_kernel_params", [&] {
        if (nparams < 0) refuse("nparams is " + std::to_string(nparams) + "; it must be 0 or more");
        if (nparams > 0 && !params) refuse("params is null; it must hold nparams addresses");
        object_of<Launcher>(h).set_arguments(node, params, nparams);
    });
}

eagle_backend_status eagle_backend_launcher_set_memcpy_source(eagle_backend_launcher h, uint64_t node, uint64_t src) {
    return entry("eagle_backend_launcher_set_memcpy_source", [&] { object_of<Launcher>(h).set_source(node, src); });
}

eagle_backend_status eagle_backend_launcher_exec_update(eagle_backend_launcher h, eagle_backend_captured c,
                                                        int32_t* updated) {
    return entry("eagle_backend_launcher_exec_update", [&] {
        Launcher& launcher = object_of<Launcher>(h);
        auto graph = object_of<Captured>(c).graph;
        require_output(updated, "updated");
        *updated = launcher.update(std::move(graph)) ? 1 : 0;
    });
}
