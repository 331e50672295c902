#include <algorithm>

#include "exec/Placement.h"
#include "simulate/Driver.h"
#include "simulate/Ticker.h"

namespace eagle::sim {
namespace {

using marshal::Control;

// Samples in flight on one worker: fewer than that a worker is not worth waking for.
constexpr std::int64_t samples_a_worker = 32;

class RunDriver : public Driver {
  public:
    RunDriver(Model& model, const Samples& samples, HostTeam team) : part_(model.counting()), samples_(samples) {
        const std::int64_t useful =
            std::max<std::int64_t>(1, (samples.count() + samples_a_worker - 1) / samples_a_worker);
        threads_ = static_cast<std::uint32_t>(std::min<std::int64_t>(exec::threads_of(team), useful));
        part_.packed.set_supplied(static_cast<std::size_t>(part_.next), &part_.cursor, 1);
        part_.launcher.prepare(part_.kernel.run_entry(), part_.packed);
    }

    Stop advance(std::int64_t cap, Asker& asker) override {
        part_.control.fill(0);
        part_.control[Control::max_steps] = cap;
        std::int64_t from = samples_.first_live(0, cap);
        Stop stop = asker.out_of_time() ? Stop::timeout : Stop::none;
        while (stop == Stop::none && launch(from, asker)) {
            from = samples_.first_live(from, cap);
            if (from == samples_.count()) break;
            stop = asker.ask(samples_);
        }
        if (part_.control[Control::fault] != 0) marshal::raise_fault(part_.kernel.signature(), part_.control.data());
        return stop;
    }

    std::string report() const override {
        return std::to_string(windows_) + (windows_ == 1 ? " launch" : " launches") + " of the run entry of '" +
               part_.kernel.name() + "' on " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
    }

  private:
    // Was it stopped before every sample was done?
    bool launch(std::int64_t from, const Asker& asker) {
        ++windows_;
        part_.cursor = from;
        part_.control[Control::stop] = 0;
        const Partition whole{from, samples_.count() - from, samples_.count()};
        if (!asker.wanted()) {
            part_.launcher.run(whole, threads_, threads_);
            return false;
        }
        const StopAfter alarm(&part_.control[Control::stop], asker.window());
        part_.launcher.run(whole, threads_, threads_);
        return __atomic_load_n(&part_.control[Control::stop], __ATOMIC_RELAXED) != 0;
    }

    Part& part_;
    const Samples& samples_;
    std::uint32_t threads_ = 1;
    std::int64_t windows_ = 0;
};

}  // namespace

std::unique_ptr<Driver> make_run_driver(Model& model, const Samples& samples, HostTeam team) {
    return std::make_unique<RunDriver>(model, samples, team);
}

}  // namespace eagle::sim
