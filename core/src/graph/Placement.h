// Offsets for blocks of bytes of which some may overlap.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "graph/Sharing.h"

namespace eagle::graph {

struct Block {
    std::uint32_t life = 0, plane = 0;
    std::uint64_t bytes = 0;  // rounded up to the alignment
    bool kept = false;        // shares bytes with none
    Span span;                // of a kept one all moments
    std::uint64_t offset = 0;
};

// Gives every block its offset and returns the bytes of all together. O(n log n) where blocks that are put down in the
// order of time take no more than what is alive at once, otherwise O(n log n + pairs whose spans meet).
std::uint64_t place(std::vector<Block>& blocks, const Sharing& sharing);

}  // namespace eagle::graph
