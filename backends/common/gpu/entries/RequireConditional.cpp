// Which conditional nodes the driver has.
#include "Entries.h"

namespace eagle::gpu {
namespace {

void require_option(bool is_asked, std::uint64_t bit, const char* kind) {
    if (!is_asked || (this_kind.capabilities() & bit)) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                  std::string("desc->kind is ") + kind + ", which this driver does not have; it needs a newer one");
}

}  // namespace

void require_conditional(const Guard& guard, int) {
    if (!(this_kind.capabilities() & EAGLE_BACKEND_CAP_CONDITIONAL)) {
        throw Failure(EAGLE_BACKEND_UNAVAILABLE,
                      "this driver has no conditional nodes, or lacks a function that they need; it needs a newer one");
    }
    using host::GuardKind;
    require_option(guard.kind == GuardKind::two_arms, EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE, "if and else");
    require_option(guard.kind == GuardKind::one_of_many, EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH, "switch");
}

}  // namespace eagle::gpu
