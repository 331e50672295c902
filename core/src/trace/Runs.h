// Runs of nodes, from the parts and marks that threads noted.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/Session.h"

namespace eagle::trace {

struct Run {
    struct Part {
        std::int64_t thread, begin;
    };
    std::uint32_t subject;
    std::int64_t begin, end;
    std::uint64_t launch;     // of a plan
    std::uint64_t number;     // of the subject, from 0
    std::vector<Part> parts;  // by their begin; none between marks
};

// A run that is not whole, because events were dropped or the recording ended meanwhile, is left out.
std::vector<Run> runs_of(const Recording& recording);

}  // namespace eagle::trace
