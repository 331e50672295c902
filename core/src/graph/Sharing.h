// Which scratch planes may lie in the same bytes.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <cstdint>
#include <vector>

#include "graph/Apart.h"
#include "graph/Stretches.h"

namespace eagle::graph {

// From the first to the last moment at which a lifetime may be alive.
struct Span {
    std::uint32_t first = 0, last = 0;
    bool meets(const Span& other) const { return first <= other.last && other.first <= last; }
};

class Sharing {
  public:
    Sharing(const GraphDescription& description, const GraphAnalysis& analysis);
    // By the numbers of two lifetimes: every node of the one comes before every node of the other, or no run has both.
    bool may_share(std::uint32_t a, std::uint32_t b) const {
        if (body_of_life_[a] != body_of_life_[b]) return may_share_over_bodies(a, b);
        return in_body_[body_of_life_[a]].are_apart(item_of_life_[a], item_of_life_[b]);
    }
    // Two lifetimes may share where their spans do not meet. Where they meet they may only if they stand in branches.
    const Span& span(std::uint32_t life) const { return spans_[life]; }
    // By moment: no two lifetimes that are alive then may share.
    const std::vector<bool>& exclusive() const { return exclusive_; }

  private:
    struct Item {  // what the order of a body is asked about: a lifetime in it, or a node with lifetimes inside
        std::vector<std::uint32_t> nodes;         // counted in the body
        std::uint32_t first = 0, last = 0;        // stretches
        std::uint32_t in_first = 0, in_last = 0;  // its parts there, where they are parallel
    };
    struct InBody {
        std::vector<Item> items;
        Stretches stretches;
        std::vector<Apart> apart;  // by stretch; empty for one that is not parallel
        std::vector<Span> spans;   // by stretch
        bool are_apart(std::uint32_t a, std::uint32_t b) const;
    };
    void collect(const GraphAnalysis& analysis);
    void order(std::uint32_t body, const GraphAnalysis& analysis);
    static void compare(InBody& in, const LocalEdges& edges);
    void pass_time(std::uint32_t body, bool beside_others);
    bool may_share_over_bodies(std::uint32_t a, std::uint32_t b) const;

    std::span<const Body> bodies_;
    std::span<const Node> nodes_;
    std::vector<InBody> in_body_;
    std::vector<std::uint32_t> item_of_life_, body_of_life_;
    std::vector<std::uint32_t> item_of_body_;  // of the node that owns the body, in the body around it
    std::vector<Span> spans_;
    std::vector<bool> exclusive_;
};

}  // namespace eagle::graph
