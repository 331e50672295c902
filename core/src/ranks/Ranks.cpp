#include <eagle/Error.h>
#include <eagle/RankCalls.h>
#include <eagle/Ranks.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "exec/Busy.h"
#include "ranks/Agree.h"
#include "ranks/Gather.h"
#include "ranks/State.h"

namespace eagle {
namespace {

std::string words_of(const ArrayView& plane, const ranks::Rows& rows) {
    return element_type_name(plane.type) + ", " + std::to_string(rows.samples) + " samples of " +
           std::to_string(rows.samples == 0 ? 0 : plane.size() / rows.samples);
}

}  // namespace

RankPartition::RankPartition(int rank, int size, Allgather allgather, bool gather) {
    if (size < 1 || rank < 0 || rank >= size)
        throw InvalidArgument("RankPartition has rank " + std::to_string(rank) + " of " + std::to_string(size) +
                              "; it needs at least 1 rank, numbered from 0");
    if (size > 1 && !allgather)
        throw InvalidArgument("RankPartition has " + std::to_string(size) +
                              " ranks and no allgather; it needs the collective by which they exchange planes");
    state_ = std::make_shared<State>(rank, size, std::move(allgather), gather);
}

int RankPartition::rank() const { return state_->rank; }
int RankPartition::size() const { return state_->size; }
bool RankPartition::gathers() const { return state_->gather; }

std::vector<Partition> RankPartition::parts(std::int64_t n_samples, std::int64_t multiple) const {
    return Partition::split(n_samples, state_->size, multiple);
}

Partition RankPartition::part(std::int64_t n_samples, std::int64_t multiple) const {
    return parts(n_samples, multiple)[static_cast<std::size_t>(state_->rank)];
}

void RankPartition::allgather(const ArrayView& plane) const {
    const exec::Entered entered(state_->busy, "rank partition");
    ranks::Rows rows;
    std::exception_ptr refused;
    try {
        rows = ranks::rows_of(plane, "the plane");
    } catch (...) {
        refused = std::current_exception();
    }
    ranks::agree(*state_, refused, "allgather, " + words_of(plane, rows), {}, rows.samples);
    ranks::gather(*state_, rows, parts(rows.samples));
}

std::uint64_t rank_meetings(const RankPartition& ranks) { return ranks.state().meetings; }

void meet_ranks(const RankPartition& ranks, const std::string& call) {
    const exec::Entered entered(ranks.state().busy, "rank partition");
    ranks::agree(ranks.state(), nullptr, call, {}, 0);
}

void report_to_ranks(const RankPartition& ranks, const std::string& failure) {
    const RankPartition::State& state = ranks.state();
    std::optional<exec::Entered> entered;
    try {
        entered.emplace(state.busy, "rank partition");
    } catch (const Busy&) {
        ++state.meetings;
        return;
    }
    ranks::tell_failure(state, failure);
}

}  // namespace eagle
