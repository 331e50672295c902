// How ranks come together.
#pragma once
#include <eagle/Error.h>
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "ranks/Word.h"

namespace eagle::ranks {

// This rank stops because another asked it to; why, is what that one says at the meeting.
class AskedToStop : public Error {
  public:
    using Error::Error;
};

// The words of all ranks, in their order; none where every rank said the same, and nothing failed. Every rank calls it
// at the same place; `mine` is its own word, of which the meeting's number is set here. While it waits, this rank can
// be interrupted: the others are asked to come soon, and its word is a failure then (`error`, which is set to
// Interrupted with `done`), at the next meeting where this one's words were out. A second interruption leaves. Throws
// Error where these ranks meet no more.
std::vector<Word> meet(const RankPartition::State& ranks, Word mine, std::exception_ptr& error, std::int64_t done);

// How often this thread has met other ranks.
std::uint64_t meetings_of_this_thread() noexcept;

// Before a meeting: throws AskedToStop where another rank cannot go on, and waits for this one.
void look_for_stop(const RankPartition::State& ranks);
// Before a meeting: this rank cannot go on, so that what the others do until then is in vain.
void ask_to_stop(const RankPartition::State& ranks);

// At the end of a call: an interruption that came when the words of the last meeting were out. The others are told that
// this rank has left, and it is thrown.
void end_call(const RankPartition::State& ranks, const std::string& call, std::int64_t done);

// This rank meets no more, from that meeting on, and says so to the others.
void leave(const RankPartition::State& ranks, const std::string& why, std::uint64_t meeting);

}  // namespace eagle::ranks
