#include <eagle/Capture.h>
#include <eagle/Plan.h>

#include <optional>

#include "Held.h"
#include "backend/Loaded.h"
#include "exec/Joint.h"
#include "exec/Match.h"
#include "exec/Placement.h"
#include "exec/PlanState.h"
#include "ranks/Call.h"
#include "ranks/Exchanges.h"
#include "ranks/Meeting.h"
#include "trace/Span.h"

namespace eagle {
namespace {

// Outputs where the plan runs. Where every sample is written there is nothing to clear; a device's are cleared in the
// order of the run.
class Outputs : public marshal::OutAllocator {
  public:
    Outputs(const Plan::State& plan, marshal::OutAllocator* small)
        : plan_(plan), small_(plan.device ? nullptr : small) {
        const Signature& signature = plan.kernel.signature();
        for (const Parameter& parameter : signature.parameters) masked_ |= parameter.role == Role::terminated;
    }
    std::shared_ptr<void> allocate(std::size_t index, const Parameter& parameter, std::span<const std::int64_t> shape,
                                   std::size_t bytes) override {
        if (small_ != nullptr && bytes < small_output_bytes) return small_->allocate(index, parameter, shape, bytes);
        const Backend& backend = plan_.kernel.backend();
        const std::int32_t device = plan_.device ? plan_.device->device : 0;
        Array array = masked_ && !plan_.device ? Array::zeros(shape, parameter.dtype, backend, device)
                                               : Array::empty(shape, parameter.dtype, backend, device);
        made.emplace_back(index, array);
        return {array.owner(), array.view().data};
    }
    void clear(std::uint64_t stream) const {
        if (!masked_) return;
        for (const auto& item : made) {
            const ArrayView& view = item.second.view();
            const auto bytes = static_cast<std::uint64_t>(view.size()) * (view.type.bits / 8u);
            eagle::clear(plan_.kernel.backend(), reinterpret_cast<std::uint64_t>(view.data), bytes, stream);
        }
    }
    RunResult result(double seconds, const marshal::Packed& packed) {
        RunResult out;
        out.seconds = seconds;
        const Signature& signature = plan_.reducer ? plan_.reducer->results() : plan_.kernel.signature();
        for (auto& [index, array] : made) out.outputs.emplace_back(signature.parameters[index].name, std::move(array));
        const auto notices = packed.notices();
        out.notices.assign(notices.begin(), notices.end());
        return out;
    }
    std::vector<std::pair<std::size_t, Array>> made;

