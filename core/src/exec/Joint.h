// Calls of which a launch is not the end: those that ranks make together, and those that fold.
#pragma once
#include <eagle/Plan.h>

#include <exception>
#include <memory>
#include <string>

#include "exec/PlanState.h"
#include "ranks/Agree.h"

namespace eagle::exec {

// The arguments of a call, ready for a launch; what a mapreduce kernel computes is apart from what it is folded to.
struct Prepared {
    marshal::Packed packed;
    std::unique_ptr<Folding> folding;
};

// Has the plan other ranks?
bool has_others(const Plan::State& plan);

// What the ranks of a plan say that they do with these arguments.
ranks::Doing doing(const Plan::State& plan, const std::string& call, const marshal::Packed& packed);

// Packs them under the rules of `options`. Where the plan has ranks, all of them call it, each inside ranks::Claimed,
// and what is refused on one is refused on all; `refused` is what this one was refused with before, or null.
Prepared prepare(const Plan::State& plan, const Arguments& arguments, const marshal::Options& options,
                 const std::exception_ptr& refused);

}  // namespace eagle::exec
