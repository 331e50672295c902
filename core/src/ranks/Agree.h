// What ranks tell each other before and after their part of a call, so that all of them end it in the same way.
#pragma once
#include <eagle/Ranks.h>

#include <cstdint>
#include <exception>
#include <string>

namespace eagle::ranks {

// Every rank calls it at the same place. `mine`: what this rank failed with, null for nothing; it is raised. Where
// another rank failed, throws Error with its number and its words. Throws InvalidArgument where the ranks call
// different kernels, do different things (`call`, in words), or with different numbers of samples.
void agree(const RankPartition::State& ranks, const std::exception_ptr& mine, const std::string& call,
           const std::string& kernel, std::int64_t samples);

// The same after the work. `control` (marshal::Control, or null): of several faults inside the kernel every rank gets
// the one of the lowest sample.
void agree_on_end(const RankPartition::State& ranks, const std::exception_ptr& mine, std::int64_t* control);

// Instead of either, where the call could not begin.
void tell_failure(const RankPartition::State& ranks, const std::string& text);

// Runs `body`, then agrees; `samples()` is asked when it did not throw.
template <class Body, class Samples>
void together(const RankPartition::State& ranks, const std::string& call, const std::string& kernel, const Body& body,
              const Samples& samples) {
    std::exception_ptr mine;
    try {
        body();
    } catch (...) {
        mine = std::current_exception();
    }
    agree(ranks, mine, call, kernel, mine ? 0 : samples());
}

}  // namespace eagle::ranks
