// The order of the nodes of one body.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <cstdint>
#include <span>
#include <vector>

#include "graph/Touches.h"

namespace eagle::graph {

// All edges of a body that its touches and its branches ask for, by `to`, each pair once, not reduced. Throws
// InvalidArgument for a race.
std::vector<Edge> edges_of(const GraphDescription& description, std::uint32_t body,
                           std::span<const std::vector<Touch>> touches);

// Without the edges that follow from others. `edges` by `to`; every edge leads to a node that stands later in `nodes`.
std::vector<Edge> reduced(std::span<const std::uint32_t> nodes, std::vector<Edge> edges);

// Throws InvalidArgument where the two stand in two branches of one fork.
void refuse_race(const GraphDescription& description, std::uint32_t before, const Touch& before_touch,
                 std::uint32_t after, const Touch& after_touch);

}  // namespace eagle::graph
