#include "ranks/Call.h"

#include <eagle/Error.h>
#include <eagle/RankCalls.h>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "ranks/Agree.h"
#include "ranks/Meeting.h"

namespace eagle {
namespace ranks {

Inside::Inside(const RankPartition::State& ranks) : ranks_(ranks) {
    const std::lock_guard lock(ranks.mutex);
    ++ranks.inside;
}

Inside::~Inside() {
    std::string why;
    {
        const std::lock_guard lock(ranks_.mutex);
        if (--ranks_.inside > 0) return;
        ranks_.interrupted = false;
        why.swap(ranks_.owed);
    }
    if (!why.empty()) leave(ranks_, why, ranks_.meetings + 1);
}

void owe(const RankPartition::State& ranks, const std::string& why) {
    const std::lock_guard lock(ranks.mutex);
    if (!ranks.messages)
        ++ranks.meetings;
    else if (ranks.owed.empty())
        ranks.owed = why;
}

Claimed::Claimed(const RankPartition::State& ranks) : inside_(ranks) {
    try {
        entered_.emplace(ranks.busy, "rank partition");
    } catch (const Busy& busy) {
        owe(ranks, busy.what());
        throw;
    }
}

namespace {

bool others_know(const RankPartition::State& ranks) {
    const std::lock_guard lock(ranks.mutex);
    return !ranks.owed.empty() || !ranks.left.empty();
}

}  // namespace

void tell_on_the_way(const RankPartition::State& ranks, std::uint64_t met, const std::exception_ptr& failure) noexcept {
    if (meetings_of_this_thread() != met) return;
    try {
        if (others_know(ranks)) return;
        const Claimed claimed(ranks);
        tell_failure(ranks, failure);
    } catch (...) {  // `failure` is what this rank raises; the others are told, or this rank has left
    }
}

}  // namespace ranks

struct RankCall::State {
    explicit State(const RankPartition& of) : ranks(of), inside(of.state()) {}
    RankPartition ranks;
    ranks::Inside inside;
    std::uint64_t met = ranks::meetings_of_this_thread();
};

RankCall::RankCall(const RankPartition& ranks) try : state_(std::make_unique<State>(ranks)) {
} catch (const std::exception& failed) {  // nobody can tell the others later on
    ranks::leave(ranks.state(), failed.what(), ranks.state().meetings + 1);
}
RankCall::~RankCall() = default;

void RankCall::failed(const std::string& failure) {
    const RankPartition::State& ranks = state_->ranks.state();
    if (ranks::meetings_of_this_thread() != state_->met || ranks::others_know(ranks)) return;
    std::optional<exec::Entered> entered;
    try {
        entered.emplace(ranks.busy, "rank partition");
    } catch (const Busy&) {
        return ranks::owe(ranks, failure);
    }
    ranks::tell_failure(ranks, failure);
}

void meet_ranks(const RankPartition& ranks, const std::string& call) {
    const ranks::Claimed claimed(ranks.state());
    ranks::agree(ranks.state(), nullptr, {call});
}

}  // namespace eagle
