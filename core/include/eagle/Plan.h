// A kernel joined with an execution structure, and the same with its arguments packed.
#pragma once
#include <eagle/Array.h>
#include <eagle/Exec.h>
#include <eagle/Kernel.h>
#include <eagle/export.h>
#include <eagle/marshal/Pack.h>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace eagle {

namespace exec {
struct Inside;  // the way of eagle's own loops to what a bound plan holds
}

using marshal::Value;

// The value of one argument: a number, an Array, whose memory the argument shares, or a view of somebody's memory,
// which must outlive the call, or what was bound to it.
class ArgumentValue : public Value {
  public:
    ArgumentValue(const Array& array) : Value(array.view()), owner_(array.owner()) {}
    template <class T>
        requires(!std::derived_from<std::remove_cvref_t<T>, Array> &&
                 !std::derived_from<std::remove_cvref_t<T>, ArgumentValue> && std::constructible_from<Value, T>)
    ArgumentValue(T&& value) : Value(std::forward<T>(value)) {}
    // Of an Array; null for the rest.
    const std::shared_ptr<void>& owner() const { return owner_; }

  private:
    std::shared_ptr<void> owner_;
};
// Names and values of a call, in any order.
using Arguments = std::vector<std::pair<std::string, ArgumentValue>>;

// Asked about every 25 ms between the windows of a long launch, on the calling thread; true stops the call, which then
// throws Interrupted.
using Poll = std::function<bool()>;

// The poll asked to stop. Every worker has stopped; `done` samples of the launch were done.
class EAGLE_API Interrupted : public Error {
  public:
    Interrupted(const std::string& text, std::int64_t done) : Error(text), done_(done) {}
    std::int64_t done() const { return done_; }

  private:
    std::int64_t done_;
};

// Arguments packed, ready to launch again and again. One caller at a time: a second entry throws Busy. An Array lives
// as long as it is bound; what was given as a view the caller keeps alive. One that was moved from throws BadHandle.
class EAGLE_API BoundPlan {
  public:
    ~BoundPlan();
    BoundPlan(BoundPlan&&) noexcept;
    BoundPlan& operator=(BoundPlan&&) noexcept;

    // On a team: returns when the work is done, and raises a fault inside the kernel, with the lowest faulty sample
    // named. On a device: puts the work on its stream and returns; nobody is polled.
    BoundPlan& launch();
    BoundPlan& launch(const Poll& poll);
    // Returns when all launches are done; on a device a fault of one of them is raised here.
    BoundPlan& synchronize();
    // One argument anew; on an error nothing changes. A number, or an array of the same shape rules.
    BoundPlan& rebind(const std::string& name, const ArgumentValue& value);
    // What follows launches the first `count` samples alone, samples() all of them, as with ActiveSet::live_span().
    // Throws InvalidArgument out of [0, samples()], and for a kernel that is not sample_local.
    BoundPlan& narrow(std::int64_t count);
    std::int64_t samples() const;
    // Time of a launch by the last one, in seconds; negative when not known. A binding decides by it whether to give up
    // a lock.
    double expected_seconds() const;
    const marshal::Packed& packed() const;

    struct State;
    explicit BoundPlan(std::unique_ptr<State> state);

  private:
    friend struct exec::Inside;
    State& state() const;
    std::unique_ptr<State> state_;
};

struct RunOptions {
    SamplesAxis layout = SamplesAxis::unspecified;
    Poll poll;
    // Makes outputs below small_output_bytes, which then are not in RunResult::outputs; null: eagle makes them all.
    marshal::OutAllocator* small_outputs = nullptr;
};
inline constexpr std::size_t small_output_bytes = std::size_t{1} << 16;

// What run() made and met.
struct RunResult {
    std::vector<std::pair<std::string, Array>> outputs;  // allocated `out` planes, in packing order
    std::vector<marshal::Notice> notices;
    double seconds = 0;  // of the launch alone
};

// Immutable and re-entrant. One that was moved from throws BadHandle.
class EAGLE_API Plan {
  public:
    // Throws InvalidArgument naming the rule when the kernel's access class forbids the placement.
    // Arrays of the host run on the team. A call whose arrays lie on a device runs there, on a stream of the plan's
    // own, with the same kernel loaded for the device's kind; a mix is refused naming one plane of each side.
    explicit Plan(Kernel kernel, HostTeam team = {}, int npartitions = 1);
    // On that device alone.
    Plan(Kernel kernel, DeviceKernel device, int npartitions = 1);

    // Nothing is allocated, nothing converted.
    BoundPlan bind(const Arguments& arguments) const;
    // Allocates outputs that are not given, where the other arrays are; on the host it converts safely, with a notice
    // each. Returns when the work is done.
    RunResult run(const Arguments& arguments, const RunOptions& options = {}) const;

    const Kernel& kernel() const;
    HostTeam team() const;
    const std::optional<DeviceKernel>& device() const;  // none for a plan with a team
    int npartitions() const;

    struct State;

  private:
    const std::shared_ptr<const State>& place_of(const Arguments& arguments) const;
    const State& state() const;
    std::shared_ptr<const State> state_;
};

}  // namespace eagle
