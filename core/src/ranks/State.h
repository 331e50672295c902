// What the ranks share of a RankPartition, on each of them.
#pragma once
#include <eagle/RankMessages.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "exec/Busy.h"
#include "ranks/Word.h"

namespace eagle {

struct RankPartition::State {
    State(int its_rank, int of, Allgather collective, bool gathers)
        : rank(its_rank),
          size(of),
          allgather(std::move(collective)),
          gather(gathers),
          words(static_cast<std::size_t>(of)) {
        for (int r = 0; r <= size; ++r) word_offsets.push_back(r * static_cast<std::int64_t>(sizeof(ranks::Word)));
        inbox.reserve(2 * words.size() + 32);
    }

    int rank, size;
    Allgather allgather;
    bool gather;
    mutable std::shared_ptr<RankMessages> messages;  // or null; not after the first call
    mutable exec::Claim busy{0};
    // Meetings that this rank has begun, or would have; ranks whose numbers differ have not made the same calls.
    mutable std::atomic<std::uint64_t> meetings{0};

    // Of whoever holds `busy`. Where ranks meet, no memory is asked for.
    mutable std::vector<ranks::Message> inbox;
    mutable std::vector<ranks::Word> words;  // of the last meeting
    std::vector<std::int64_t> word_offsets;
    mutable std::atomic<bool> interrupted{false};  // and the others do not know yet

    mutable std::mutex mutex;
    // Under the mutex.
    mutable int inside = 0;    // calls that have begun and not ended
    mutable std::string owed;  // what the others are to be told when they have
    mutable std::string left;  // why these ranks meet no more

    // RankPartition::Allgather with these arguments, which outlive it; what can fail is done, as far as it can be.
    std::function<void()> prepared(void* whole, std::span<const std::int64_t> offsets) const {
        if (messages)
            if (std::function<void()> made = messages->prepared(whole, offsets)) return made;
        return [this, whole, offsets] { allgather(whole, offsets); };
    }
};

}  // namespace eagle
