// A simulation prepared for where its arrays lie.
#pragma once
#include <eagle/Simulate.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace eagle::sim {

// One caller at a time.
class Runner {
  public:
    virtual ~Runner() = default;
    virtual SimResult run() = 0;
    virtual std::int64_t samples() const = 0;
};

// On a device, where all arrays lie. The options outlive it. Throws what Simulation's constructor does.
std::unique_ptr<Runner> make_device_runner(const std::vector<Kernel>& kernels, const Arguments& arguments,
                                           const SimulateOptions& options, const DeviceKernel& device);

}  // namespace eagle::sim