  private:
    const Plan::State& plan_;
    marshal::OutAllocator* small_;
    bool masked_ = false;
};

trace::Span span_of(const Plan::State& plan, const char* verb) {
    return trace::Span([&] { return trace::Label{"plan", verb + plan.kernel.name()}; });
}

}  // namespace

std::shared_ptr<const Plan::State> Plan::State::make(Kernel kernel, HostTeam team, std::optional<DeviceKernel> device,
                                                     int npartitions, bool follows_arrays,
                                                     std::optional<RankPartition> ranks) {
    device ? exec::check_placement(kernel, *device, npartitions) : exec::check_placement(kernel, team, npartitions);
    if (ranks) exec::check_placement(kernel, *ranks);
    const std::uint32_t parallel = exec::parallel_of(kernel, team), grid = exec::grid_of(kernel);
    const Signature& signature = kernel.signature();
    const int control = signature.find("__control"), steps = signature.find("__steps"), next = signature.find("__next");
    std::shared_ptr<const exec::Reducer> reducer;
    if (kernel.access() == "mapreduce") reducer = std::make_shared<exec::Reducer>(kernel, device ? device->device : 0);
    State made{std::move(kernel),
               team,
               std::move(device),
               follows_arrays,
               std::move(ranks),
               npartitions,
               parallel,
               grid,
               control,
               steps,
               next};
    made.reducer = std::move(reducer);
    return std::make_shared<const State>(std::move(made));
}

// A device's memory is not the host's to convert.
marshal::Options Plan::State::packing(marshal::Conversion conversion) const {
    marshal::Options options;
    options.conversion = device ? marshal::Conversion::refuse : conversion;
    if (!device) return options;
    options.device_type = kernel.backend().device_types().front();
    options.device_id = device->device;
    return options;
}

Plan Plan::where_arrays_are(Kernel kernel, int npartitions) {
    return Plan(State::make(std::move(kernel), {}, std::nullopt, npartitions, true));
}

Plan::Plan(Kernel kernel) : Plan(where_arrays_are(std::move(kernel), 1)) {}

Plan::Plan(Kernel kernel, HostTeam team, int npartitions)
    : state_(State::make(std::move(kernel), team, std::nullopt, npartitions, false)) {}

Plan::Plan(Kernel kernel, DeviceKernel device, int npartitions)
    : state_(State::make(std::move(kernel), {}, std::move(device), npartitions, false)) {}

Plan Plan::where_arrays_are(Kernel kernel, RankPartition ranks, int npartitions) {
    return Plan(State::make(std::move(kernel), {}, std::nullopt, npartitions, true, std::move(ranks)));
}

Plan::Plan(Kernel kernel, RankPartition ranks) : Plan(where_arrays_are(std::move(kernel), std::move(ranks), 1)) {}

Plan::Plan(Kernel kernel, RankPartition ranks, HostTeam team, int npartitions)
    : state_(State::make(std::move(kernel), team, std::nullopt, npartitions, false, std::move(ranks))) {}

Plan::Plan(Kernel kernel, RankPartition ranks, DeviceKernel device, int npartitions)
    : state_(State::make(std::move(kernel), {}, std::move(device), npartitions, false, std::move(ranks))) {}

// The plan of the place where the arrays lie.
const std::shared_ptr<const Plan::State>& Plan::place_of(const Arguments& arguments) const {
    const exec::Lies lies = exec::one_place(state().kernel.name(), arguments);
    if (!state_->follows_arrays)
        exec::check_lies_there(state_->kernel.name(), lies, state_->device ? &*state_->device : nullptr);
    if (lies.on_host() || state_->device) return state_;
    const std::string kind = kind_of_device_type(lies.array->device_type);
    const std::pair key{kind, lies.array->device_id};
    State::Elsewhere& elsewhere = *state_->elsewhere;
    {
        const std::lock_guard lock(elsewhere.mutex);
        const auto found = elsewhere.plans.find(key);
        if (found != elsewhere.plans.end()) return found->second;
    }
    // Without the lock: a kernel may have to be built, by somebody who has locks of his own.
    auto made = State::make(state_->kernel.on(kind, lies.array->device_id), {},
                            DeviceKernel(kind, lies.array->device_id), state_->npartitions, false, state_->ranks);
    const std::lock_guard lock(elsewhere.mutex);
    return elsewhere.plans.emplace(key, std::move(made)).first->second;
}

// Ranks are told of what is refused on one of them.
std::shared_ptr<const Plan::State> Plan::placed(const Arguments& arguments, std::exception_ptr& refused) const {
    try {
        return place_of(arguments);
    } catch (...) {
        if (!state().ranks) throw;
        refused = std::current_exception();
        return state_;
    }
}

const Plan::State& Plan::state() const { return held(state_, "Plan"); }

BoundPlan Plan::bind(const Arguments& arguments) const {
    std::exception_ptr refused;
    const std::shared_ptr<const State> place = placed(arguments, refused);
    const trace::Span span = span_of(*place, "bind ");
    return place->ranks ? place->bind_jointly(place, arguments, refused) : place->bind_alone(place, arguments);
}

BoundPlan Plan::State::bind_alone(const std::shared_ptr<const State>& self, const Arguments& arguments) const {
    exec::Prepared prepared = exec::prepare(*this, arguments, packing(marshal::Conversion::refuse), {});
    return BoundPlan(bound_to(self, arguments, std::make_unique<BoundPlan::State>(*this), std::move(prepared)));
}

// Bound on all ranks or on none.
BoundPlan Plan::State::bind_jointly(const std::shared_ptr<const State>& self, const Arguments& arguments,
                                    std::exception_ptr refused) const {
    const ranks::Claimed claimed(ranks->state());
    std::unique_ptr<BoundPlan::State> bound;
    exec::Prepared prepared = exec::prepare(*this, arguments, packing(marshal::Conversion::refuse), refused);
    ranks::Doing doing{"bind"};
    ranks::Exchanges nothing(ranks->state(), doing);
    nothing.prepare(
        [&] { bound = bound_to(self, arguments, std::make_unique<BoundPlan::State>(*this), std::move(prepared)); });
    nothing.end();
    ranks::end_call(ranks->state(), 0, [&] { return "bind of kernel '" + kernel.name() + "'"; });
    return BoundPlan(std::move(bound));
}

std::unique_ptr<BoundPlan::State> Plan::State::bound_to(const std::shared_ptr<const State>& self,
                                                        const Arguments& arguments,
                                                        std::unique_ptr<BoundPlan::State> bound,
                                                        exec::Prepared prepared) const {
    bound->take(self, std::move(prepared.packed));
    bound->folding = std::move(prepared.folding);
    bound->keep(bound->room_to_keep(arguments));
    return bound;
}

RunResult Plan::run(const Arguments& arguments, const RunOptions& run) const {
    std::exception_ptr refused;
    const std::shared_ptr<const State> place = placed(arguments, refused);
    const trace::Span span = span_of(*place, "run ");
    return place->device && !place->is_joint() ? place->run_on_device(place, arguments, run)
                                               : place->run_waiting(place, arguments, run, refused);
}

// What a launch needs, before the ranks agree on it: later on a rank that has it not would keep the others waiting.
std::unique_ptr<BoundPlan::State> Plan::State::for_ranks(std::exception_ptr& refused) const {
    if (!ranks || ranks->size() == 1 || refused) return nullptr;
    try {
        return borrow();
    } catch (...) {
        refused = std::current_exception();
        return nullptr;
    }
}

exec::Prepared Plan::State::prepare_claimed(const Arguments& arguments, const marshal::Options& options,
                                            const std::exception_ptr& refused) const {
    std::optional<ranks::Claimed> claimed;
    if (ranks) claimed.emplace(ranks->state());
    return exec::prepare(*this, arguments, options, refused);
}

RunResult Plan::State::run_waiting(const std::shared_ptr<const State>& self, const Arguments& arguments,
                                   const RunOptions& run, std::exception_ptr refused) const {
    std::optional<ranks::Inside> inside;
    if (ranks) inside.emplace(ranks->state());
    std::unique_ptr<BoundPlan::State> state = for_ranks(refused);
    Outputs outputs(*this, run.small_outputs);
    marshal::Options options = packing(marshal::Conversion::convert);
    options.layout = run.layout;
    options.allocate_out = true;
    options.allocator = &outputs;
    exec::Prepared prepared = prepare_claimed(arguments, options, refused);
    const auto launch = [&] {
        if (!state) state = borrow();
        state->take(self, std::move(prepared.packed));
        state->folding = std::move(prepared.folding);
        if (device && !state->folding) outputs.clear(state->launcher.stream().native());
        try {
            device ? state->launch_on(run.stream) : state->launch(run.poll);
        } catch (...) {
            state->packed.copy_back();  // what was done before the interruption or beside the fault is the caller's
            throw;
        }
    };
    ranks && ranks->size() > 1 ? ranks::on_the_way(ranks->state(), launch) : launch();
    marshal::Packed packed = std::move(state->packed);
    packed.copy_back();
    const double seconds = state->expected;
    state->folding.reset();
    give_back(std::move(state));
    return outputs.result(seconds, packed);
}

// Nothing of the call has to live as long as the work: blocks are copied by the launch, memory of Arrays is freed
// behind it in the order of the device, and owners of other memory are kept.
RunResult Plan::State::run_on_device(const std::shared_ptr<const State>& self, const Arguments& arguments,
                                     const RunOptions& run) const {
    Outputs outputs(*this, nullptr);
    marshal::Options options = packing(marshal::Conversion::refuse);
    options.layout = run.layout;
    options.allocate_out = true;
    options.allocator = &outputs;
    marshal::Packed arguments_packed = exec::pack(kernel.signature(), arguments, options);
    auto state = borrow();
    if (state->is_faulty(*this)) state->wait(*this);
    state->take(self, std::move(arguments_packed));
    outputs.clear(state->launcher.stream().native());
    exec::Kept::Owners owners;
    for (const auto& argument : arguments)
        if (argument.second.foreign()) owners.push_back(argument.second.owner());
    state->launch_on(run.stream);
    state->kept.until_done(state->launcher.stream(), std::move(owners));
    const marshal::Packed packed = std::move(state->packed);
    give_back(std::move(state));
    return outputs.result(-1, packed);
}

void Plan::synchronize() const {
    if (state().device) return state_->synchronize();
    std::vector<std::shared_ptr<const State>> places;
    {
        const std::lock_guard lock(state_->elsewhere->mutex);
        for (const auto& place : state_->elsewhere->plans) places.push_back(place.second);
    }
    for (const auto& place : places) place->synchronize();
}

const Kernel& Plan::kernel() const { return state().kernel; }
HostTeam Plan::team() const { return state().team; }
const std::optional<DeviceKernel>& Plan::device() const { return state().device; }
bool Plan::follows_arrays() const { return state().follows_arrays; }
int Plan::npartitions() const { return state().npartitions; }
const std::optional<RankPartition>& Plan::ranks() const { return state().ranks; }

}  // namespace eagle
