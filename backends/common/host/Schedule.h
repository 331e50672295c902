// In which order independent nodes of a graph run.
#pragma once
#include <cstdint>

namespace eagle::host {

// The kind's variable: unset (the kind says which order), or "random:<seed>" for any order that the edges allow, drawn
// anew at each replay, so that a missing edge shows.
struct Schedule {
    bool is_random = false;
    std::uint64_t seed = 0;

    // Throws Failure (INVALID_ARGUMENT) for a text of another form.
    static Schedule of_environment();
    // A number below `bound` from the seed, which moves on.
    std::uint64_t draw(std::uint64_t bound);
};

}  // namespace eagle::host
