// The kernels of a simulation with their arguments packed.
#pragma once
#include <eagle/Simulate.h>
#include <eagle/marshal/Control.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exec/Launcher.h"

namespace eagle::sim {

// One kernel of the model, ready to launch.
struct Part {
    Part(const Kernel& of, marshal::Packed arguments);

    Kernel kernel;
    marshal::Packed packed;
    exec::Launcher launcher;
    int steps, next;  // index of the plane __steps, __next, or -1
    // Workers write these two all the time: each has its cache line.
    alignas(64) std::int64_t cursor = 0;
    alignas(64) std::array<std::int64_t, marshal::Control::size> control{};
};

class Model {
  public:
    // Throws what pack() throws, and InvalidArgument for a kernel that cannot be part of a step.
    Model(std::vector<Kernel> kernels, const Arguments& arguments, const SimulateOptions& options);

    std::int64_t samples() const { return samples_; }
    std::vector<std::unique_ptr<Part>>& parts() { return parts_; }
    // The kernel that counts the steps: the first that finishes.
    Part& counting() { return *parts_[counting_]; }
    // The mask that all kernels share, and its stride in elements.
    std::pair<const std::uint8_t*, std::int64_t> mask() const;
    // Brings arguments that had to be converted up to the caller's arrays, before a run.
    void refresh();
    void copy_back();
    std::vector<marshal::Notice> notices() const;
    // The array bound to a plane of any kernel. Throws ArgumentError naming the planes there are.
    const ArrayView& plane(const std::string& name) const;

  private:
    void check_kernels();
    void check_conversions() const;
    void allocate_mask();
    void pack();

    std::vector<Kernel> kernels_;
    Arguments arguments_;
    SamplesAxis layout_;
    std::string mask_name_;
    Array own_mask_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::size_t counting_ = 0;
    std::int64_t samples_ = 0;
};

}  // namespace eagle::sim
