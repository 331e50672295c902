// Other arguments for a bound plan.
#include <eagle/Rebind.h>

#include <exception>
#include <utility>
#include <vector>

#include "exec/Blocks.h"
#include "exec/Joint.h"
#include "exec/Match.h"
#include "exec/PlanState.h"
#include "ranks/Agree.h"
#include "ranks/Call.h"
#include "ranks/Meeting.h"

namespace eagle {
namespace {

std::string names_of(const Signature& signature) {
    std::string text;
    for (const Parameter& parameter : signature.parameters)
        if (exec::given_by_caller(parameter)) text.append(text.empty() ? "" : ", ").append(parameter.name);
    return text;
}

std::size_t index_of(const Kernel& kernel, const std::string& name) {
    const int found = kernel.signature().find(name);
    if (found < 0 || !exec::given_by_caller(kernel.signature().parameters[static_cast<std::size_t>(found)]))
        throw ArgumentError("kernel '" + kernel.name() + "' has no argument '" + name + "' to rebind; it takes " +
                            names_of(kernel.signature()));
    return static_cast<std::size_t>(found);
}

}  // namespace

void BoundPlan::State::set(std::size_t index, const Value& value) {
    if (const auto* array = std::get_if<ArrayView>(&value))
        packed.set_array(index, *array);
    else if (const auto* number = std::get_if<double>(&value))
        packed.set_number(index, *number);
    else
        packed.set_number(index, std::get<std::int64_t>(value));
}

Value BoundPlan::State::bound_to(std::size_t index) const {
    const Parameter& parameter = plan->kernel.signature().parameters[index];
    if (parameter.role == Role::uniform) return exec::number_in_block(parameter, packed.params()[index]);
    return packed.array(index);
}

// Last first: what stood together stands again.
void BoundPlan::State::set_back(const std::vector<Was>& before) {
    for (std::size_t k = before.size(); k-- > 0;) set(before[k].index, before[k].value);
}

std::vector<BoundPlan::State::Was> BoundPlan::State::set_all(std::span<const NamedArgument> wanted) {
    std::vector<Was> before;
    try {
        for (const auto& [name, value] : wanted) {
            const std::size_t index = index_of(plan->kernel, name);
            const Value was = bound_to(index);
            set(index, value);
            before.push_back({index, was});
        }
    } catch (...) {
        set_back(before);
        throw;
    }
    return before;
}

void BoundPlan::State::set_all_jointly(std::span<const NamedArgument> wanted) {
    const RankPartition::State& ranks = plan->ranks->state();
    const ranks::Claimed claimed(ranks);
    std::vector<Was> before;
    std::exception_ptr refused;
    try {
        before = set_all(wanted);
    } catch (...) {
        refused = std::current_exception();
    }
    ranks::Doing doing{"rebind"};
    try {
        if (!refused) doing = exec::doing(*plan, "rebind", packed);
    } catch (...) {
        refused = std::current_exception();
    }
    try {
        ranks::agree(ranks, refused, doing);
        ranks::agree(ranks, nullptr, doing, ranks::Waits::staying);
    } catch (...) {
        set_back(before);
        throw;
    }
    ranks::end_call(ranks, 0, [] { return "rebind"; });
}

void BoundPlan::State::rebind(std::span<const NamedArgument> wanted) {
    const exec::Entered entered(busy, "bound plan");
    std::vector<Owner> made = room_to_keep(wanted);
    if (exec::has_others(*plan))
        set_all_jointly(wanted);
    else
        set_all(wanted);
    launcher.prepare(plan->kernel.step_entry(launcher.stream().device()), packed);
    keep(std::move(made));
}

BoundPlan& BoundPlan::rebind(const std::string& name, const ArgumentValue& value) {
    const NamedArgument one{name, value};
    state().rebind(std::span(&one, 1));
    return *this;
}

BoundPlan& rebind(BoundPlan& bound, const Arguments& wanted) {
    exec::Inside::of(bound).rebind(wanted);
    return bound;
}

}  // namespace eagle
