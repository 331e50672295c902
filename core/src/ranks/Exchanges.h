// Exchanges of planes, of which no rank begins one unless all of them do.
#pragma once
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <span>

#include "ranks/Agree.h"

namespace eagle::ranks {

// What one call of RankPartition::Allgather is given.
struct Piece {
    void* whole;
    std::span<const std::int64_t> offsets;
};

// A rank that stands in the collective hears nobody. So all ranks meet before they enter it, when each of them has all
// that it needs, and nobody leaves that meeting.
class Exchanges {
  public:
    // Behind a meeting of all ranks in the same call. `doing` is what they say; it outlives this.
    Exchanges(const RankPartition::State& ranks, Doing& doing) : ranks_(ranks), doing_(doing) {}

    // What this rank does by itself. What it throws is kept until the ranks meet, and what comes after is left out.
    template <class Body>
    void prepare(const Body& body) {
        if (failed_) return;
        try {
            body();
        } catch (...) {
            failed_ = std::current_exception();
        }
    }
    // All ranks meet; where one of them has failed, all throw, as in agree(), and nothing is exchanged. Then the pieces
    // are exchanged one after the other, without another meeting.
    void exchange(std::span<const Piece> pieces);
    // All ranks meet once more; whoever returns knows that all of them do.
    void end();

  private:
    const RankPartition::State& ranks_;
    Doing& doing_;
    std::exception_ptr failed_;
};

}  // namespace eagle::ranks
