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

    // A launcher for one caller. One that came back waits for the next, so that a short run need not make a stream.
    std::unique_ptr<exec::Launcher> borrow() const {
        if (exec::Launcher* const kept = idle.value.exchange(nullptr)) return std::unique_ptr<exec::Launcher>(kept);
        return std::make_unique<exec::Launcher>(kernel);
    }
    void give_back(std::unique_ptr<exec::Launcher> launcher) const { delete idle.value.exchange(launcher.release()); }

    struct Idle {
        Idle() = default;
        Idle(Idle&& other) noexcept : value(other.value.exchange(nullptr)) {}
        ~Idle() { delete value.load(); }
        std::atomic<exec::Launcher*> value{nullptr};
    };
    mutable Idle idle{};
};

struct BoundPlan::State {
    State(std::shared_ptr<const Plan::State> of, marshal::Packed arguments);
    ~State();
    void launch_parts();
    void launch_windows(const Poll& poll);
    void finish_launch();

    std::shared_ptr<const Plan::State> plan;
    marshal::Packed packed;
    std::unique_ptr<exec::Launcher> launcher;
    std::vector<Partition> parts;
    exec::WindowSize window;
    double expected = -1;
    std::uint32_t launches = 0;
    std::atomic<bool> busy{false};
    alignas(64) std::array<std::int64_t, marshal::Control::size> control{};
};

}  // namespace eagle
