#include "Guard.h"

#include <eagle/seam/eagle_backend.h>

namespace eagle::host {
namespace {

std::uint32_t& cell(std::uint64_t address, std::uint64_t place = 0) {
    return reinterpret_cast<std::uint32_t*>(address)[place];
}

}  // namespace

bool Guard::holds() const { return (cell(count) != (baseline ? cell(baseline) : 0)) != is_negated; }

bool Guard::is_below_limit(std::uint32_t ran) const { return limit == 0 || ran < cell(limit); }

std::uint32_t Guard::first() const {
    switch (kind) {
        case GuardKind::one_arm:
            return holds() ? 0 : no_arm;
        case GuardKind::two_arms:
            return holds() ? 0 : 1;
        case GuardKind::one_of_many:
            return cell(count) < arms ? cell(count) : no_arm;
        case GuardKind::loop:
            break;
    }
    cell(counter, 0) = most_turns;
    cell(counter, 1) = 0;
    if (brk) __atomic_store_n(&cell(brk), 0u, __ATOMIC_RELAXED);
    return holds() && is_below_limit(0) ? 0 : no_arm;
}

std::uint32_t Guard::next() const {
    std::uint32_t remaining = --cell(counter, 0), ran = ++cell(counter, 1);
    bool goes_on = remaining > 0 || most_turns == EAGLE_BACKEND_LOOP_UNCAPPED;
    // Set from outside as well, by who wants the loop to end.
    const bool breaks = brk && __atomic_load_n(&cell(brk), __ATOMIC_RELAXED) != 0;
    return goes_on && holds() && is_below_limit(ran) && !breaks ? 0 : no_arm;
}

}  // namespace eagle::host
