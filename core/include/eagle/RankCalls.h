// What callers of a plan with ranks tell the other ranks about calls that never reach eagle.
#pragma once
#include <eagle/Ranks.h>
#include <eagle/export.h>

#include <cstdint>
#include <string>

namespace eagle {

// How often this rank has met the others.
EAGLE_API std::uint64_t rank_meetings(const RankPartition& ranks);

// Every rank calls it at the same place, with the same words for what it does. Throws InvalidArgument on every rank
// where one does something else; Error where another rank failed instead. Busy.
EAGLE_API void meet_ranks(const RankPartition& ranks, const std::string& call);

// In place of a call that this rank could not begin: the others' call throws Error with these words. Throws what the
// collective throws. While another thread is inside a call of these ranks nothing can be said; then the next call of
// these ranks is refused, on every rank.
EAGLE_API void report_to_ranks(const RankPartition& ranks, const std::string& failure);

}  // namespace eagle
