// Which scratch planes may lie in the same bytes.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <cstdint>
#include <vector>

namespace eagle::graph {

class Sharing {
  public:
    Sharing(const GraphDescription& description, const GraphAnalysis& analysis);
    // By the numbers of two lifetimes: every node of the one comes before every node of the other, or no run has both.
    bool may_share(std::uint32_t a, std::uint32_t b) const;

  private:
    struct Item {  // what the order of a body is asked about: a lifetime in it, or a node with lifetimes inside
        std::vector<std::uint32_t> nodes;
    };
    struct InBody {
        std::vector<Item> items;
        // Bit row * items + column: all of item row before all of item column, and the other way round. Both, so that
        // one item is asked about in one row.
        std::vector<std::uint64_t> before, after;
        bool apart(std::uint32_t a, std::uint32_t b) const {
            const std::size_t bit = static_cast<std::size_t>(a) * items.size() + b;
            return ((before[bit / 64] | after[bit / 64]) >> bit % 64 & 1) != 0;
        }
    };
    void order(std::uint32_t body, std::span<const Edge> edges);

    std::span<const Body> bodies_;
    std::span<const Node> nodes_;
    std::vector<InBody> in_body_;
    std::vector<std::uint32_t> item_of_life_, body_of_life_;
    std::vector<std::uint32_t> item_of_body_;  // of the node that owns the body, in the body around it
};

}  // namespace eagle::graph
