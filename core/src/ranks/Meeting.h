// How ranks come together.
#pragma once
#include <eagle/Error.h>
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "ranks/Word.h"

namespace eagle::ranks {

// This rank stops because another asked it to; why, is what that one says at the meeting.
class AskedToStop : public Error {
  public:
    using Error::Error;
};

// What a second interruption does to a rank that waits.
enum class Waits {
    // It leaves, and says so. The others may be anywhere; some may have ended this meeting, none ends the next.
    leaving,
    // Nothing: it waits. All ranks have met in this call, so that they are on their way to this meeting, or have left
    // and said so, and the wait is short. Who ends such a meeting knows that all of them end it.
    staying,
};

// The words of all ranks, in their order, until the next meeting; none where every rank said the same, and nothing
// failed. Every rank calls it at the same place; `mine` is its own word, of which the meeting's number is set here.
// While it waits, this rank can be interrupted: the others are asked to come soon, and its word is a failure then
// (`error`, which is set to Interrupted with `done`), at the next meeting where this one's words were out. A rank that
// ends it in any other way has left, and says so. Throws Error where these ranks meet no more.
std::span<const Word> meet(const RankPartition::State& ranks, Word mine, std::exception_ptr& error, std::int64_t done,
                           Waits waits);

// How often this thread has met other ranks.
std::uint64_t meetings_of_this_thread() noexcept;

// Before a meeting: throws AskedToStop where another rank cannot go on, and waits for this one.
void look_for_stop(const RankPartition::State& ranks);
// Before a meeting: this rank cannot go on, so that what the others do until then is in vain. `interrupted`: it was,
// and the next interruption is its second.
void ask_to_stop(const RankPartition::State& ranks, bool interrupted) noexcept;

// At the end of a call: an interruption that came when the words of the last meeting were out. The others are told that
// this rank has left, and it is thrown. `call()` says what was done.
bool take_interruption(const RankPartition::State& ranks) noexcept;
[[noreturn]] void leave_when_done(const RankPartition::State& ranks, const std::string& call, std::int64_t done);
template <class Call>
void end_call(const RankPartition::State& ranks, std::int64_t done, const Call& call) {
    if (take_interruption(ranks)) leave_when_done(ranks, call(), done);
}

// This rank meets no more, from that meeting on, and says so to the others, whatever happens meanwhile.
void leave(const RankPartition::State& ranks, std::string_view why, std::uint64_t meeting) noexcept;

}  // namespace eagle::ranks
