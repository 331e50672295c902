// What Plan and BoundPlan hold.
#pragma once
#include <eagle/Memory.h>
#include <eagle/Plan.h>
#include <eagle/marshal/Control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "exec/Busy.h"
#include "exec/Folding.h"
#include "exec/Kept.h"
#include "exec/Launcher.h"
#include "exec/Windows.h"

namespace eagle {

namespace exec {
struct Prepared;
}
namespace ranks {
class Exchanges;
struct Doing;
}  // namespace ranks

using NamedArgument = Arguments::value_type;

struct Plan::State {
    Kernel kernel;
    HostTeam team;
    std::optional<DeviceKernel> device;  // none: the team
    bool follows_arrays;                 // nobody said where
    std::optional<RankPartition> ranks;
    int npartitions;
    std::uint32_t parallel, grid;
    int control, steps, next;  // indices of the planes that the loader supplies, or -1

    // What one run needs beside its arguments. One that came back waits for the next run, so that a short run need not
    // make a stream. On a device its work may not be done.
    std::unique_ptr<BoundPlan::State> borrow() const;
    void give_back(std::unique_ptr<BoundPlan::State> state) const;
    // As borrow() where there are other ranks, and null where not; `refused` is set where it fails.
    std::unique_ptr<BoundPlan::State> for_ranks(std::exception_ptr& refused) const;
    // Returns when what came back is done.
    void synchronize() const;

    struct Idle {
        Idle() = default;
        Idle(Idle&& other) noexcept : value(other.value.exchange(nullptr)) {}
        ~Idle();
        std::atomic<BoundPlan::State*> value{nullptr};
    };
    mutable Idle idle{};

    // On a device there are as many as runs at the same time: the last that came back goes first, so that the runs of
    // one caller are on one stream.
    struct Pool {
        Pool();
        ~Pool();
        std::mutex mutex;
        std::vector<std::unique_ptr<BoundPlan::State>> states;
    };
    std::unique_ptr<Pool> pool = std::make_unique<Pool>();

    // Plans of the same kernel on the devices that arrays came from. Made as they are met.
    struct Elsewhere {
        std::mutex mutex;
        std::map<std::pair<std::string, std::int32_t>, std::shared_ptr<const State>> plans;
    };
    std::shared_ptr<Elsewhere> elsewhere = std::make_shared<Elsewhere>();

    // Of a mapreduce kernel.
    std::shared_ptr<const exec::Reducer> reducer{};
    // More comes after a launch than its end: planes of the other ranks, a fold.
    bool is_joint() const { return ranks || reducer; }
    // Boundaries between ranks lie at multiples of it.
    std::int64_t grain() const { return reducer ? exec::fold_block : 1; }

    static std::shared_ptr<const State> make(Kernel kernel, HostTeam team, std::optional<DeviceKernel> device,
                                             int npartitions, bool follows_arrays,
                                             std::optional<RankPartition> ranks = std::nullopt);
    BoundPlan bind_alone(const std::shared_ptr<const State>& self, const Arguments& arguments) const;
    BoundPlan bind_jointly(const std::shared_ptr<const State>& self, const Arguments& arguments,
                           std::exception_ptr refused) const;
    std::unique_ptr<BoundPlan::State> bound_to(const std::shared_ptr<const State>& self, const Arguments& arguments,
                                               std::unique_ptr<BoundPlan::State> bound, exec::Prepared prepared) const;
    // As exec::prepare(), holding the ranks meanwhile.
    exec::Prepared prepare_claimed(const Arguments& arguments, const marshal::Options& options,
                                   const std::exception_ptr& refused) const;
    // `refused`: what the arrays' places were refused with, where ranks have to be told of it; null for nothing.
    RunResult run_waiting(const std::shared_ptr<const State>& self, const Arguments& arguments, const RunOptions& run,
                          std::exception_ptr refused) const;
    RunResult run_on_device(const std::shared_ptr<const State>& self, const Arguments& arguments,
                            const RunOptions& run) const;
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
    void launch_on(std::uint64_t stream);
    void synchronize();
    // The same for work of `of`, by whom nobody is at work.
    void wait(const Plan::State& of);
    // Has a launch of `of` noted a fault that nobody was told of?
    bool is_faulty(const Plan::State& of) const;
    void narrow(std::int64_t count);
    // All of them or none; where the plan has ranks, on all of them.
    void rebind(std::span<const NamedArgument> wanted);
    struct Owner {
        std::string name;
        std::shared_ptr<void> memory;
        bool foreign;
    };
    // The memory of an argument lives as long as it is bound; without an owner it is the caller's. What keep() needs is
    // had before anything changes.
    std::vector<Owner> room_to_keep(std::span<const NamedArgument> those);
    void keep(std::vector<Owner> those);
    std::shared_ptr<const Plan::State> plan;  // null while nobody uses it
    marshal::Packed packed;
    std::unique_ptr<exec::Folding> folding;  // of a mapreduce kernel
    std::vector<Owner> owners;
    exec::Launcher launcher;
    exec::Kept kept;          // what was bound before and work of a device may use
    bool unfinished = false;  // work of a device that nobody has waited for
    std::vector<Partition> parts;
    exec::WindowSize window;
    double expected = -1;
    std::uint32_t launches = 0;
    exec::Claim busy{0};
    alignas(64) std::array<std::int64_t, marshal::Control::size> own_control{};
    std::optional<PinnedBuffer> pinned;  // its place on a device
    std::int64_t* control = own_control.data();

  private:
    void set(std::size_t index, const Value& value);
    Value bound_to(std::size_t index) const;
    struct Was {
        std::size_t index;
        Value value;
    };
    // All or none; returns what was bound.
    std::vector<Was> set_all(std::span<const NamedArgument> wanted);
    void set_back(const std::vector<Was>& before);
    void set_all_jointly(std::span<const NamedArgument> wanted);
    void split(std::int64_t count);
    void clear_control() { std::fill_n(control, marshal::Control::size, 0); }
    void launch_parts();
    void launch_windows(const Poll& poll);
    // `rank`: whose fault it is, where there are several.
    void finish_launch(int rank = -1);
    void launch_part(const Poll& poll, std::uint64_t stream);
    void launch_and_say(const Poll& poll, std::uint64_t stream, ranks::Doing& launch, ranks::Doing& exchange,
                        std::exception_ptr& mine);
    void finish_jointly(bool faulty, ranks::Doing& doing);
    void launch_jointly(const Poll& poll, std::uint64_t stream);
    void gather_written(ranks::Exchanges& exchanges);
    Partition own_samples() const;  // of a joint plan

    // The number of samples that `parts` and `expected` are of; -1 where that is a part of a batch.
    std::int64_t split_samples_ = -1;
};

namespace exec {
struct Inside {
    static BoundPlan::State& of(const BoundPlan& bound) { return bound.state(); }
};
}  // namespace exec

}  // namespace eagle
