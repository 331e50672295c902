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
};

struct BoundPlan::State {
    State(std::shared_ptr<const Plan::State> of, marshal::Packed arguments);
    void launch_parts();
    void launch_windows(const Poll& poll);
    void finish_launch();

    std::shared_ptr<const Plan::State> plan;
    marshal::Packed packed;
    exec::Launcher launcher;
    std::vector<Partition> parts;
    exec::WindowSize window;
    double expected = -1;
    std::uint32_t launches = 0;
    std::atomic<bool> busy{false};
    alignas(64) std::array<std::int64_t, marshal::Control::size> control{};
};

}  // namespace eagle
