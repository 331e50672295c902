// Between the windows of a run: is it to go on?
#pragma once
#include <eagle/Simulate.h>

#include "exec/Windows.h"
#include "simulate/Samples.h"

namespace eagle::sim {

// Throws InvalidArgument for a max_steps or a timeout that are none.
void check_limits(const SimulateOptions& options);

enum class Stop : std::uint8_t { none, timeout, interrupted };

class Asker {
  public:
    // One a run; its clock starts here. The options outlive it.
    explicit Asker(const SimulateOptions& options) : options_(options) {}

    // Does anybody want to be asked? Otherwise a run is one launch.
    bool wanted() const { return options_.poll || options_.timeout || options_.progress; }
    // How long the next window may be.
    exec::Clock::duration window() const;
    bool due() const { return exec::Clock::now() - asked_ >= std::chrono::milliseconds(25); }
    bool out_of_time() const { return options_.timeout && exec::seconds_since(start_) >= options_.timeout->count(); }
    // Asks poll, tells progress, looks at the clock.
    Stop ask(const Counted& samples);
    // Tells progress how far it is.
    void tell(const Counted& samples);
    double seconds() const { return exec::seconds_since(start_); }

  private:
    const SimulateOptions& options_;
    exec::Clock::time_point start_ = exec::Clock::now(), asked_ = start_, told_ = start_;
    double counting_ = 0;  // seconds that the last count of the samples took
};

}  // namespace eagle::sim
