#include "exec/Placement.h"
#include "simulate/Driver.h"

namespace eagle::sim {
namespace {

using marshal::Control;

class StepDriver : public Driver {
  public:
    StepDriver(Model& model, const Samples& samples, HostTeam team) : model_(model), samples_(samples), team_(team) {
        for (const auto& part : model.parts()) part->launcher.prepare(part->kernel.step_entry(), part->packed);
    }

    Stop advance(std::int64_t cap, Asker& asker) override {
        Stop stop = asker.out_of_time() ? Stop::timeout : Stop::none;
        while (stop == Stop::none && made_ < cap && any_live()) {
            for (const auto& part : model_.parts()) step(*part);
            ++made_;
            if (asker.wanted() && asker.due()) stop = asker.ask(samples_);
        }
        return stop;
    }

    std::string report() const override {
        const std::size_t kernels = model_.parts().size();
        return std::to_string(made_) + (made_ == 1 ? " step of " : " steps of ") + std::to_string(kernels) +
               (kernels == 1 ? " kernel" : " kernels") + ", one launch each, on up to " +
               std::to_string(exec::threads_of(team_)) + " threads";
    }

  private:
    void step(Part& part) {
        part.control.fill(0);
        part.launcher.run(Partition::whole(samples_.count()), 0, exec::parallel_of(part.kernel, team_));
        if (part.control[Control::fault] != 0) marshal::raise_fault(part.kernel.signature(), part.control.data());
    }
    // Samples never come back to life, so all looks together pass over the mask once.
    bool any_live() {
        while (first_ < samples_.count() && samples_.finished(first_)) ++first_;
        return first_ < samples_.count();
    }

    Model& model_;
    const Samples& samples_;
    HostTeam team_;
    std::int64_t made_ = 0, first_ = 0;
};

}  // namespace

std::unique_ptr<Driver> make_step_driver(Model& model, const Samples& samples, HostTeam team) {
    return std::make_unique<StepDriver>(model, samples, team);
}

std::unique_ptr<Driver> make_driver(Model& model, const Samples& samples, HostTeam team) {
    // A run entry takes each sample to its end by itself, which is the same only where samples do not see each other.
    const Kernel& first = model.parts().front()->kernel;
    const bool alone = model.parts().size() == 1 && first.run_entry() != 0 && first.access() == "sample_local";
    return alone ? make_run_driver(model, samples, team) : make_step_driver(model, samples, team);
}

}  // namespace eagle::sim
