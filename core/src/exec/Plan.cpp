#include <eagle/Plan.h>

#include "Held.h"
#include "exec/Match.h"
#include "exec/Placement.h"
#include "exec/PlanState.h"
#include "trace/Span.h"

namespace eagle {
namespace {

// Outputs where the plan runs. Where every sample is written there is nothing to clear.
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
        Array array = masked_ ? Array::zeros(shape, parameter.dtype, backend, device)
                              : Array::empty(shape, parameter.dtype, backend, device);
        made.emplace_back(index, array);
        return {array.owner(), array.view().data};
    }
    std::vector<std::pair<std::size_t, Array>> made;

  private:
    const Plan::State& plan_;
    marshal::OutAllocator* small_;
    bool masked_ = false;
};

}  // namespace

std::shared_ptr<const Plan::State> Plan::State::make(Kernel kernel, HostTeam team, std::optional<DeviceKernel> device,
                                                     int npartitions) {
    device ? exec::check_placement(kernel, *device, npartitions) : exec::check_placement(kernel, team, npartitions);
    const std::uint32_t parallel = exec::parallel_of(kernel, team);
    const Signature& signature = kernel.signature();
    const int control = signature.find("__control"), steps = signature.find("__steps"), next = signature.find("__next");
    return std::make_shared<const State>(
        State{std::move(kernel), team, std::move(device), npartitions, parallel, control, steps, next});
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

Plan::Plan(Kernel kernel, HostTeam team, int npartitions)
    : state_(State::make(std::move(kernel), team, std::nullopt, npartitions)) {}

Plan::Plan(Kernel kernel, DeviceKernel device, int npartitions)
    : state_(State::make(std::move(kernel), {}, std::move(device), npartitions)) {}

// Where the first array lies; that the others lie there too is checked where they are packed.
const std::shared_ptr<const Plan::State>& Plan::place_of(const Arguments& arguments) const {
    if (state().device) return state_;
    for (const auto& argument : arguments) {
        const auto* array = std::get_if<ArrayView>(&argument.second);
        if (array == nullptr) continue;
        if (array->device_type == 1) return state_;
        const std::string kind = kind_of_device_type(array->device_type);
        const std::lock_guard lock(state_->elsewhere->mutex);
        auto& plan = state_->elsewhere->plans[{kind, array->device_id}];
        if (!plan)
            plan = State::make(state_->kernel.on(kind), {}, DeviceKernel(kind, array->device_id), state_->npartitions);
        return plan;
    }
    return state_;
}

const Plan::State& Plan::state() const { return held(state_, "Plan"); }

BoundPlan Plan::bind(const Arguments& arguments) const {
    const std::shared_ptr<const State>& place = place_of(arguments);
    const trace::Span span([&] { return trace::Label{"plan", "bind " + place->kernel.name()}; });
    marshal::Packed packed =
        exec::pack(place->kernel.signature(), arguments, place->packing(marshal::Conversion::refuse));
    auto bound = std::make_unique<BoundPlan::State>(*place);
    bound->take(place, std::move(packed));
    for (const auto& [name, argument] : arguments) bound->keep(name, argument.owner());
    return BoundPlan(std::move(bound));
}

RunResult Plan::run(const Arguments& arguments, const RunOptions& run) const {
    const std::shared_ptr<const State>& place = place_of(arguments);
    const trace::Span span([&] { return trace::Label{"plan", "run " + place->kernel.name()}; });
    const Signature& signature = place->kernel.signature();
    Outputs outputs(*place, run.small_outputs);
    marshal::Options options = place->packing(marshal::Conversion::convert);
    options.layout = run.layout;
    options.allocate_out = true;
    options.allocator = &outputs;
    marshal::Packed arguments_packed = exec::pack(signature, arguments, options);
    auto state = place->borrow();
    state->take(place, std::move(arguments_packed));
    try {
        state->launch(run.poll);
        if (place->device) state->synchronize();
    } catch (...) {
        state->packed.copy_back();  // what was done before the interruption or beside the fault is the caller's
        throw;
    }
    marshal::Packed packed = std::move(state->packed);
    packed.copy_back();

    RunResult result;
    result.seconds = state->expected;
    place->give_back(std::move(state));
    for (auto& [index, array] : outputs.made)
        result.outputs.emplace_back(signature.parameters[index].name, std::move(array));
    const auto notices = packed.notices();
    result.notices.assign(notices.begin(), notices.end());
    return result;
}

const Kernel& Plan::kernel() const { return state().kernel; }
HostTeam Plan::team() const { return state().team; }
const std::optional<DeviceKernel>& Plan::device() const { return state().device; }
int Plan::npartitions() const { return state().npartitions; }

}  // namespace eagle
