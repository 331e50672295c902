// A batch on a device whose samples the kernel's run entry brings to their ends.
#pragma once
#include <eagle/Plan.h>

#include <cstdint>
#include <string>

#include "exec/PlanState.h"
#include "simulate/Driver.h"

namespace eagle::sim {

// One launch, cut into windows only when somebody wants to be asked. One a run.
class DeviceRun final : public Driver, public Counted {
  public:
    // Is a launch of the run entry the same as the plan's steps one after another?
    static bool fits(const BoundPlan& bound);
    // The plan outlives it, and nobody else uses it meanwhile.
    explicit DeviceRun(const BoundPlan& bound);
    ~DeviceRun() override;
    DeviceRun(const DeviceRun&) = delete;
    DeviceRun& operator=(const DeviceRun&) = delete;

    Stop advance(std::int64_t cap, Asker& asker) override;
    std::string report() const override;
    std::int64_t count() const override { return bound_.packed.samples(); }
    Tally tally(std::int64_t cap) const override;

    // Mask and steps as they are between two launches, copied to the host.
    struct Seen {
        Array mask, steps;
        Samples samples() const;
    };
    Seen look() const;

  private:
    bool launch(const Asker& asker);
    void put_and_wait();

    BoundPlan::State& bound_;
    ArrayView mask_;
    Array steps_, next_;
    std::uint32_t grid_;
    std::int64_t windows_ = 0;
    int doublings_ = 0;  // of the time of a window
};

}  // namespace eagle::sim
