// What ranks tell each other before and after their part of a call, so that all of them end it in the same way.
#pragma once
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace eagle::ranks {

// A scalar argument.
struct Number {
    std::string name;
    std::uint64_t bits;  // two that count as the same have the same
    std::string text;
};

// What this rank does.
struct Doing {
    std::string call;
    std::string kernel{};
    std::int64_t samples = 0;
    std::vector<Number> numbers{};
    std::int64_t done = 0;  // samples, where the rank is interrupted
};

// Every rank calls it at the same place. `mine`: what this rank failed with, null for nothing; it is raised. Where
// another rank failed, throws Error with its number and its words. Throws InvalidArgument where the ranks do different
// things, with different kernels, with different numbers of samples, or with different numbers.
void agree(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing);

// The same after the work. `control` (marshal::Control, or null): of several faults inside the kernel every rank gets
// the one of the lowest sample. Returns the rank that it was on; -1 for none.
int agree_on_end(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing, std::int64_t* control);

// Instead of either, where the call could not begin.
void tell_failure(const RankPartition::State& ranks, const std::string& text);

// Runs `body`, then agrees; `doing()` is asked when it did not throw, `call` said when it did.
template <class Body, class Asked>
void together(const RankPartition::State& ranks, const std::string& call, const Body& body, const Asked& doing) {
    std::exception_ptr mine;
    Doing mine_to_do{call};
    try {
        body();
        mine_to_do = doing();
    } catch (...) {
        mine = std::current_exception();
    }
    agree(ranks, mine, mine_to_do);
}

}  // namespace eagle::ranks
