// What the ranks share of a RankPartition, on each of them.
#pragma once
#include <eagle/RankMessages.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "exec/Busy.h"
#include "ranks/Word.h"

namespace eagle {

struct RankPartition::State {
    State(int its_rank, int of, Allgather collective, bool gathers)
        : rank(its_rank), size(of), allgather(std::move(collective)), gather(gathers) {}

    int rank, size;
    Allgather allgather;
    bool gather;
    mutable std::shared_ptr<RankMessages> messages;  // or null; not after the first call
    mutable exec::Claim busy{0};
    // Meetings that this rank has begun, or would have; ranks whose numbers differ have not made the same calls.
    mutable std::atomic<std::uint64_t> meetings{0};

    mutable std::deque<ranks::Message> inbox;      // of whoever holds `busy`
    mutable std::atomic<bool> interrupted{false};  // and the others do not know yet

    mutable std::mutex mutex;
    // Under the mutex.
    mutable int inside = 0;    // calls that have begun and not ended
    mutable std::string owed;  // what the others are to be told when they have
    mutable std::string left;  // why these ranks meet no more

    // As RankPartition::Allgather; nothing happens on a single rank.
    void exchange(void* whole, std::span<const std::int64_t> offsets) const {
        if (size > 1) allgather(whole, offsets);
    }
};

}  // namespace eagle
