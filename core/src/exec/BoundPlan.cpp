#include <eagle/marshal/Fault.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "Held.h"
#include "exec/Busy.h"
#include "exec/PlanState.h"

namespace eagle {

using exec::Clock;
using marshal::Control;

std::unique_ptr<BoundPlan::State> Plan::State::borrow() const {
    if (BoundPlan::State* const kept = idle.value.exchange(nullptr)) return std::unique_ptr<BoundPlan::State>(kept);
    if (device) {
        const std::lock_guard lock(pool->mutex);
        if (!pool->states.empty()) {
            std::unique_ptr<BoundPlan::State> last = std::move(pool->states.back());
            pool->states.pop_back();
            return last;
        }
    }
    return std::make_unique<BoundPlan::State>(*this);
}

void Plan::State::give_back(std::unique_ptr<BoundPlan::State> state) const {
    state->plan.reset();  // it lies in the plan, and would keep it alive
    if (!device) {
        delete idle.value.exchange(state.release());
        return;
    }
    const std::lock_guard lock(pool->mutex);
    pool->states.push_back(std::move(state));
}

// Runs of other threads go on meanwhile, with states of their own.
void Plan::State::synchronize() const {
    std::vector<std::unique_ptr<BoundPlan::State>> mine;
    {
        const std::lock_guard lock(pool->mutex);
        mine.swap(pool->states);
    }
    std::exception_ptr first;
    for (auto& state : mine) {
        try {
            state->wait(*this);
        } catch (...) {
            if (!first) first = std::current_exception();
        }
    }
    for (auto& state : mine) give_back(std::move(state));
    if (first) std::rethrow_exception(first);
}

Plan::State::Idle::~Idle() { delete value.load(); }
Plan::State::Pool::Pool() = default;
Plan::State::Pool::~Pool() = default;

BoundPlan::State::State(const Plan::State& of) : launcher(of.kernel, of.device ? of.device->device : 0) {
    if (!of.device || of.control < 0) return;
    pinned.emplace(of.kernel.backend(), sizeof own_control);
    control = static_cast<std::int64_t*>(pinned->data());
    clear_control();
}

// Work of a device may still use the code, the control words, and memory of others.
BoundPlan::State::~State() {
    if (!unfinished) return;
    try {
        launcher.synchronize();
    } catch (const Error&) {  // of a backend that cannot be asked any more, whose work has come to its end
    }
}

void BoundPlan::State::take(std::shared_ptr<const Plan::State> of, marshal::Packed arguments) {
    plan = std::move(of);
    packed = std::move(arguments);
    if (plan->control >= 0) packed.set_supplied(static_cast<std::size_t>(plan->control), control, Control::size);
    launcher.prepare(plan->kernel.step_entry(launcher.stream().device()), packed);
    if (packed.samples() == split_samples_) return;
    split(packed.samples());
    split_samples_ = packed.samples();
}

void BoundPlan::State::split(std::int64_t count) {
    const Partition mine = plan->ranks ? plan->ranks->part(count, plan->grain()) : Partition::whole(count);
    // Parts beyond the samples would be empty, and cost memory and a launch each.
    const std::int64_t filled = std::clamp<std::int64_t>(mine.count, 1, plan->npartitions);
    parts = Partition::split(mine.count, static_cast<int>(filled));
    for (Partition& part : parts) part = {mine.base + part.base, part.count, packed.samples()};
    expected = -1;
}

void BoundPlan::State::narrow(std::int64_t count) {
    const exec::Entered entered(busy, "bound plan");
    if (count < 0 || count > packed.samples())
        throw InvalidArgument("narrow was given " + std::to_string(count) + " samples; the plan is bound to " +
                              std::to_string(packed.samples()) + ", and launches from none to all of them");
    if (plan->kernel.access() != "sample_local")
        throw InvalidArgument(
            "kernel '" + plan->kernel.name() + "' " +
            (plan->kernel.access().empty() ? std::string("comes from a v1 artifact") : "is " + plan->kernel.access()) +
            "; the rule: only a sample_local kernel may leave samples out");
    if (plan->ranks && plan->ranks->size() > 1)
        throw InvalidArgument("kernel '" + plan->kernel.name() + "' is bound on " +
                              std::to_string(plan->ranks->size()) +
                              " ranks; the rule: ranks launch all samples, each its own; bind a plan of one rank");
    split(count);
    split_samples_ = -1;
}

void BoundPlan::State::launch_parts() {
    clear_control();
    for (const Partition& part : parts) launcher.run(part, plan->grid, plan->parallel);
}

void BoundPlan::State::launch_windows(const Poll& poll) {
    clear_control();
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
            launcher.run({base, count, part.n_samples}, plan->grid, plan->parallel);
            window.note(count, exec::seconds_since(start));
            base += count;
            done += count;
        }
    }
}

