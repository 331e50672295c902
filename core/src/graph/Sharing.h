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
    bool may_share(std::uint32_t a, std::uint32_t b) const {
        if (body_of_life_[a] != body_of_life_[b]) return may_share_over_bodies(a, b);
        return in_body_[body_of_life_[a]].are_apart(item_of_life_[a], item_of_life_[b]);
    }

  private:
    struct Item {  // what the order of a body is asked about: a lifetime in it, or a node with lifetimes inside
        std::vector<std::uint32_t> nodes;
    };
    struct InBody {
        std::vector<Item> items;
        std::size_t stride = 0;            // words of a row
        std::vector<std::uint64_t> apart;  // row, column: one of the two items comes before the other as a whole
        bool are_apart(std::uint32_t a, std::uint32_t b) const {
            return (apart[a * stride + b / 64] >> b % 64 & 1) != 0;
        }
    };
    bool may_share_over_bodies(std::uint32_t a, std::uint32_t b) const;
    void order(std::uint32_t body, std::span<const Edge> edges);

    std::span<const Body> bodies_;
    std::span<const Node> nodes_;
    std::vector<InBody> in_body_;
    std::vector<std::uint32_t> item_of_life_, body_of_life_;
    std::vector<std::uint32_t> item_of_body_;  // of the node that owns the body, in the body around it
};

}  // namespace eagle::graph
