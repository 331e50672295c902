#include <eagle/Error.h>
#include <eagle/Ranks.h>

#include <string>
#include <utility>

#include "exec/Busy.h"
#include "ranks/Gather.h"
#include "ranks/State.h"

namespace eagle {

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
    const ranks::Rows rows = ranks::rows_of(plane, "the plane");
    ranks::gather(*state_, rows, parts(rows.samples));
}

}  // namespace eagle
