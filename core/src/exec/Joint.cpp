#include "exec/Joint.h"

#include <exception>
#include <optional>

#include "exec/Blocks.h"
#include "exec/Busy.h"
#include "exec/Match.h"
#include "ranks/Agree.h"
#include "ranks/Gather.h"
#include "ranks/State.h"

namespace eagle {
namespace exec {
namespace {

// What ranks exchange after a launch: planes of samples that the kernel writes. The values that are folded stay.
template <class Visit>
void each_written(const Plan::State& plan, const marshal::Packed& packed, const Visit& visit) {
    const Signature& signature = plan.kernel.signature();
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const Parameter& parameter = signature.parameters[i];
        if (!signature.writes(parameter) || !parameter.is_sample_plane() || parameter.supplied()) continue;
        if (plan.reducer && parameter.role == Role::out) continue;
        visit(ranks::rows_of(view_of_block(parameter, packed, i),
                             "kernel '" + signature.kernel + "': plane '" + parameter.name + "'"));
    }
}

bool has_others(const Plan::State& plan) { return plan.ranks && plan.ranks->size() > 1; }

Prepared pack_all(const Plan::State& plan, const Arguments& arguments, const marshal::Options& options) {
    const Signature& signature = plan.kernel.signature();
    Prepared out;
    if (!plan.reducer) {
        out.packed = pack(signature, arguments, options);
    } else {
        out.folding = std::make_unique<Folding>(plan.reducer, arguments, options);
        marshal::Options of_values = options;
        of_values.allocate_out = true;
        of_values.allocator = &out.folding->values();
        out.packed = pack(signature, out.folding->rest(arguments), of_values);
    }
    // What cannot be exchanged is refused before anything runs.
    if (has_others(plan)) each_written(plan, out.packed, [](const ranks::Rows&) {});
    return out;
}

}  // namespace

Prepared prepare(const Plan::State& plan, const Arguments& arguments, const marshal::Options& options,
                 const std::exception_ptr& refused) {
    if (!plan.ranks) return pack_all(plan, arguments, options);
    const Entered entered(plan.ranks->state().busy, "rank partition");
    const std::string call =
        std::string(options.allocate_out ? "run" : "bind") + (plan.ranks->gathers() ? "" : " without gather");
    Prepared out;
    ranks::together(
        plan.ranks->state(), call, plan.kernel.name(),
        [&] {
            if (refused) std::rethrow_exception(refused);
            out = pack_all(plan, arguments, options);
        },
        [&] { return out.packed.samples(); });
    return out;
}

}  // namespace exec

void BoundPlan::State::gather_written() {
    const RankPartition& ranks = *plan->ranks;
    const std::vector<Partition> parts = ranks.parts(packed.samples(), plan->grain());
    exec::each_written(*plan, packed, [&](const ranks::Rows& rows) { ranks::gather(ranks.state(), rows, parts); });
}

Partition BoundPlan::State::own_samples() const {
    return plan->ranks ? plan->ranks->part(packed.samples(), plan->grain()) : Partition::whole(packed.samples());
}

// Of a device it is waited for: what follows needs it.
void BoundPlan::State::launch_jointly(const Poll& poll, std::uint64_t stream) {
    const exec::Entered entered(busy, "bound plan");
    const RankPartition* const ranks = plan->ranks ? &*plan->ranks : nullptr;
    std::optional<exec::Entered> shared;
    if (ranks != nullptr) shared.emplace(ranks->state().busy, "rank partition");
    const exec::Clock::time_point start = exec::Clock::now();
    std::exception_ptr mine;
    try {
        if (plan->device) launcher.follow(stream != 0 ? stream : plan->device->stream);
        if (folding) folding->clear(own_samples(), launcher);
        if (poll && !plan->device && plan->grid == 0) {
            launch_windows(poll);
        } else {
            launch_parts();
        }
    } catch (...) {
        mine = std::current_exception();
    }
    if (ranks != nullptr)
        ranks::agree_on_end(ranks->state(), mine, plan->control < 0 ? nullptr : control);
    else if (mine)
        std::rethrow_exception(mine);
    finish_launch();
    if (folding) folding->fold(packed.samples(), launcher, ranks);
    if (exec::has_others(*plan) && ranks->gathers()) gather_written();
    expected = exec::seconds_since(start);
}

}  // namespace eagle
