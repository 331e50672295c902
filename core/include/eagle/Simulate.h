// Run a batch until each sample finishes.
#pragma once
#include <eagle/Plan.h>
#include <eagle/export.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eagle {

struct Progress {
    std::int64_t samples = 0, done = 0;  // done: finished or at the cap
    std::int64_t steps = 0;              // of all samples, so far in this call
    double seconds = 0;
};

struct SimulateOptions {
    std::int64_t max_steps = 0;  // of each sample in this call; at least 1; never overshot
    // Arrays decide where it runs: on the host on `team`, or on their device, by a kernel's run entry where that fits.
    HostTeam team;
    std::optional<DeviceKernel> device;  // on that device alone
    bool on_team_alone = false;          // arrays of a device are refused
    std::function<bool()> until;         // asked every `every` steps; true stops the run with status "until"
    std::int64_t every = 0;              // needed with until or record
    std::vector<std::string> record;     // planes copied every `every` steps
    std::function<void(const Progress&)> progress;
    std::optional<std::chrono::duration<double>> timeout;
    // As in Plan.h, and behind every until: true stops the run with status "interrupted", whatever until said.
    Poll poll;
    SamplesAxis layout = SamplesAxis::unspecified;
    // Names of options that a binding takes beside the arguments and by name as these: what is none of both is told of
    // them.
    std::vector<std::string> keywords;
};

enum class SimStatus : std::uint8_t { finished, max_steps, timeout, interrupted, until };
EAGLE_API std::string_view status_name(SimStatus status);

struct SimResult {
    SimStatus status = SimStatus::finished;
    bool finished = false;                // every sample finished
    std::int64_t samples = 0, done = 0;   // done: how many finished
    std::int64_t steps = 0;               // of all samples together, in this call, exact
    Array steps_per_sample;               // int64 (N,), exact; a sample terminated on entry has 0
    Array finished_mask;                  // bool (N,), of the host: the terminated plane after the run
    std::optional<Array> allocated_mask;  // on a device: the terminated plane itself, where nobody gave one
    double wall_s = 0;
    std::string report;  // how it was run, in a sentence
    // Of the host. One Array at every multiple of `every` steps, in order; the last one when the last samples finished
    // before it.
    std::vector<std::pair<std::string, std::vector<Array>>> recorded;
    std::vector<marshal::Notice> notices;  // of arrays that were converted or copied, as in RunResult
};

// A model with its arguments prepared once, run many times; a stopped run continues from where it stands. One caller at
// a time (Busy). An Array lives as long as the Simulation; what was given as a view the caller keeps alive. One that
// was moved from throws BadHandle.
class EAGLE_API Simulation {
  public:
    // `model`: a finishing kernel, or several run in order as one step, of which at least one finishes; all share one
    // `terminated` plane. A missing `terminated` plane is allocated, all live. State planes are updated in place.
    // Throws what pack() throws, InvalidArgument for a kernel that cannot be part of a step, and BufferRefused naming
    // the rule for arrays in two places or elsewhere than the structure. Arrays of another dtype or layout are taken as
    // Plan::run() takes them, with a notice each; on a device nothing is converted.
    Simulation(std::vector<Kernel> model, const Arguments& arguments, SimulateOptions options);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // A fault inside a kernel is raised when the other samples are done (with several kernels after the step, on a
    // device at the next look; with until or record after `every` steps), and names the lowest faulty sample. Whatever
    // ends a run, the state stands at whole steps.
    SimResult run();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

EAGLE_API SimResult simulate(const Kernel& model, const Arguments& arguments, const SimulateOptions& options);
EAGLE_API SimResult simulate(const std::vector<Kernel>& model, const Arguments& arguments,
                             const SimulateOptions& options);

}  // namespace eagle
