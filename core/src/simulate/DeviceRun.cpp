#include "simulate/DeviceRun.h"

#include <eagle/Capture.h>
#include <eagle/DeviceProps.h>
#include <eagle/Memory.h>
#include <eagle/marshal/Control.h>

#include <algorithm>
#include <limits>

#include "active/StepPart.h"
#include "simulate/Ticker.h"

namespace eagle::sim {
namespace {

using marshal::Control;

// Blocks that a processor of the largest cards holds: 2,048 threads.
constexpr std::int64_t blocks_a_processor = 2048 / exec::Launcher::block;
// Samples in flight on one worker, where a kind runs this machine's own code.
constexpr std::int64_t samples_a_worker = 32;
constexpr int most_doublings = 5;  // to 1.6 s

bool is_dense(const ArrayView& mask) { return mask.size() <= 1 || mask.strides[0] == 1; }

// As many as the device holds, and they stay. One that it has no place for begins when another has ended, and finds
// nothing left to draw.
std::uint32_t grid_for(const Backend& backend, std::int32_t device, std::int64_t samples) {
    const std::int64_t each = backend.takes_host_files() ? samples_a_worker : exec::Launcher::block;
    const std::int64_t useful = std::max<std::int64_t>(1, samples / each + (samples % each != 0 ? 1 : 0));
    std::int64_t most = backend.takes_host_files() ? 1 : std::numeric_limits<std::int32_t>::max();
    if (backend.provides(Group::device)) {
        const std::int64_t processors = device_props(backend, device).sm_count;
        most = std::max<std::int64_t>(1, backend.takes_host_files() ? processors : processors * blocks_a_processor);
    }
    return static_cast<std::uint32_t>(std::min(useful, most));
}

Array zeros_for(const BoundPlan::State& bound, std::int64_t count) {
    const std::int64_t shape[] = {count};
    return Array::zeros(shape, Dtype::int64, bound.plan->kernel.backend(), bound.plan->device->device);
}

std::int64_t* words_of(const Array& array) { return static_cast<std::int64_t*>(array.view().data); }

}  // namespace

bool DeviceRun::fits(const BoundPlan& bound) {
    BoundPlan::State& state = exec::Inside::of(bound);
    const Plan::State& plan = *state.plan;
    // Samples that see each other are stepped together.
    if (plan.kernel.access() != "sample_local" || plan.control < 0 || plan.steps < 0 || plan.next < 0) return false;
    return plan.kernel.run_entry(plan.device->device) != 0 && is_dense(active::StepPart(state).mask());
}

DeviceRun::DeviceRun(const BoundPlan& bound)
    : bound_(exec::Inside::of(bound)),
      mask_(active::StepPart(bound_).mask()),
      steps_(zeros_for(bound_, count())),
      next_(zeros_for(bound_, 1)),
      grid_(grid_for(bound_.plan->kernel.backend(), bound_.plan->device->device, count())) {
    const Plan::State& plan = *bound_.plan;
    bound_.packed.set_supplied(static_cast<std::size_t>(plan.steps), words_of(steps_), count());
    bound_.packed.set_supplied(static_cast<std::size_t>(plan.next), words_of(next_), 1);
    bound_.launcher.prepare(plan.kernel.run_entry(plan.device->device), bound_.packed);
}

// What failed may leave work on the device, which uses the planes of this run.
DeviceRun::~DeviceRun() {
    if (!bound_.unfinished) return;
    try {
        bound_.launcher.synchronize();
    } catch (const Error&) {  // a backend that cannot be asked any more, whose work has come to its end
    }
}

Stop DeviceRun::advance(std::int64_t cap, Asker& asker) {
    std::fill_n(bound_.control, Control::size, 0);
    bound_.control[Control::max_steps] = cap;
    bound_.launcher.follow(bound_.plan->device->stream);
    Stop stop = asker.out_of_time() ? Stop::timeout : Stop::none;
    while (stop == Stop::none && launch(asker)) stop = asker.ask(*this);
    if (bound_.control[Control::fault] != 0) marshal::raise_fault(bound_.plan->kernel.signature(), bound_.control);
    return stop;
}

// Was it stopped? Samples that are done are passed over by the next launch, which then ends at once.
bool DeviceRun::launch(const Asker& asker) {
    ++windows_;
    std::int64_t& stop = bound_.control[Control::stop];
    stop = 0;
    if (!asker.wanted()) {
        put_and_wait();
        return false;
    }
    const std::int64_t before = bound_.control[Control::steps];
    {
        const StopAfter alarm(&stop, asker.window() * (1 << doublings_));
        put_and_wait();
    }
    if (stop == 0) return false;
    // The time of a window runs while the device is busy with work of others, too: one that was over before a step was
    // made is followed by longer ones, so that the run gets on.
    if (bound_.control[Control::steps] == before && doublings_ < most_doublings) ++doublings_;
    return true;
}

void DeviceRun::put_and_wait() {
    exec::Launcher& launcher = bound_.launcher;
    clear(launcher.stream().backend(), reinterpret_cast<std::uint64_t>(words_of(next_)), sizeof(std::int64_t),
          launcher.stream().native());
    bound_.unfinished = true;
    launcher.run(Partition::whole(count()), grid_, 0);
    bound_.unfinished = false;
}

std::string DeviceRun::report() const {
    return std::to_string(windows_) + (windows_ == 1 ? " launch" : " launches") + " of the run entry of '" +
           bound_.plan->kernel.name() + "' on kind '" + bound_.plan->kernel.backend().kind() + "'";
}

Tally DeviceRun::tally(std::int64_t cap) const { return look().samples().tally(cap); }

DeviceRun::Seen DeviceRun::look() const {
    const std::int64_t shape[] = {count()};
    Seen seen{Array::empty(shape, Dtype::boolean), steps_.download()};
    copy(mask_, seen.mask.view());
    return seen;
}

Samples DeviceRun::Seen::samples() const {
    return {static_cast<const std::uint8_t*>(mask.view().data), 1, words_of(steps), steps.view().size()};
}

}  // namespace eagle::sim
