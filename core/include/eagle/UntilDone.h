// Bound plans launched again and again until every sample is done.
#pragma once
#include <eagle/ActiveSet.h>
#include <eagle/Plan.h>
#include <eagle/Simulate.h>
#include <eagle/export.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace eagle {

struct UntilDoneOptions {
    std::int64_t max_steps = 0;  // of each sample in this call; at least 1; never overshot
    std::int64_t every = 32;     // steps from one look at the mask to the next, at least 1
    // Live samples are moved to the front when that pays, so that finished ones cost nothing. The results are the same.
    bool reorder = true;
    float theta = 0.5F;  // as in ActiveSetOptions
    // After every `every` steps and after the last, with the number of steps made; the work is done and the planes are
    // in the order of samples.
    std::function<void(std::int64_t steps)> on_step;
    // Asked every `every` steps, after on_step, while samples are at work; true stops the run with status `until`.
    std::function<bool()> until;
    ActiveSet::Finished when_finished;  // at each look, the samples that finished since the one before
    std::function<void(const Progress&)> progress;
    std::optional<std::chrono::duration<double>> timeout;
    // As in Plan.h, and behind every hook: true stops the run with status "interrupted", whatever until said.
    Poll poll;
};

// Runs the plans in order as one step, on the host or on their device, until every sample of the mask that they share
// is finished, or has made `max_steps` steps. State is updated in place; when the call returns or throws, every plane
// holds its samples in their order, at whole steps. A fault inside a kernel is raised after its step, on a device at
// the next look, and names the lowest faulty sample.
//
// Samples are moved only where that changes no result: every kernel is sample_local, and every plane that a kernel
// writes has its samples next to each other. Planes that are read alone are moved as copies. The report says what was
// done, and why not.
//
// Throws InvalidArgument for options out of range and for plans that make no step: none that finishes and counts its
// steps, two masks, two devices, different numbers of samples, one plan twice; what ActiveSet throws for the mask; Busy
// while a plan is in use.
EAGLE_API SimResult until_done(std::span<BoundPlan* const> plans, const UntilDoneOptions& options);
EAGLE_API SimResult until_done(BoundPlan& plan, const UntilDoneOptions& options);

}  // namespace eagle
