// What Plan and BoundPlan hold.
#pragma once
#include <eagle/Memory.h>
#include <eagle/Plan.h>
#include <eagle/marshal/Control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exec/Launcher.h"
#include "exec/Windows.h"

namespace eagle {

struct Plan::State {
    Kernel kernel;
    HostTeam team;
    std::optional<DeviceKernel> device;  // none: the team
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

    // Plans of the same kernel on the devices that arrays came from. Made as they are met.
    struct Elsewhere {
        std::mutex mutex;
        std::map<std::pair<std::string, std::int32_t>, std::shared_ptr<const State>> plans;
    };
    std::shared_ptr<Elsewhere> elsewhere = std::make_shared<Elsewhere>();

    static std::shared_ptr<const State> make(Kernel kernel, HostTeam team, std::optional<DeviceKernel> device,
                                             int npartitions);
    // What the arguments are packed with: where they must be, and what is done with those that do not fit.
    marshal::Options packing(marshal::Conversion conversion) const;
};

struct BoundPlan::State {
    explicit State(const Plan::State& of);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    // Takes over arguments packed for `of`.
    void take(std::shared_ptr<const Plan::State> of, marshal::Packed arguments);
    void launch();
    void launch(const Poll& poll);
    void synchronize();
    void narrow(std::int64_t count);
    // The memory of an argument lives as long as it is bound; null for an argument whose memory is the caller's.
    void keep(const std::string& name, std::shared_ptr<void> owner);

    std::shared_ptr<const Plan::State> plan;  // null while nobody uses it
    marshal::Packed packed;
    std::vector<std::pair<std::string, std::shared_ptr<void>>> owners;
    std::vector<std::shared_ptr<void>> retired;  // until the next synchronize
    exec::Launcher launcher;
    std::vector<Partition> parts;
    exec::WindowSize window;
    double expected = -1;
    std::uint32_t launches = 0;
    std::atomic<bool> busy{false};
    alignas(64) std::array<std::int64_t, marshal::Control::size> own_control{};
    std::optional<PinnedBuffer> pinned;  // its place on a device
    std::int64_t* control = own_control.data();

  private:
    void split(std::int64_t count);
    void clear_control() { std::fill_n(control, marshal::Control::size, 0); }
    void launch_parts();
    void launch_windows(const Poll& poll);
    void finish_launch();

    // The number of samples that `parts` and `expected` are of; -1 where that is a part of a batch.
    std::int64_t split_samples_ = -1;
};

namespace exec {
struct Inside {
    static BoundPlan::State& of(const BoundPlan& bound) { return bound.state(); }
};
}  // namespace exec

}  // namespace eagle
