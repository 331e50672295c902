#include "GuardDesc.h"

#include <string>

#include "Check.h"

namespace eagle::host {
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

}  // namespace

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

}  // namespace eagle::host
