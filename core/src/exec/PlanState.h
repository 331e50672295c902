// What Plan and BoundPlan hold.
#pragma once
#include <eagle/Plan.h>
#include <eagle/marshal/Control.h>

#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "exec/Launcher.h"
#include "exec/Windows.h"

namespace eagle {

struct Plan::State {
    Kernel kernel;
    HostTeam team;
    int npartitions;
    std::uint32_t parallel;
    int control, steps, next;  // indices of the planes that the loader supplies, or -1

    // What one run needs beside its arguments. One that came back waits for the next run, so that a short run need not
    // make a stream.
    std::unique_ptr<BoundPlan::State> borrow() const;
    void give_back(std::unique_ptr<BoundPlan::State> state) const;

    struct Idle {
        Idle() = default;
        Idle(Idle&& other) noexcept : value(other.value.exchange(nullptr)) {}
        ~Idle();
        std::atomic<BoundPlan::State*> value{nullptr};
    };
    mutable Idle idle{};
};

struct BoundPlan::State {
    explicit State(const Kernel& kernel) : launcher(kernel) {}
    // Takes over arguments packed for `of`.
    void take(std::shared_ptr<const Plan::State> of, marshal::Packed arguments);
    void launch();
    void launch(const Poll& poll);

    std::shared_ptr<const Plan::State> plan;  // null while nobody uses it
    marshal::Packed packed;
    exec::Launcher launcher;
    std::vector<Partition> parts;
    exec::WindowSize window;
    double expected = -1;
    std::uint32_t launches = 0;
    std::atomic<bool> busy{false};
    alignas(64) std::array<std::int64_t, marshal::Control::size> control{};

  private:
    void launch_parts();
    void launch_windows(const Poll& poll);
    void finish_launch();

    std::int64_t split_samples_ = -1;  // the number of samples that `parts` and `expected` are of
};

}  // namespace eagle
