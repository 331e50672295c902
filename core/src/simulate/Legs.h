// A run of a simulation from one look at its state to the next.
#pragma once
#include <eagle/Simulate.h>

#include "simulate/Driver.h"

namespace eagle::sim {

// What a run shows of itself between its legs.
class Shown {
  public:
    virtual ~Shown() = default;
    virtual void record() = 0;
    virtual bool is_finished() = 0;  // every sample is
};

// To the end at once or, where somebody looks at the state, in legs of `every` steps.
SimStatus advance(Driver& driver, Asker& asker, Shown& shown, const SimulateOptions& options);

}  // namespace eagle::sim
