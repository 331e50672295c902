// When scratch is alive.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <vector>

namespace eagle::graph {

std::vector<Lifetime> lifetimes_of(const GraphDescription& description);

}  // namespace eagle::graph
