// What ranks tell each other before and after their part of a call, so that all of them end it in the same way.
#pragma once
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "ranks/Meeting.h"

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
    std::int64_t done = 0;            // samples, where the rank is interrupted
    std::uint64_t pieces_digest = 0;  // of what is exchanged next: how much of what is whose
};

// Every rank calls it at the same place. `mine`: what this rank failed with, null for nothing; it is raised. Where
// another rank failed, throws Error with its number and its words. Throws InvalidArgument where the ranks do different
// things, with different kernels, with different numbers of samples, or with different numbers; or where their planes
// are laid out in different ways.
void agree(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing,
           Waits waits = Waits::leaving);

// The same after the work. `control` (marshal::Control, or null): of several faults inside the kernel every rank gets
// the one of the lowest sample. Returns the rank that it was on; -1 for none.
int agree_on_end(const RankPartition::State& ranks, std::exception_ptr mine, const Doing& doing, std::int64_t* control);

// Instead of either, where it does not come to that.
void tell_failure(const RankPartition::State& ranks, const std::string& text);
void tell_failure(const RankPartition::State& ranks, const std::exception_ptr& failure);

}  // namespace eagle::ranks
