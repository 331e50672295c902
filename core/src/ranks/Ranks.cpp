#include <eagle/Error.h>
#include <eagle/Ranks.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "ranks/Agree.h"
#include "ranks/Call.h"
#include "ranks/Exchanges.h"
#include "ranks/Gather.h"
#include "ranks/Meeting.h"
#include "ranks/State.h"

namespace eagle {
namespace {

std::string words_of(const ArrayView& plane, const ranks::Rows& rows) {
    return element_type_name(plane.type) + ", " + std::to_string(rows.samples) + " samples of " +
           std::to_string(rows.samples == 0 ? 0 : plane.size() / rows.samples);
}

}  // namespace

RankMessages::~RankMessages() = default;
std::function<void()> RankMessages::prepared(void*, std::span<const std::int64_t>) { return {}; }

RankPartition::RankPartition(int rank, int size, Allgather allgather, bool gather) {
    if (size < 1 || rank < 0 || rank >= size)
        throw InvalidArgument("RankPartition has rank " + std::to_string(rank) + " of " + std::to_string(size) +
                              "; it needs at least 1 rank, numbered from 0");
    if (size > 1 && !allgather)
        throw InvalidArgument("RankPartition has " + std::to_string(size) +
                              " ranks and no allgather; it needs the collective by which they exchange planes");
    state_ = std::make_shared<State>(rank, size, std::move(allgather), gather);
}

RankPartition ranks_with_messages(int rank, int size, RankPartition::Allgather allgather,
                                  std::shared_ptr<RankMessages> messages, bool gather) {
    const RankPartition made(rank, size, std::move(allgather), gather);
    if (size > 1) made.state().messages = std::move(messages);
    return made;
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
    const ranks::Claimed claimed(*state_);
    ranks::Rows rows;
    std::vector<Partition> of_ranks;
    ranks::Doing doing{"allgather"};
    std::exception_ptr failed;
    try {
        rows = ranks::rows_of(plane, "the plane");
        of_ranks = parts(rows.samples);
        doing = {.call = "allgather, " + words_of(plane, rows), .samples = rows.samples};
    } catch (...) {
        failed = std::current_exception();
    }
    ranks::agree(*state_, failed, doing);
    ranks::Exchanges exchanges(*state_, doing);
    ranks::gather(*state_, exchanges, std::span(&rows, 1), of_ranks);
    exchanges.end();
    ranks::end_call(*state_, rows.samples, [&] { return doing.call; });
}

}  // namespace eagle
