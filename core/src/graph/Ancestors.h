// Which nodes of a body come before which, in blocks of columns.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace eagle::graph {

// The edges of one body with its nodes counted from 0 in their order; edges by `to`.
class LocalEdges {
  public:
    LocalEdges(std::span<const std::uint32_t> nodes, std::span<const Edge> edges) : begin_(nodes.size() + 1, 0) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) number_.emplace(nodes[i], i);
        before_.reserve(edges.size());
        for (const Edge& edge : edges) {
            before_.push_back(number_.at(edge.from));
            ++begin_[number_.at(edge.to) + 1];
        }
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    }
    std::span<const std::uint32_t> before(std::uint32_t node) const {
        return std::span(before_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
    }
    std::size_t first_edge(std::uint32_t node) const { return begin_[node]; }
    std::uint32_t number(std::uint32_t node) const { return number_.at(node); }

  private:
    std::unordered_map<std::uint32_t, std::uint32_t> number_;
    std::vector<std::uint32_t> before_;
    std::vector<std::size_t> begin_;
};

// For every node, which of the nodes [low, low + width) are its ancestors. Filled in the order of the nodes.
class AncestorBlock {
  public:
    static constexpr std::uint32_t width = 512;
    using Bits = std::array<std::uint64_t, width / 64>;

    AncestorBlock(std::uint32_t nodes, std::uint32_t low) : low_(low), bits_(nodes - low) {}
    // The ancestors of the nodes before `node`, without those themselves.
    void gather(std::uint32_t node, std::span<const std::uint32_t> before) {
        Bits& mine = bits_[node - low_];
        for (std::uint32_t b : before)
            if (b >= low_)
                for (std::size_t w = 0; w < mine.size(); ++w) mine[w] |= bits_[b - low_][w];
    }
    void add_direct(std::uint32_t node, std::span<const std::uint32_t> before) {
        for (std::uint32_t b : before)
            if (b >= low_ && b < low_ + width)
                bits_[node - low_][(b - low_) / 64] |= std::uint64_t{1} << (b - low_) % 64;
    }
    bool holds(std::uint32_t node, std::uint32_t ancestor) const {
        if (ancestor < low_ || ancestor >= low_ + width || node < low_) return false;
        return (bits_[node - low_][(ancestor - low_) / 64] >> (ancestor - low_) % 64 & 1) != 0;
    }

  private:
    std::uint32_t low_;
    std::vector<Bits> bits_;
};

}  // namespace eagle::graph
