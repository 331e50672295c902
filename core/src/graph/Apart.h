// Which of the uses of a stretch of nodes come before which as a whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/Ancestors.h"

namespace eagle::graph {

// What one item uses in the stretch.
struct Part {
    std::span<const std::uint32_t> nodes;  // in the body, ascending
    bool begins = true, ends = true;       // the item uses nothing before the stretch; nothing after it
};

class Apart {
  public:
    Apart() = default;
    // Of the nodes [first, first + count) of a body.
    Apart(std::uint32_t first, std::uint32_t count, const LocalEdges& edges, std::span<const Part> parts);
    // By the numbers of two parts: the item of the one comes before that of the other as a whole.
    bool holds(std::size_t a, std::size_t b) const { return (bits_[a * stride_ + b / 64] >> b % 64 & 1) != 0; }

  private:
    void keep_possible(std::span<const Part> parts);
    std::size_t stride_ = 0;  // words of a row
    std::vector<std::uint64_t> bits_;
};

}  // namespace eagle::graph
