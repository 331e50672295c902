// A kernel joined with an execution structure, and the same with its arguments packed.
#pragma once
#include <eagle/Array.h>
#include <eagle/Exec.h>
#include <eagle/Kernel.h>
#include <eagle/Ranks.h>
#include <eagle/export.h>
#include <eagle/marshal/Pack.h>

#include <concepts>
#include <exception>
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
// which must outlive the call, or what was bound to it, and on a device the work.
class ArgumentValue : public Value {
  public:
    ArgumentValue(const Array& array) : Value(array.view()), owner_(array.owner()), foreign_(array.foreign()) {}
    // A view of memory that `owner` keeps there. It is let go of when nothing is bound to it and its work is done, on
    // any thread that calls this plan.
    ArgumentValue(const ArrayView& view, std::shared_ptr<void> owner)
        : Value(view), owner_(std::move(owner)), foreign_(true) {}
    template <class T>
        requires(!std::derived_from<std::remove_cvref_t<T>, Array> &&
                 !std::derived_from<std::remove_cvref_t<T>, ArgumentValue> && std::constructible_from<Value, T>)
    ArgumentValue(T&& value) : Value(std::forward<T>(value)) {}
    // Null for a number, and for a view without an owner.
    const std::shared_ptr<void>& owner() const { return owner_; }
    // Is the owner somebody else's? Memory of an Array is freed in the order of its device; other memory is free at
    // once.
    bool foreign() const { return foreign_; }

  private:
    std::shared_ptr<void> owner_;
    bool foreign_ = false;
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
    // named. On a device: puts the work on a stream of its own and returns; nobody is polled. The work waits, by event,
    // for all that the device's blocking streams were given before, which the default stream stands for.
    BoundPlan& launch();
    BoundPlan& launch(const Poll& poll);
    // The same on a device, in the order of `stream` (raw) too: the work waits for what is on it, and what is put on it
    // after waits for the work. On a team the stream means nothing.
    BoundPlan& launch_on(std::uint64_t stream);
    // Returns when all launches are done; on a device a fault of one of them is raised here.
    BoundPlan& synchronize();
    // One argument anew; on an error nothing changes. A number, or an array of the same shape rules.
    BoundPlan& rebind(const std::string& name, const ArgumentValue& value);
    // What follows launches the first `count` samples alone, samples() all of them, as with ActiveSet::live_span().
    // Throws InvalidArgument out of [0, samples()], and for a kernel that is not sample_local.
    BoundPlan& narrow(std::int64_t count);
    std::int64_t samples() const;
    bool on_device() const;
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
    // On a device: as in BoundPlan::launch_on(); 0 is the default stream, in whose order the work is anyway.
    std::uint64_t stream = 0;
    // Makes outputs below small_output_bytes, which then are not in RunResult::outputs; null: eagle makes them all.
    marshal::OutAllocator* small_outputs = nullptr;
};
inline constexpr std::size_t small_output_bytes = std::size_t{1} << 16;

// What run() made and met.
struct RunResult {
    std::vector<std::pair<std::string, Array>> outputs;  // allocated `out` planes, in packing order
    // What was copied for this call because it did not fit as it stands: one a layout, one a dtype, with the argument's
    // name and what to give instead. Empty where every array was taken in place. Nothing is printed.
    std::vector<marshal::Notice> notices;
    double seconds = 0;  // of the launch alone; negative on a device, where it is not known
};

// Immutable and re-entrant. One that was moved from throws BadHandle.
// A mapreduce kernel computes a value of each sample in its `out` planes, and a call gives what they fold to: one value
// of a sample's shape, in blocks of 4,096 samples, one after the other from the identity of exec_op (0, 1, minus
// infinity, true), and so the blocks: the same bits for any number of threads, partitions and ranks. A sample that does
// not run counts as the identity. Its launches return when the fold is done.
class EAGLE_API Plan {
  public:
    // Arrays decide where a call runs: those of the host run on all threads; those of a device run there, on streams of
    // the plan's own, with the same kernel loaded for the device's kind. A mix is refused naming one plane of each
    // side. Throws InvalidArgument naming the rule when the kernel's access class forbids the placement.
    explicit Plan(Kernel kernel);
    static Plan where_arrays_are(Kernel kernel, int npartitions);
    // On that team alone, or on that device alone: arrays that lie elsewhere are refused.
    Plan(Kernel kernel, HostTeam team, int npartitions = 1);
    Plan(Kernel kernel, DeviceKernel device, int npartitions = 1);
    // With the other ranks: this one does its part of the samples, on its own team or device. Binding, running and
    // launching are collective, and what fails on one rank fails on all of them.
    Plan(Kernel kernel, RankPartition ranks);
    static Plan where_arrays_are(Kernel kernel, RankPartition ranks, int npartitions);
    Plan(Kernel kernel, RankPartition ranks, HostTeam team, int npartitions = 1);
    Plan(Kernel kernel, RankPartition ranks, DeviceKernel device, int npartitions = 1);

    // Nothing is allocated, nothing converted: an array of another dtype than the kernel's argument (std::uint8_t and
    // std::int8_t serve for bool) throws BufferRefused, one of a layout that the kernel cannot read LayoutError.
    BoundPlan bind(const Arguments& arguments) const;
    // Allocates outputs that are not given, where the other arrays are. On the host, an array that the kernel only
    // reads is converted by value where its dtype cannot lose one (float32 or integers for a float64 argument; an int64
    // that float64 cannot hold throws InvalidArgument), and one in another layout is copied, with a notice each in the
    // result. What could lose a value (float64 for a float32 argument), and another dtype of a plane that is written,
    // throws BufferRefused as in bind(); on a device nothing is converted. On a team it returns when the work is done.
    // On a device it returns when the work is put there, in the order that BoundPlan::launch() says; arrays may go at
    // once. A fault inside the kernel is raised by synchronize(), or by a later run.
    RunResult run(const Arguments& arguments, const RunOptions& options = {}) const;
    // Returns when every run() that has returned is done, wherever its arrays lay; on a device a fault of one of them
    // is raised here.
    void synchronize() const;

    const Kernel& kernel() const;
    HostTeam team() const;
    const std::optional<DeviceKernel>& device() const;  // none for a plan with a team
    bool follows_arrays() const;                        // neither a team nor a device was given
    int npartitions() const;
    const std::optional<RankPartition>& ranks() const;

    struct State;

  private:
    explicit Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    const std::shared_ptr<const State>& place_of(const Arguments& arguments) const;
    std::shared_ptr<const State> placed(const Arguments& arguments, std::exception_ptr& refused) const;
    const State& state() const;
    std::shared_ptr<const State> state_;
};

}  // namespace eagle
