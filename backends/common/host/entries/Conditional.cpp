// The group conditional, and the call that re-points a node's cells.
#include "../Conditional.h"

#include "../Launcher.h"
#include "Entries.h"
#include "Samples.h"

using namespace eagle::host;

namespace {

using Desc = struct eagle_backend_conditional_desc;

void require_cell(std::uint64_t address, const char* name, bool is_needed) {
    if (address == 0 && is_needed) refuse(std::string("desc->") + name + " is null; pass the address of a uint32_t");
    if (address % sizeof(std::uint32_t) != 0) {
        refuse(std::string("desc->") + name + " is not aligned to 4 bytes, as a uint32_t is");
    }
}

void require_of_loops_alone(std::uint64_t address, const char* name) {
    if (address != 0) refuse(std::string("desc->") + name + " is of a while; leave it 0 for other kinds");
}

GuardKind kind_of(const Desc& d) {
    switch (d.kind) {
        case EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED:
            return d.counter_ptr ? GuardKind::loop : GuardKind::one_arm;
        case EAGLE_BACKEND_CONDITIONAL_KIND_IF:
            return GuardKind::one_arm;
        case EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE:
            return GuardKind::two_arms;
        case EAGLE_BACKEND_CONDITIONAL_KIND_WHILE:
            return GuardKind::loop;
        case EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH:
            return GuardKind::one_of_many;
        default:
            break;
    }
    throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                  "desc->kind is " + std::to_string(d.kind) +
                      "; it must be 0 (derived), 1 (if), 2 (if and else), 3 (while) or 4 (switch)");
}

void check_cells(const Desc& d, const Guard& guard) {
    require_cell(d.count_ptr, "count_ptr", true);
    require_cell(d.baseline_ptr, "baseline_ptr", false);
    require_cell(d.counter_ptr, "counter_ptr", guard.is_loop());
    require_cell(d.brk_ptr, "brk_ptr", false);
    require_cell(d.limit_ptr, "limit_ptr", false);
    if (guard.is_loop()) {
        if (d.loop_cap == 0) refuse("desc->loop_cap is 0; it must be 1 or more (0xffffffff for no bound)");
        return;
    }
    require_of_loops_alone(d.brk_ptr, "brk_ptr");
    require_of_loops_alone(d.limit_ptr, "limit_ptr");
}

Guard guard_of(const Desc& d) {
    Guard guard;
    guard.kind = kind_of(d);
    if (d.reserved != 0) refuse("desc->reserved is " + std::to_string(d.reserved) + "; it must be 0");
    if (d.negate > 1) refuse("desc->negate is " + std::to_string(d.negate) + "; it must be 0 or 1");
    bool is_switch = guard.kind == GuardKind::one_of_many;
    if (is_switch && d.arms == 0) refuse("desc->arms is 0; a switch has 1 or more");
    if (is_switch && d.negate != 0) refuse("desc->negate is 1; a switch has no guard to invert");
    check_cells(d, guard);
    guard.arms = is_switch ? d.arms : guard.kind == GuardKind::two_arms ? 2 : 1;
    guard.is_negated = d.negate != 0;
    guard.most_turns = d.loop_cap;
    guard.count = d.count_ptr;
    guard.baseline = d.baseline_ptr;
    guard.counter = d.counter_ptr;
    guard.brk = d.brk_ptr;
    guard.limit = d.limit_ptr;
    return guard;
}

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
