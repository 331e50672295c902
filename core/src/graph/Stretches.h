// A body cut at the nodes that stand in order with every other one.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/Ancestors.h"

namespace eagle::graph {

// Nodes are counted from 0 in the order of the body. A stretch is one such node, or all nodes between two of them: of
// two stretches every node of the one comes before every node of the other.
class Stretches {
  public:
    Stretches() = default;
    // Of `nodes` nodes whose edges are transitively reduced. O(nodes + edges).
    Stretches(std::uint32_t nodes, const LocalEdges& edges);
    std::uint32_t count() const { return static_cast<std::uint32_t>(parallel_.size()); }
    std::uint32_t of(std::uint32_t node) const { return of_node_[node]; }
    bool parallel(std::uint32_t stretch) const { return parallel_[stretch]; }
    std::uint32_t first(std::uint32_t stretch) const { return begin_[stretch]; }
    std::uint32_t size(std::uint32_t stretch) const { return begin_[stretch + 1] - begin_[stretch]; }

  private:
    std::vector<std::uint32_t> of_node_, begin_;
    std::vector<bool> parallel_;
};

}  // namespace eagle::graph
