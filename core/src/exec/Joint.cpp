#include "exec/Joint.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "exec/Blocks.h"
#include "exec/Busy.h"
#include "exec/Match.h"
#include "ranks/Call.h"
#include "ranks/Exchanges.h"
#include "ranks/Gather.h"
#include "ranks/Meeting.h"
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

template <class T>
std::string text_of(T value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// No number is a number like any other that is none.
ranks::Number number_of(const Parameter& parameter, const void* block) {
    const Value value = number_in_block(parameter, block);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return {parameter.name, static_cast<std::uint64_t>(*whole), text_of(*whole)};
    const double number =
        std::isnan(std::get<double>(value)) ? std::numeric_limits<double>::quiet_NaN() : std::get<double>(value);
    return {parameter.name, std::bit_cast<std::uint64_t>(number),
            parameter.dtype == Dtype::float32 ? text_of(static_cast<float>(number)) : text_of(number)};
}

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

bool has_others(const Plan::State& plan) { return plan.ranks && plan.ranks->size() > 1; }

ranks::Doing doing(const Plan::State& plan, const std::string& call, const marshal::Packed& packed) {
    ranks::Doing out{.call = call, .kernel = plan.kernel.name(), .samples = packed.samples()};
    if (!has_others(plan)) return out;
    const Signature& signature = plan.kernel.signature();
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].role == Role::uniform)
            out.numbers.push_back(number_of(signature.parameters[i], packed.params()[i]));
    return out;
}

Prepared prepare(const Plan::State& plan, const Arguments& arguments, const marshal::Options& options,
                 const std::exception_ptr& refused) {
    if (!plan.ranks) return pack_all(plan, arguments, options);
    Prepared out;
    ranks::Doing mine{options.allocate_out ? "run" : "bind"};
    std::exception_ptr failed = refused;
    try {
        if (!failed) out = pack_all(plan, arguments, options);
        if (!failed) mine = doing(plan, mine.call + (plan.ranks->gathers() ? "" : " without gather"), out.packed);
    } catch (...) {
        failed = std::current_exception();
    }
    ranks::agree(plan.ranks->state(), failed, mine);
    return out;
}

}  // namespace exec

void BoundPlan::State::gather_written(ranks::Exchanges& exchanges) {
    const RankPartition& ranks = *plan->ranks;
    std::vector<Partition> of_ranks;
    std::vector<ranks::Rows> planes;
    exchanges.prepare([&] {
        of_ranks = ranks.parts(packed.samples(), plan->grain());
        exec::each_written(*plan, packed, [&](const ranks::Rows& rows) {
            if (rows.samples > 0) planes.push_back(rows);
        });
    });
    ranks::gather(ranks.state(), exchanges, planes, of_ranks);
}

Partition BoundPlan::State::own_samples() const {
    return plan->ranks ? plan->ranks->part(packed.samples(), plan->grain()) : Partition::whole(packed.samples());
}

// This rank's part. Of a device it is waited for: what follows needs it.
void BoundPlan::State::launch_part(const Poll& poll, std::uint64_t stream) {
    if (plan->device) launcher.follow(stream != 0 ? stream : plan->device->stream);
    if (folding) folding->clear(own_samples(), launcher);
    if (!poll || plan->device || plan->grid != 0) return launch_parts();
    if (!exec::has_others(*plan)) return launch_windows(poll);
    launch_windows([&] {
        ranks::look_for_stop(plan->ranks->state());
        return poll();
    });
}

// What the ranks exchange behind their parts. A fault leaves its sample as it was, so that planes are whole beside it;
// a fold has no result then.
void BoundPlan::State::finish_jointly(bool faulty, ranks::Doing& doing) {
    const bool folds = folding && !faulty;
    if (!exec::has_others(*plan)) {
        if (folds) folding->fold(packed.samples(), launcher);
        return;
    }
    ranks::Exchanges exchanges(plan->ranks->state(), doing);
    if (folds) folding->fold(packed.samples(), launcher, *plan->ranks, exchanges);
    if (plan->ranks->gathers()) gather_written(exchanges);
    exchanges.end();
}

// `doing` of the launch and of the exchange behind it need no memory where making them failed.
void BoundPlan::State::launch_and_say(const Poll& poll, std::uint64_t stream, ranks::Doing& launch,
                                      ranks::Doing& exchange, std::exception_ptr& mine) {
    const bool others = exec::has_others(*plan);
    try {
        if (plan->ranks) {
            exchange = exec::doing(*plan, "exchange of planes", packed);
            launch = exec::doing(*plan, plan->ranks->gathers() ? "launch" : "launch without gather", packed);
            launch.done = own_samples().count;
        }
        launch_part(poll, stream);
    } catch (const ranks::AskedToStop&) {
        mine = std::current_exception();
    } catch (const Interrupted&) {
        mine = std::current_exception();
        if (others) ranks::ask_to_stop(plan->ranks->state(), true);
    } catch (...) {
        mine = std::current_exception();
        if (others) ranks::ask_to_stop(plan->ranks->state(), false);
    }
}

void BoundPlan::State::launch_jointly(const Poll& poll, std::uint64_t stream) {
    const bool others = exec::has_others(*plan);
    std::optional<ranks::Claimed> claimed;
    if (plan->ranks) claimed.emplace(plan->ranks->state());
    const exec::Entered entered(busy, "bound plan");
    const exec::Clock::time_point start = exec::Clock::now();
    ranks::Doing launch{"launch"}, exchange{"exchange"};
    std::exception_ptr mine;
    launch_and_say(poll, stream, launch, exchange, mine);
    int faulty_rank = -1;
    if (plan->ranks)
        faulty_rank = ranks::agree_on_end(plan->ranks->state(), mine, launch, plan->control < 0 ? nullptr : control);
    else if (mine)
        std::rethrow_exception(mine);
    finish_jointly(control[marshal::Control::fault] != 0, exchange);
    if (others)
        ranks::end_call(plan->ranks->state(), packed.samples(),
                        [this] { return "launch of kernel '" + plan->kernel.name() + "'"; });
    finish_launch(faulty_rank);
    expected = exec::seconds_since(start);
}

}  // namespace eagle
