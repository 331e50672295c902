// The group conditional, and the call that re-points a node's cells.
#include "../Conditional.h"

#include "../GuardDesc.h"
#include "../Launcher.h"
#include "Entries.h"
#include "Samples.h"

using namespace eagle::host;

namespace {

using Desc = struct eagle_backend_conditional_desc;

void require_reachable(const Guard& guard, std::int32_t device) {
    constexpr std::uint64_t cell = sizeof(std::uint32_t);
    Reach reach(device);
    reach.require(guard.count, cell, "desc->count_ptr");
    reach.require(guard.baseline, cell, "desc->baseline_ptr");
    if (guard.is_loop()) reach.require(guard.counter, 2 * cell, "desc->counter_ptr");
    reach.require(guard.brk, cell, "desc->brk_ptr");
    reach.require(guard.limit, cell, "desc->limit_ptr");
}

}  // namespace

eagle_backend_status eagle_backend_conditional_create(const struct eagle_backend_conditional_desc* desc,
                                                      eagle_backend_conditional* out) {
    return entry("eagle_backend_conditional_create", [&] {
        Desc d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        require_device(d.device);
        require_output(out, "out");
        Guard guard = guard_of(d);
        if (d.origin == 0) refuse("desc->origin is 0, the legacy default stream, which no capture takes");
        const Stream& origin = Streams::of_process().of_raw(d.origin, d.device);
        require_reachable(guard, origin.device);
        require_no_capture_here("making a conditional");
        hand_out(std::make_unique<Conditional>(guard, d.origin), out);
    });
}

eagle_backend_status eagle_backend_conditional_begin(eagle_backend_conditional h, uint64_t* body_stream) {
    return entry("eagle_backend_conditional_begin", [&] {
        Conditional& conditional = object_of<Conditional>(h);
        require_output(body_stream, "body_stream");
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
    return entry("eagle_backend_conditional_end", [&] { object_of<Conditional>(h).end(); });
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
            require_device(d.device);
            const Guard guard = guard_of(d);
            require_reachable(guard, launcher.device());
            launcher.set_guard(node, guard);
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}
