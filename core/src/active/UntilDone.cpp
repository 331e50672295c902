#include <eagle/UntilDone.h>

#include <algorithm>
#include <list>
#include <string>

#include "active/Order.h"
#include "active/StepPlanes.h"
#include "array/Place.h"
#include "exec/Busy.h"
#include "exec/Placement.h"
#include "simulate/Asker.h"
#include "simulate/Step.h"

namespace eagle {
namespace {

using active::Queue;
using active::StepPart;
using active::StepParts;
using sim::Stop;

SimulateOptions asking(const UntilDoneOptions& options) {
    SimulateOptions out;
    out.max_steps = options.max_steps;
    out.progress = options.progress;
    out.timeout = options.timeout;
    out.poll = options.poll;
    return out;
}

void check_options(const UntilDoneOptions& options) {
    sim::check_limits(asking(options));
    if (options.every < 1)
        throw InvalidArgument("every is " + std::to_string(options.every) +
                              "; it must be a number of steps, at least 1");
}

void check_plans(std::span<BoundPlan* const> plans) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (plans[i] == nullptr)
            throw InvalidArgument("plan " + std::to_string(i) + " of the step is null; give bound plans");
        const auto& ranks = exec::Inside::of(*plans[i]).plan->ranks;
        if (ranks && ranks->size() > 1)
            throw InvalidArgument("plan " + std::to_string(i) + " of the step is bound on " +
                                  std::to_string(ranks->size()) +
                                  " ranks; the rule: until_done steps the samples of one rank: bind each rank's own");
        for (std::size_t k = 0; k < i; ++k)
            if (plans[k] == plans[i])
                throw InvalidArgument("plan " + std::to_string(i) + " of the step is plan " + std::to_string(k) +
                                      "; bind it anew to run it twice a step");
    }
}

std::string mask_text(const StepPart& part) {
    const auto index = static_cast<std::size_t>(sim::terminated_index(part.kernel().signature()));
    return "'" + part.kernel().signature().parameters[index].name + "' of kernel '" + part.kernel().name() + "'";
}

// Throws for parts that are no step of one batch.
void check_batch(const StepParts& parts, const StepPart& counting) {
    const ArrayView mask = counting.mask();
    for (const auto& part : parts) {
        if (part->samples() != counting.samples())
            throw LayoutError("kernel '" + part->kernel().name() + "' has " + std::to_string(part->samples()) +
                              " samples, kernel '" + counting.kernel().name() + "' has " +
                              std::to_string(counting.samples()) +
                              "; the plans of a step share one batch: bind them to arrays of one length");
        const ArrayView any = part->planes().empty() ? mask : part->planes().front().view;
        if (any.device_type != mask.device_type || any.device_id != mask.device_id)
            throw BufferRefused("kernel '" + part->kernel().name() + "' is bound on " + place_text(any) + ", kernel '" +
                                counting.kernel().name() + "' on " + place_text(mask) +
                                "; the plans of a step run on one device: bind them to arrays of one");
        if (sim::terminated_index(part->kernel().signature()) < 0) continue;
        if (part->mask().data != mask.data || part->mask().strides[0] != mask.strides[0])
            throw InvalidArgument(mask_text(*part) + " is another array than " + mask_text(counting) +
                                  "; the plans of a step share one mask: bind them to the same");
    }
}

// Mask and steps as the host sees them, in the order of slots.
class OnHost {
  public:
    OnHost(Queue& queue, const ArrayView& mask, const Array& steps) {
        const auto n = static_cast<std::size_t>(mask.size());
        queue.read(reinterpret_cast<std::uint64_t>(mask.data), n, mask_);
        queue.read(active::address(steps), n, steps_);
    }
    sim::Samples samples() const { return {mask_.data(), 1, steps_.data(), static_cast<std::int64_t>(mask_.size())}; }

  private:
    std::vector<std::uint8_t> mask_;
    std::vector<std::int64_t> steps_;
};

StepParts parts_of(std::span<BoundPlan* const> plans) {
    StepParts parts;
    for (BoundPlan* plan : plans) parts.push_back(std::make_unique<StepPart>(exec::Inside::of(*plan)));
    return parts;
}

StepPart& counting_part(const StepParts& parts) {
    std::vector<Kernel> kernels;
    for (const auto& part : parts) kernels.push_back(part->kernel());
    StepPart& counting = *parts[sim::check_step(kernels, "until_done")];
    check_batch(parts, counting);
    return counting;
}

Array steps_of(const StepPart& counting) {
    const std::int64_t shape[] = {counting.samples()};
    return Array::zeros(shape, Dtype::int64, counting.kernel().backend(), counting.mask().device_id);
}

class Run : public sim::Counted {
  public:
    Run(StepParts& parts, StepPart& counting, const UntilDoneOptions& options);
    SimResult go();

    std::int64_t count() const override { return counting_.samples(); }
    sim::Tally tally(std::int64_t cap) const override {
        return OnHost(queue_, counting_.mask(), steps_).samples().tally(cap);
    }

  private:
    SimStatus loop();
    void look();
    void show();
    void move();
    void step();
    void settle();
    std::int64_t steps_at_once() const;
    std::string report() const;

    const UntilDoneOptions& options_;
    StepParts& parts_;
    StepPart& counting_;
    Array steps_;
    Stream stream_;
    mutable Queue queue_;
    ActiveSet set_;
    active::StepPlanes planes_;
    SimulateOptions asked_;
    sim::Asker asker_;
    std::int64_t made_ = 0, live_ = 0, moves_ = 0, span_;
    double seconds_a_step_ = 0;
    bool movable_, until_ = false;
};

