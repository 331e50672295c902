// Calls of ranks: when one is over, and who is in it.
#pragma once
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "exec/Busy.h"
#include "ranks/Meeting.h"
#include "ranks/State.h"

namespace eagle::ranks {

// While it lives, this thread is in a call of these ranks; they may be several, of which all but one will be refused.
// At the end of the last the others are told what is owed to them.
class Inside {
  public:
    explicit Inside(const RankPartition::State& ranks);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    const RankPartition::State& ranks_;
};

// The others make a call that this rank could not begin, and cannot speak of, since another is at it.
void owe(const RankPartition::State& ranks, const std::string& why);

// Holds the ranks, as exec::Entered. What is refused is owed.
class Claimed {
  public:
    explicit Claimed(const RankPartition::State& ranks);

  private:
    Inside inside_;
    std::optional<exec::Entered> entered_;
};

// Behind a meeting of a call in which the others come to another: what `body` throws before this rank comes there, they
// are told at it.
void tell_on_the_way(const RankPartition::State& ranks, std::uint64_t met, const std::exception_ptr& failure) noexcept;
template <class Body>
void on_the_way(const RankPartition::State& ranks, const Body& body) {
    const std::uint64_t met = meetings_of_this_thread();
    try {
        body();
    } catch (...) {
        tell_on_the_way(ranks, met, std::current_exception());
        throw;
    }
}

}  // namespace eagle::ranks
