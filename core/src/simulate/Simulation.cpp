#include <eagle/Simulate.h>
#include <eagle/marshal/NameText.h>

#include <cmath>

#include "Held.h"
#include "exec/Busy.h"
#include "exec/Placement.h"
#include "simulate/Driver.h"
#include "simulate/Legs.h"
#include "simulate/Recorder.h"
#include "simulate/Runner.h"
#include "trace/Span.h"

namespace eagle {
namespace {

using sim::Asker;
using sim::Model;
using sim::Recorder;
using sim::Samples;

void check_options(const SimulateOptions& options) {
    sim::check_limits(options);
    if (options.every < 0)
        throw InvalidArgument("every is " + std::to_string(options.every) +
                              "; it must be a number of steps, at least 1");
    if (options.every == 0 && options.until)
        throw InvalidArgument(
            "until is given without every; it needs every, after how many steps it is asked again: "
            "give a number of at least 1, such as every=10");
    if (options.every == 0 && !options.record.empty())
        throw InvalidArgument("record names '" + marshal::shortened(options.record.front()) +
                              "' and every is not given; record needs every, the number of steps from one copy to the "
                              "next: give a number of at least 1, such as every=10");
}

class OnHost final : public sim::Runner {
  public:
    OnHost(std::vector<Kernel> kernels, const Arguments& arguments, const SimulateOptions& options)
        : options_(options), model_(std::move(kernels), arguments, options) {
        recorder();
    }
    SimResult run() override;
    std::int64_t samples() const override { return model_.samples(); }

  private:
    Recorder recorder() const {
        return {[this](const std::string& name) -> const ArrayView& { return model_.plane(name); }, options_.record};
    }

    const SimulateOptions& options_;
    Model model_;
};

// The planes are the caller's own, but for those that were converted.
class ShownOnHost final : public sim::Shown {
  public:
    ShownOnHost(Model& model, const Samples& samples, Recorder& recorder)
        : model_(model), samples_(samples), recorder_(recorder) {}
    void record() override {
        model_.copy_back();
        recorder_.record();
    }
    bool is_finished() override { return samples_.first_live(0, INT64_MAX) == samples_.count(); }

  private:
    Model& model_;
    const Samples& samples_;
    Recorder& recorder_;
};

SimResult OnHost::run() {
    Asker asker(options_);
    model_.refresh();
    SimResult result;
    result.samples = model_.samples();
    const std::int64_t shape[] = {result.samples};
    result.steps_per_sample = Array::zeros(shape, Dtype::int64);
    std::int64_t* const steps = result.steps_per_sample.as<std::int64_t>().data();
    sim::Part& counting = model_.counting();
    counting.packed.set_supplied(static_cast<std::size_t>(counting.steps), steps, result.samples);
    const auto [mask, stride] = model_.mask();
    const Samples samples(mask, stride, steps, result.samples);
    const auto driver = sim::make_driver(model_, samples, options_.team);
    Recorder recorder = this->recorder();
    ShownOnHost shown(model_, samples, recorder);
    try {
        result.status = sim::advance(*driver, asker, shown, options_);
    } catch (...) {
        model_.copy_back();  // the state stands at whole steps, and is the caller's
        throw;
    }
    model_.copy_back();

    result.done = samples.finished_count();
    result.finished = result.done == result.samples;
    if (result.finished) result.status = SimStatus::finished;
    result.steps = samples.total_steps();
    result.finished_mask = samples.mask();
    result.recorded = recorder.take();
    result.notices = model_.notices();
    result.report = driver->report();
    asker.tell(samples);
    result.wall_s = asker.seconds();
    return result;
}

// Where it runs; none: on the host.
std::optional<DeviceKernel> device_of(const std::vector<Kernel>& model, const Arguments& arguments,
                                      const SimulateOptions& options) {
    const std::string name = model.empty() ? "" : model.front().name();
    const exec::Lies lies = exec::one_place(name, arguments);
    if (options.device || options.on_team_alone)
        exec::check_lies_there(name, lies, options.device ? &*options.device : nullptr);
    if (options.device || lies.on_host()) return options.device;
    return DeviceKernel(kind_of_device_type(lies.array->device_type), lies.array->device_id);
}

std::string names_of(const std::vector<Kernel>& model) {
    std::string names;
    for (const Kernel& kernel : model) names += (names.empty() ? "" : ", ") + kernel.name();
    return names;
}

}  // namespace

struct Simulation::State {
    State(std::vector<Kernel> model, const Arguments& arguments, SimulateOptions given)
        : options(std::move(given)), names(names_of(model)) {
        if (const std::optional<DeviceKernel> device = device_of(model, arguments, options))
            runner = sim::make_device_runner(model, arguments, options, *device);
        else
            runner = std::make_unique<OnHost>(std::move(model), arguments, options);
    }
    SimResult run() {
        const exec::Entered entered(busy, "simulation");
        const trace::Span span([&] {
            return trace::Label{
                "simulate", "simulate " + names, {{"samples", runner->samples()}, {"max_steps", options.max_steps}}};
        });
        return runner->run();
    }

    SimulateOptions options;
    std::string names;
    std::unique_ptr<sim::Runner> runner;
    exec::Claim busy{0};
};

Simulation::Simulation(std::vector<Kernel> model, const Arguments& arguments, SimulateOptions options) {
    check_options(options);
    state_ = std::make_unique<State>(std::move(model), arguments, std::move(options));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

SimResult Simulation::run() { return held(state_, "Simulation").run(); }

SimResult simulate(const Kernel& model, const Arguments& arguments, const SimulateOptions& options) {
    return Simulation({model}, arguments, options).run();
}

SimResult simulate(const std::vector<Kernel>& model, const Arguments& arguments, const SimulateOptions& options) {
    return Simulation(model, arguments, options).run();
}

std::string_view status_name(SimStatus status) {
    constexpr std::string_view names[] = {"finished", "max_steps", "timeout", "interrupted", "until"};
    return names[static_cast<std::size_t>(status)];
}

}  // namespace eagle