Run::Run(StepParts& parts, StepPart& counting, const UntilDoneOptions& options)
    : options_(options),
      parts_(parts),
      counting_(counting),
      steps_(steps_of(counting)),
      stream_(counting.kernel().backend(), counting.mask().device_id),
      queue_(counting.kernel().backend(), counting.mask().device_id, stream_.native(),
             counting.mask().device_type == 1),
      set_(counting.mask(), {.stream = stream_.native(), .theta = options.theta}),
      planes_(parts, steps_),
      asked_(asking(options)),
      asker_(asked_),
      span_(counting.samples()),
      movable_(options.reorder && planes_.obstacle().empty()) {
    queue_.follow_default_stream();
    counting_.count_steps(active::address(steps_));
    if (options.when_finished) set_.when_finished(options.when_finished);
}

void Run::step() {
    for (const auto& part : parts_) {
        part->put(queue_, span_);
        if (queue_.host_memory()) settle();
    }
}

// What was put is done, and nobody noted a fault.
void Run::settle() {
    queue_.wait();
    for (const auto& part : parts_) part->check_fault([this](std::int64_t slot) { return set_.sample_of(slot); });
}

// Somebody who wants to be asked is asked every 25 ms or so.
std::int64_t Run::steps_at_once() const {
    std::int64_t most = std::min(options_.every - made_ % options_.every, options_.max_steps - made_);
    if (asker_.wanted() && seconds_a_step_ > 0)
        most = std::clamp<std::int64_t>(static_cast<std::int64_t>(0.025 / seconds_a_step_), 1, most);
    return asker_.wanted() && seconds_a_step_ == 0 ? 1 : most;
}

void Run::look() {
    set_.compact();
    live_ = set_.live();
    if (made_ > 0 && (options_.on_step || options_.until)) show();
    if (until_) return;
    if (movable_ && live_ > 0 && made_ < options_.max_steps && set_.worth_reordering()) move();
    span_ = set_.live_span();
}

void Run::show() {
    set_.restore();
    queue_.wait();
    if (options_.on_step) options_.on_step(made_);
    if (options_.until && live_ > 0 && made_ % options_.every == 0) until_ = options_.until();
}

void Run::move() {
    planes_.add_to(set_, queue_);
    set_.reorder();
    ++moves_;
}

SimStatus Run::loop() {
    if (asker_.out_of_time()) return SimStatus::timeout;
    look();
    while (made_ < options_.max_steps && live_ > 0) {
        const std::int64_t steps = steps_at_once();
        const auto start = exec::Clock::now();
        for (std::int64_t i = 0; i < steps; ++i) step();
        settle();
        seconds_a_step_ = std::max(1e-9, exec::seconds_since(start) / static_cast<double>(steps));
        made_ += steps;
        const bool looks = made_ % options_.every == 0 || made_ == options_.max_steps;
        if (looks) look();
        // A hook may have left a reason to stop, and then that is why.
        if (until_) return options_.poll && options_.poll() ? SimStatus::interrupted : SimStatus::until;
        const bool hooked = looks && (options_.on_step || options_.until || options_.when_finished);
        if (!asker_.wanted() || !(hooked || asker_.due() || asker_.out_of_time())) continue;
        const Stop stop = asker_.ask(*this);
        if (stop != Stop::none) return stop == Stop::timeout ? SimStatus::timeout : SimStatus::interrupted;
    }
    return SimStatus::max_steps;
}

std::string Run::report() const {
    const std::size_t plans = parts_.size();
    std::string text = std::to_string(made_) + (made_ == 1 ? " step of " : " steps of ") + std::to_string(plans) +
                       (plans == 1 ? " plan" : " plans") + " on kind '" + queue_.backend().kind() + "'";
    if (!options_.reorder) return text + "; samples were not to be moved";
    if (!movable_) return text + "; samples were not moved: " + planes_.obstacle();
    return text + "; live samples were moved to the front " + std::to_string(moves_) +
           (moves_ == 1 ? " time" : " times");
}

SimResult Run::go() {
    SimResult result;
    try {
        result.status = loop();
    } catch (...) {
        set_.restore();
        queue_.wait();
        throw;
    }
    set_.restore();
    const OnHost host(queue_, counting_.mask(), steps_);
    const sim::Samples samples = host.samples();
    result.samples = samples.count();
    result.done = samples.finished_count();
    result.finished = result.done == result.samples;
    if (result.finished) result.status = SimStatus::finished;
    result.steps = samples.total_steps();
    result.steps_per_sample = steps_.download();
    result.finished_mask = samples.mask();
    result.report = report();
    asker_.tell(samples);
    result.wall_s = asker_.seconds();
    return result;
}

}  // namespace

SimResult until_done(std::span<BoundPlan* const> plans, const UntilDoneOptions& options) {
    check_options(options);
    check_plans(plans);
    for (BoundPlan* plan : plans) plan->synchronize();
    std::list<exec::Entered> entered;
    for (BoundPlan* plan : plans) entered.emplace_back(exec::Inside::of(*plan).busy, "bound plan");
    StepParts parts = parts_of(plans);
    return Run(parts, counting_part(parts), options).go();
}

SimResult until_done(BoundPlan& plan, const UntilDoneOptions& options) {
    BoundPlan* const plans[] = {&plan};
    return until_done(plans, options);
}

}  // namespace eagle
