#include <eagle/Plan.h>

#include "exec/Match.h"
#include "exec/Placement.h"
#include "exec/PlanState.h"

namespace eagle {
namespace {

// Outputs from our own pool. Where every sample is written there is nothing to clear.
class Outputs : public marshal::OutAllocator {
  public:
    Outputs(const Signature& signature, marshal::OutAllocator* small) : small_(small) {
        for (const Parameter& parameter : signature.parameters) masked_ |= parameter.role == Role::terminated;
    }
    std::shared_ptr<void> allocate(std::size_t index, const Parameter& parameter, std::span<const std::int64_t> shape,
                                   std::size_t bytes) override {
        if (small_ != nullptr && bytes < small_output_bytes) return small_->allocate(index, parameter, shape, bytes);
        Array array = masked_ ? Array::zeros(shape, parameter.dtype) : Array::empty(shape, parameter.dtype);
        made.emplace_back(index, array);
        return array.owner();
    }
    std::vector<std::pair<std::size_t, Array>> made;

  private:
    marshal::OutAllocator* small_;
    bool masked_ = false;
};

}  // namespace

Plan::Plan(Kernel kernel, HostTeam team, int npartitions) {
    exec::check_placement(kernel, team, npartitions);
    const std::uint32_t parallel = exec::parallel_of(kernel, team);
    const Signature& signature = kernel.signature();
    const int control = signature.find("__control"), steps = signature.find("__steps"), next = signature.find("__next");
    state_ = std::make_shared<const State>(State{std::move(kernel), team, npartitions, parallel, control, steps, next});
}

BoundPlan Plan::bind(const Arguments& arguments) const {
    marshal::Packed packed = exec::pack(state_->kernel.signature(), arguments, {});
    auto state = std::make_unique<BoundPlan::State>(state_->kernel);
    state->take(state_, std::move(packed));
    return BoundPlan(std::move(state));
}

RunResult Plan::run(const Arguments& arguments, const RunOptions& run) const {
    const Signature& signature = state_->kernel.signature();
    Outputs outputs(signature, run.small_outputs);
    marshal::Options options;
    options.conversion = marshal::Conversion::convert;
    options.layout = run.layout;
    options.allocate_out = true;
    options.allocator = &outputs;
    marshal::Packed arguments_packed = exec::pack(signature, arguments, options);
    auto state = state_->borrow();
    state->take(state_, std::move(arguments_packed));
    try {
        state->launch(run.poll);
    } catch (...) {
        state->packed.copy_back();  // what was done before the interruption or beside the fault is the caller's
        throw;
    }
    marshal::Packed packed = std::move(state->packed);
    packed.copy_back();

    RunResult result;
    result.seconds = state->expected;
    state_->give_back(std::move(state));
    for (auto& [index, array] : outputs.made)
        result.outputs.emplace_back(signature.parameters[index].name, std::move(array));
    const auto notices = packed.notices();
    result.notices.assign(notices.begin(), notices.end());
    return result;
}

const Kernel& Plan::kernel() const { return state_->kernel; }
HostTeam Plan::team() const { return state_->team; }
int Plan::npartitions() const { return state_->npartitions; }

}  // namespace eagle
