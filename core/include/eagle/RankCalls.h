// What callers of a plan with ranks tell the other ranks about calls that never reach eagle.
#pragma once
#include <eagle/Ranks.h>
#include <eagle/export.h>

#include <memory>
#include <string>

namespace eagle {

// One call of these ranks, from its first look at its arguments to its end; a call inside another is a part of it.
class EAGLE_API RankCall {
  public:
    explicit RankCall(const RankPartition& ranks);
    // Where a second entry was refused meanwhile (Busy), this rank has left out a call that the others make: it tells
    // them, and the next call of these ranks is refused on every rank, with those words. Without RankMessages the
    // others notice when they meet.
    ~RankCall();
    RankCall(const RankCall&) = delete;
    RankCall& operator=(const RankCall&) = delete;

    // In place of a call that this rank could not begin: where it has not met the others in it, their call throws Error
    // with these words. Throws what the collective throws.
    void failed(const std::string& failure);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Every rank calls it at the same place, with the same words for what it does. Throws InvalidArgument on every rank
// where one does something else; Error where another rank failed instead. Busy.
EAGLE_API void meet_ranks(const RankPartition& ranks, const std::string& call);

}  // namespace eagle
