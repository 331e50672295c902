#include "simulate/Asker.h"

#include <eagle/Error.h>

#include <algorithm>
#include <string>

namespace eagle::sim {

using exec::Clock;

void check_limits(const SimulateOptions& options) {
    if (options.max_steps < 1)
        throw InvalidArgument("max_steps is " + std::to_string(options.max_steps) + "; it must be at least 1");
    if (options.timeout && !(options.timeout->count() >= 0))
        throw InvalidArgument("timeout is " + std::to_string(options.timeout->count()) +
                              " s; it must be a number of seconds, 0 or more");
}

Clock::duration Asker::window() const {
    // A call must react within 0.1 s: half of that is left for the steps that a worker still makes.
    Clock::duration window = std::chrono::milliseconds(50);
    if (options_.timeout) {
        const std::chrono::duration<double> left = *options_.timeout - std::chrono::duration<double>(seconds());
        if (left < window) window = std::chrono::duration_cast<Clock::duration>(left);
    }
    return std::max(window, Clock::duration(std::chrono::microseconds(50)));
}

Stop Asker::ask(const Counted& samples) {
    asked_ = Clock::now();
    if (options_.poll && options_.poll()) return Stop::interrupted;
    // Counting a large batch takes a while; a twentieth of the run is what it may cost.
    if (options_.progress && exec::seconds_since(told_) >= 20 * counting_) tell(samples);
    return out_of_time() ? Stop::timeout : Stop::none;
}

void Asker::tell(const Counted& samples) {
    if (!options_.progress) return;
    const Clock::time_point before = Clock::now();
    const Tally tally = samples.tally(options_.max_steps);
    counting_ = exec::seconds_since(before);
    told_ = Clock::now();
    options_.progress({samples.count(), tally.done, tally.steps, seconds()});
}

}  // namespace eagle::sim
