// The group conditional, and the call that re-points a node's cells.
#include "../Conditional.h"

#include "../Launcher.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

using Desc = struct eagle_backend_conditional_desc;

void require_option(bool is_asked, std::uint64_t bit, const char* kind) {
    if (!is_asked || (this_kind.capabilities() & bit)) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                  std::string("desc->kind is ") + kind + ", which this driver does not have; it needs a newer one");
}

void require_conditionals(const eagle::host::Guard& guard) {
    if (!(this_kind.capabilities() & EAGLE_BACKEND_CAP_CONDITIONAL)) {
        throw Failure(EAGLE_BACKEND_UNAVAILABLE,
                      "this driver has no conditional nodes, or lacks a function that they need; it needs a newer one");
    }
    using eagle::host::GuardKind;
    require_option(guard.kind == GuardKind::two_arms, EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE, "if and else");
    require_option(guard.kind == GuardKind::one_of_many, EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH, "switch");
}

}  // namespace

eagle_backend_status eagle_backend_conditional_create(const struct eagle_backend_conditional_desc* desc,
                                                      eagle_backend_conditional* out) {
    return entry("eagle_backend_conditional_create", [&] {
        Desc d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device, d.origin);
        require_output(out, "out");
        const eagle::host::Guard guard = eagle::host::guard_of(d);
        if (d.origin < 2) refuse("desc->origin is the legacy default stream, which no capture takes");
        require_conditionals(guard);
        require_no_capture_here("making a conditional");
        hand_out(std::make_unique<Conditional>(guard, d.origin, device), out);
    });
}

eagle_backend_status eagle_backend_conditional_begin(eagle_backend_conditional h, uint64_t* body_stream) {
    return entry("eagle_backend_conditional_begin", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(body_stream, "body_stream");
        const Current current(conditional.device());
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
        const Current current(conditional.device());
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
        const Current current(conditional.device());
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
            launcher.set_guard(node, eagle::host::guard_of(d));
        },
        no_memory);
}
