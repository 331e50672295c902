// How a batch is brought to its end.
#pragma once
#include <eagle/Simulate.h>

#include <memory>
#include <string>

#include "simulate/Asker.h"
#include "simulate/Model.h"

namespace eagle::sim {

// One a run of a simulation.
class Driver {
  public:
    virtual ~Driver() = default;
    // Advances every live sample until it finishes or has made `cap` steps in this run. Raises faults of the kernels.
    virtual Stop advance(std::int64_t cap, Asker& asker) = 0;
    virtual std::string report() const = 0;
};

// One launch of the kernel's run entry, cut into windows only when somebody wants to be asked.
std::unique_ptr<Driver> make_run_driver(Model& model, const Samples& samples, HostTeam team);
// A launch of every kernel's step entry for each step.
std::unique_ptr<Driver> make_step_driver(Model& model, const Samples& samples, HostTeam team);
// The one that fits the model.
std::unique_ptr<Driver> make_driver(Model& model, const Samples& samples, HostTeam team);

}  // namespace eagle::sim