void BoundPlan::State::finish_launch(int rank) {
    if (control[Control::fault] == 0) return;
    const std::string whose = rank < 0 || plan->ranks->size() == 1
                                  ? std::string()
                                  : "of rank " + std::to_string(rank) + " of " + std::to_string(plan->ranks->size());
    marshal::raise_fault(plan->kernel.signature(), control, whose);
}

void BoundPlan::State::launch() {
    if (plan->is_joint()) return launch_jointly({}, 0);
    if (plan->device) return launch_on(0);
    const exec::Entered entered(busy, "bound plan");
    // Reading the clock costs as much as the rest of a small launch, so most launches go without.
    if (expected >= 0 && (++launches & 63u) != 0) {
        launch_parts();
    } else {
        const Clock::time_point start = Clock::now();
        launch_parts();
        expected = exec::seconds_since(start);
    }
    finish_launch();
}

void BoundPlan::State::launch(const Poll& poll) {
    if (plan->is_joint()) return launch_jointly(poll, 0);
    // A v1 entry takes all samples in one call, with nobody asked in between.
    if (!poll || plan->device || plan->grid != 0) return launch();
    const exec::Entered entered(busy, "bound plan");
    const Clock::time_point start = Clock::now();
    launch_windows(poll);
    expected = exec::seconds_since(start);
    finish_launch();
}

void BoundPlan::State::launch_on(std::uint64_t stream) {
    if (plan->is_joint()) return launch_jointly({}, stream);
    if (!plan->device) return launch();
    const exec::Entered entered(busy, "bound plan");
    kept.let_go();
    if (stream == 0) stream = plan->device->stream;
    launcher.follow(stream);
    unfinished = true;
    for (const Partition& part : parts) launcher.put(part, plan->grid, plan->parallel);
    launcher.lead(stream);
}

// On a team every launch has come to its end by itself.
void BoundPlan::State::synchronize() {
    const exec::Entered entered(busy, "bound plan");
    if (plan->device) wait(*plan);
}

// A fault of any launch since the last one.
void BoundPlan::State::wait(const Plan::State& of) {
    launcher.synchronize();
    unfinished = false;
    kept.clear();
    if (!is_faulty(of)) return;
    const std::vector<std::int64_t> found(control, control + Control::size);
    clear_control();
    marshal::raise_fault(of.kernel.signature(), found.data());
}

bool BoundPlan::State::is_faulty(const Plan::State& of) const {
    return of.control >= 0 && __atomic_load_n(&control[Control::fault], __ATOMIC_ACQUIRE) != 0;
}

// Memory of an Array that a launch on a device may still use is freed behind it, in the order of the device.
void BoundPlan::State::keep(std::vector<Owner> those) {
    for (Owner& one : those) {
        std::erase_if(owners, [&](Owner& old) {
            if (old.name != one.name) return false;
            if (old.foreign && unfinished) kept.until_done(launcher.stream(), {std::move(old.memory)});
            return true;
        });
        if (one.memory) owners.push_back(std::move(one));
    }
}

std::vector<BoundPlan::State::Owner> BoundPlan::State::room_to_keep(std::span<const NamedArgument> those) {
    std::vector<Owner> made;
    made.reserve(those.size());
    for (const auto& [name, value] : those) made.push_back({name, value.owner(), value.foreign()});
    owners.reserve(owners.size() + made.size());
    return made;
}

BoundPlan::BoundPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
BoundPlan::~BoundPlan() = default;
BoundPlan::BoundPlan(BoundPlan&&) noexcept = default;
BoundPlan& BoundPlan::operator=(BoundPlan&&) noexcept = default;

BoundPlan::State& BoundPlan::state() const { return held(state_, "BoundPlan"); }

BoundPlan& BoundPlan::launch() {
    state().launch();
    return *this;
}

BoundPlan& BoundPlan::launch(const Poll& poll) {
    state().launch(poll);
    return *this;
}

BoundPlan& BoundPlan::launch_on(std::uint64_t stream) {
    state().launch_on(stream);
    return *this;
}

BoundPlan& BoundPlan::synchronize() {
    state().synchronize();
    return *this;
}

BoundPlan& BoundPlan::narrow(std::int64_t count) {
    state().narrow(count);
    return *this;
}

bool BoundPlan::on_device() const { return state().plan->device.has_value(); }
std::int64_t BoundPlan::samples() const { return state().packed.samples(); }
double BoundPlan::expected_seconds() const { return state().expected; }
const marshal::Packed& BoundPlan::packed() const { return state().packed; }

}  // namespace eagle
