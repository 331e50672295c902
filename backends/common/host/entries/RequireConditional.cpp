// Which guards a conditional node can have.
#include "Entries.h"
#include "Samples.h"

namespace eagle::host {

void require_conditional(const Guard& guard, std::int32_t device) {
    constexpr std::uint64_t cell = sizeof(std::uint32_t);
    Reach reach(device);
    reach.require(guard.count, cell, "desc->count_ptr");
    reach.require(guard.baseline, cell, "desc->baseline_ptr");
    if (guard.is_loop()) reach.require(guard.counter, 2 * cell, "desc->counter_ptr");
    reach.require(guard.brk, cell, "desc->brk_ptr");
    reach.require(guard.limit, cell, "desc->limit_ptr");
}

}  // namespace eagle::host
