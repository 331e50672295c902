#include "simulate/Legs.h"

#include <algorithm>
#include <string>

#include "trace/Span.h"

namespace eagle::sim {

SimStatus advance(Driver& driver, Asker& asker, Shown& shown, const SimulateOptions& options) {
    const bool by_legs = options.until || !options.record.empty();
    for (std::int64_t cap = 0; cap < options.max_steps;) {
        const std::int64_t left = options.max_steps - cap;
        const std::int64_t leg = by_legs ? std::min(options.every, left) : left;
        cap += leg;
        const Stop stop = [&] {
            const trace::Span span([&] { return trace::Label{"simulate", "advance to step " + std::to_string(cap)}; });
            return driver.advance(cap, asker);
        }();
        if (stop != Stop::none) return stop == Stop::timeout ? SimStatus::timeout : SimStatus::interrupted;
        if (!by_legs) break;  // what it came to is counted once, at the end
        if (leg == options.every) {
            const trace::Span span([&] { return trace::Label{"simulate", "record step " + std::to_string(cap)}; });
            shown.record();
        }
        if (shown.is_finished()) return SimStatus::finished;
        if (options.until && leg == options.every) {
            const trace::Span span([] { return trace::Label{"simulate", "ask until"}; });
            const bool enough = options.until();
            // What was asked may have left a reason to stop, and then that is why.
            if (options.poll && options.poll()) return SimStatus::interrupted;
            if (enough) return SimStatus::until;
        }
    }
    return SimStatus::max_steps;
}

}  // namespace eagle::sim
