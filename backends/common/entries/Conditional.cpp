// The group conditional, and the call that re-points a node's cells.
#include "Entries.h"

using namespace eagle::engine;

namespace {

using Desc = struct eagle_backend_conditional_desc;

}  // namespace

eagle_backend_status eagle_backend_conditional_create(const struct eagle_backend_conditional_desc* desc,
                                                      eagle_backend_conditional* out) {
    return entry("eagle_backend_conditional_create", [&] {
        Desc d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device, d.origin);
        require_output(out, "out");
        const Guard guard = guard_of(d);
        require_capturable(d.origin, d.device, "desc->origin");
        require_conditional(guard, device_of_origin(d.origin, device));
        require_no_capture_here("making a conditional");
        hand_out(make_conditional(guard, d.origin, device), out);
    });
}

eagle_backend_status eagle_backend_conditional_begin(eagle_backend_conditional h, uint64_t* body_stream) {
    return entry("eagle_backend_conditional_begin", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(body_stream, "body_stream");
        const OnDeviceOf on(conditional);
        conditional.begin();
        *body_stream = conditional.stream(0);
    });
}

eagle_backend_status eagle_backend_conditional_body_stream(eagle_backend_conditional h, uint64_t* body_stream) {
    return entry("eagle_backend_conditional_body_stream", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(body_stream, "body_stream");
        *body_stream = conditional.stream(0);
    });
}

eagle_backend_status eagle_backend_conditional_is_loop(eagle_backend_conditional h, int32_t* is_loop) {
    return entry("eagle_backend_conditional_is_loop", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(is_loop, "is_loop");
        *is_loop = conditional.is_loop() ? 1 : 0;
    });
}

eagle_backend_status eagle_backend_conditional_end(eagle_backend_conditional h) {
    return entry("eagle_backend_conditional_end", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        const OnDeviceOf on(conditional);
        conditional.end();
    });
}

void eagle_backend_conditional_release(eagle_backend_conditional h) {
    release<Conditional>("eagle_backend_conditional_release", h);
}

eagle_backend_status eagle_backend_conditional_arm_stream(eagle_backend_conditional h, uint64_t arm, uint64_t* stream) {
    return entry("eagle_backend_conditional_arm_stream", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(stream, "stream");
        *stream = conditional.stream(arm);
    });
}

eagle_backend_status eagle_backend_conditional_nodes(eagle_backend_conditional h, int64_t arm, uint64_t** nodes,
                                                     int64_t* count) {
    return entry("eagle_backend_conditional_nodes", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(nodes, "nodes");
        require_output(count, "count");
        const OnDeviceOf on(conditional);
        give(conditional.nodes(arm), nodes, count);
    });
}

eagle_backend_status eagle_backend_sdk_launcher_set_conditional(eagle_backend_launcher h, uint64_t node,
                                                                const struct eagle_backend_conditional_desc* desc) {
    return entry(
        "eagle_backend_sdk_launcher_set_conditional",
        [&] {
            Launcher& launcher = object_of<Launcher>(h);
            Desc d = read_desc(desc, "desc");
            require_flags(d.flags, 0, "desc");
            device_of(d.device);
            const Guard guard = guard_of(d);
            require_conditional(guard, launcher.device());
            launcher.set_guard(node, guard);
        },
        no_memory);
}
