#include <eagle/marshal/Control.h>

#include <exception>

#include "exec/Busy.h"
#include "exec/PlanState.h"

namespace eagle {

using exec::Clock;
using marshal::Control;

BoundPlan::State::State(std::shared_ptr<const Plan::State> of, marshal::Packed arguments)
    : plan(std::move(of)), packed(std::move(arguments)), launcher(plan->borrow()) {
    if (plan->control >= 0) packed.set_supplied(static_cast<std::size_t>(plan->control), control.data(), Control::size);
    launcher->prepare(plan->kernel.step_entry(), packed);
    parts = Partition::split(packed.samples(), plan->npartitions);
}

BoundPlan::State::~State() {
    // After an error the stream may not be what it was.
    if (std::uncaught_exceptions() == 0) plan->give_back(std::move(launcher));
}

void BoundPlan::State::launch_parts() {
    control.fill(0);
    for (const Partition& part : parts) launcher->run(part, 0, plan->parallel);
}

void BoundPlan::State::launch_windows(const Poll& poll) {
    control.fill(0);
    std::int64_t done = 0;
    Clock::time_point asked = Clock::now();
    for (const Partition& part : parts) {
        const std::int64_t end = part.base + part.count;
        for (std::int64_t base = part.base; base < end;) {
            if (exec::seconds_since(asked) > 0.02) {
                if (poll())
                    throw Interrupted("kernel '" + plan->kernel.name() + "' was interrupted after " +
                                          std::to_string(done) + " of " + std::to_string(packed.samples()) +
                                          " samples; those hold their results, "
                                          "the others are as they were",
                                      done);
                asked = Clock::now();
            }
            const std::int64_t count = std::min(window.samples(), end - base);
            const Clock::time_point start = Clock::now();
            launcher->run({base, count, part.n_samples}, 0, plan->parallel);
            window.note(count, exec::seconds_since(start));
            base += count;
            done += count;
        }
    }
}

void BoundPlan::State::finish_launch() {
    if (control[Control::fault] != 0) marshal::raise_fault(plan->kernel.signature(), control.data());
}

BoundPlan::BoundPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
BoundPlan::~BoundPlan() = default;
BoundPlan::BoundPlan(BoundPlan&&) noexcept = default;
BoundPlan& BoundPlan::operator=(BoundPlan&&) noexcept = default;

BoundPlan& BoundPlan::launch() {
    State& s = *state_;
    const exec::Entered entered(s.busy, "bound plan");
    // Reading the clock costs as much as the rest of a small launch, so most launches go without.
    if (s.expected >= 0 && (++s.launches & 63u) != 0) {
        s.launch_parts();
    } else {
        const Clock::time_point start = Clock::now();
        s.launch_parts();
        s.expected = exec::seconds_since(start);
    }
    s.finish_launch();
    return *this;
}

BoundPlan& BoundPlan::launch(const Poll& poll) {
    if (!poll) return launch();
    State& s = *state_;
    const exec::Entered entered(s.busy, "bound plan");
    const Clock::time_point start = Clock::now();
    s.launch_windows(poll);
    s.expected = exec::seconds_since(start);
    s.finish_launch();
    return *this;
}

BoundPlan& BoundPlan::rebind(const std::string& name, const Value& value) {
    State& s = *state_;
    const exec::Entered entered(s.busy, "bound plan");
    const int found = s.plan->kernel.signature().find(name);
    if (found < 0 || s.plan->kernel.signature().parameters[static_cast<std::size_t>(found)].supplied())
        throw ArgumentError("kernel '" + s.plan->kernel.name() + "' has no argument '" + name + "' to rebind");
    const auto index = static_cast<std::size_t>(found);
    if (const auto* array = std::get_if<ArrayView>(&value))
        s.packed.set_array(index, *array);
    else if (const auto* number = std::get_if<double>(&value))
        s.packed.set_number(index, *number);
    else
        s.packed.set_number(index, std::get<std::int64_t>(value));
    s.launcher->prepare(s.plan->kernel.step_entry(), s.packed);
    return *this;
}

std::int64_t BoundPlan::samples() const { return state_->packed.samples(); }
double BoundPlan::expected_seconds() const { return state_->expected; }
const marshal::Packed& BoundPlan::packed() const { return state_->packed; }

}  // namespace eagle
