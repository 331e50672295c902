// What the ranks share of a RankPartition, on each of them.
#pragma once
#include <eagle/Ranks.h>

#include <atomic>

namespace eagle {

struct RankPartition::State {
    int rank, size;
    Allgather allgather;
    bool gather;
    mutable std::atomic<bool> busy{false};

    // As RankPartition::Allgather; nothing happens on a single rank.
    void exchange(void* whole, std::span<const std::int64_t> offsets) const {
        if (size > 1) allgather(whole, offsets);
    }
};

}  // namespace eagle
