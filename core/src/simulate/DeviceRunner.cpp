#include <eagle/UntilDone.h>

#include <optional>
#include <utility>

#include "exec/Placement.h"
#include "simulate/DeviceRun.h"
#include "simulate/Legs.h"
#include "simulate/Recorder.h"
#include "simulate/Runner.h"
#include "simulate/Step.h"

namespace eagle::sim {
namespace {

// Bound plans. The run entry of a kernel that fits brings its samples to their ends, and until_done() those of others.
class DeviceRunner final : public Runner {
  public:
    DeviceRunner(const std::vector<Kernel>& kernels, const Arguments& arguments, const SimulateOptions& options,
                 const DeviceKernel& device);
    SimResult run() override;
    std::int64_t samples() const override { return bound_.front().samples(); }

  private:
    void bind(const DeviceKernel& device);
    void allocate_mask(const Kernel& counting, const DeviceKernel& device);
    Recorder recorder() const;
    SimResult run_entries(Recorder& recorder);
    SimResult step_entries(Recorder& recorder);
    UntilDoneOptions options_for(Recorder& recorder, bool& recorded) const;

    const SimulateOptions& options_;
    Arguments arguments_;
    std::optional<Array> own_mask_;
    std::vector<Kernel> kernels_;
    std::vector<BoundPlan> bound_;
};

class ShownOnDevice final : public Shown {
  public:
    ShownOnDevice(const DeviceRun& run, Recorder& recorder) : run_(run), recorder_(recorder) {}
    void record() override { recorder_.record(); }
    bool is_finished() override {
        const DeviceRun::Seen seen = run_.look();
        return seen.samples().first_live(0, INT64_MAX) == run_.count();
    }

  private:
    const DeviceRun& run_;
    Recorder& recorder_;
};

// In the layout that the options name, where an array does not say its own.
Arguments laid_out(Arguments arguments, SamplesAxis layout) {
    for (auto& argument : arguments)
        if (auto* view = std::get_if<ArrayView>(&argument.second))
            if (view->axis == SamplesAxis::unspecified) view->axis = layout;
    return arguments;
}

DeviceRunner::DeviceRunner(const std::vector<Kernel>& kernels, const Arguments& arguments,
                           const SimulateOptions& options, const DeviceKernel& device)
    : options_(options), arguments_(laid_out(arguments, options.layout)) {
    const Kernel& counting = kernels[check_step(kernels, "simulate")];
    check_one_mask(kernels, counting);
    check_names(kernels, arguments_, options.keywords);
    for (const Kernel& kernel : kernels) kernels_.push_back(kernel.on(device.kind, device.device));
    allocate_mask(kernels_[static_cast<std::size_t>(&counting - kernels.data())], device);
    bind(device);
    recorder();
}

void DeviceRunner::allocate_mask(const Kernel& counting, const DeviceKernel& device) {
    const std::string& name = counting.signature().finish_mask;
    for (const auto& argument : arguments_)
        if (argument.first == name) return;
    marshal::Options packing;
    packing.device_type = counting.backend().device_types().front();
    packing.device_id = device.device;
    own_mask_ =
        Array::zeros(shape_of_mask(counting, arguments_, packing), Dtype::boolean, counting.backend(), device.device);
    arguments_.emplace_back(name, *own_mask_);
}

void DeviceRunner::bind(const DeviceKernel& device) {
    for (const Kernel& kernel : kernels_) {
        Arguments taken;
        for (const auto& argument : arguments_)
            if (kernel.signature().find(argument.first) >= 0) taken.push_back(argument);
        bound_.push_back(Plan(kernel, device).bind(taken));
        if (bound_.back().samples() != bound_.front().samples())
            throw LayoutError("kernel '" + kernel.name() + "' has " + std::to_string(bound_.back().samples()) +
                              " samples, kernel '" + kernels_.front().name() + "' has " +
                              std::to_string(bound_.front().samples()) +
                              "; the kernels of a step share one batch: give arrays of one length");
    }
}

Recorder DeviceRunner::recorder() const {
    std::vector<Bound> step;
    for (std::size_t i = 0; i < bound_.size(); ++i) step.push_back({&kernels_[i].signature(), &bound_[i].packed()});
    return {[step](const std::string& name) -> const ArrayView& { return plane_of(step, name); }, options_.record};
}

// Looks at the state, and copies of it, are taken at multiples of `every` alone.
UntilDoneOptions DeviceRunner::options_for(Recorder& recorder, bool& recorded) const {
    UntilDoneOptions out;
    out.max_steps = options_.max_steps;
    const bool hooked = options_.until || !options_.record.empty();
    if (options_.every > 0 && hooked) out.every = options_.every;
    out.progress = options_.progress;
    out.timeout = options_.timeout;
    out.poll = options_.poll;
    out.until = options_.until;
    if (!options_.record.empty())
        out.on_step = [&recorder, &recorded, every = out.every](std::int64_t steps) {
            if (steps % every != 0) return;
            recorder.record();
            recorded = true;
        };
    return out;
}

SimResult DeviceRunner::run_entries(Recorder& recorder) {
    Asker asker(options_);
    DeviceRun run(bound_.front());
    ShownOnDevice shown(run, recorder);
    SimResult result;
    result.status = advance(run, asker, shown, options_);
    DeviceRun::Seen seen = run.look();
    const Samples samples = seen.samples();
    result.samples = samples.count();
    result.done = samples.finished_count();
    result.finished = result.done == result.samples;
    if (result.finished) result.status = SimStatus::finished;
    result.steps = samples.total_steps();
    result.finished_mask = samples.mask();
    result.report = run.report();
    asker.tell(samples);
    result.steps_per_sample = std::move(seen.steps);
    result.wall_s = asker.seconds();
    return result;
}

SimResult DeviceRunner::step_entries(Recorder& recorder) {
    bool recorded = false;
    std::vector<BoundPlan*> plans;
    for (BoundPlan& bound : bound_) plans.push_back(&bound);
    SimResult result = until_done(plans, options_for(recorder, recorded));
    // A batch that was done on entry is looked at once, as on the host.
    if (!recorded && !options_.record.empty() && result.finished && options_.max_steps >= options_.every)
        recorder.record();
    return result;
}

SimResult DeviceRunner::run() {
    Recorder recorder = this->recorder();
    const bool fits = bound_.size() == 1 && DeviceRun::fits(bound_.front());
    SimResult result = fits ? run_entries(recorder) : step_entries(recorder);
    result.recorded = recorder.take();
    result.allocated_mask = own_mask_;
    return result;
}

}  // namespace

std::unique_ptr<Runner> make_device_runner(const std::vector<Kernel>& kernels, const Arguments& arguments,
                                           const SimulateOptions& options, const DeviceKernel& device) {
    return std::make_unique<DeviceRunner>(kernels, arguments, options, device);
}

}  // namespace eagle::sim
