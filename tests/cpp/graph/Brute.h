// The order of nodes and the arena, judged byte by byte and pair by pair.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace graphtest {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Byte numbers that a plane touches: element by element.
std::set<std::uint64_t> bytes_of(const eagle::graph::Plane& plane);
// Pairs of nodes that must be in order, transitively reduced, by (to, from).
std::vector<Pair> brute_edges(const eagle::GraphDescription& description);
// What is wrong with a plan of the arena: the first two planes that share a byte while both may be alive, or an offset
// that is out of place; empty when nothing is.
std::string arena_fault(const eagle::GraphDescription& description, const eagle::ArenaPlan& plan);
// Bytes of an arena whose planes are put down largest first, each into the smallest gap that holds it, where
// arena_fault() lets them overlap.
std::uint64_t largest_first(const eagle::GraphDescription& description);

}  // namespace graphtest
