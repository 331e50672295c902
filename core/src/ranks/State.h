// What the ranks share of a RankPartition, on each of them.
#pragma once
#include <eagle/Ranks.h>

#include <atomic>
#include <cstdint>

#include "exec/Busy.h"

namespace eagle {

struct RankPartition::State {
    int rank, size;
    Allgather allgather;
    bool gather;
    mutable exec::Claim busy{0};
    // Meetings that this rank has begun, or would have; ranks whose numbers differ have not made the same calls.
    mutable std::atomic<std::uint64_t> meetings{0};

    // As RankPartition::Allgather; nothing happens on a single rank.
    void exchange(void* whole, std::span<const std::int64_t> offsets) const {
        if (size > 1) allgather(whole, offsets);
    }
};

}  // namespace eagle
