#include "graph/Sharing.h"

#include <algorithm>
#include <unordered_map>

#include "graph/Ancestors.h"

namespace eagle::graph {
namespace {

// Uses of items as columns of one pass over the nodes of a body.
struct Column {
    std::uint32_t item, node;
};

// For every node, which of the columns' nodes are its ancestors.
class Reach {
  public:
    using Bits = AncestorBlock::Bits;
    Reach(std::uint32_t nodes, const LocalEdges& edges, std::span<const Column> columns) : bits_(nodes) {
        std::vector<Bits> own(nodes);
        for (std::size_t c = 0; c < columns.size(); ++c) own[columns[c].node][c / 64] |= std::uint64_t{1} << c % 64;
        for (std::uint32_t n = 0; n < nodes; ++n)
            for (std::uint32_t b : edges.before(n))
                for (std::size_t w = 0; w < bits_[n].size(); ++w) bits_[n][w] |= bits_[b][w] | own[b][w];
    }
    // Columns that come before all of the nodes.
    Bits before_all(std::span<const std::uint32_t> nodes) const {
        Bits all;
        all.fill(~std::uint64_t{0});
        for (std::uint32_t n : nodes)
            for (std::size_t w = 0; w < all.size(); ++w) all[w] &= bits_[n][w];
        return all;
    }

  private:
    std::vector<Bits> bits_;
};

void clear(std::vector<std::uint64_t>& bits, std::size_t bit) { bits[bit / 64] &= ~(std::uint64_t{1} << bit % 64); }

}  // namespace

Sharing::Sharing(const GraphDescription& description, const GraphAnalysis& analysis)
    : bodies_(description.bodies()),
      nodes_(description.nodes()),
      in_body_(bodies_.size()),
      item_of_body_(bodies_.size(), none) {
    std::unordered_map<std::uint32_t, std::uint32_t> item_of_node;
    for (const Lifetime& life : analysis.lifetimes) {
        auto& items = in_body_[life.body].items;
        item_of_life_.push_back(static_cast<std::uint32_t>(items.size()));
        body_of_life_.push_back(life.body);
        items.push_back({life.nodes});
        for (std::uint32_t b = life.body; b != 0 && item_of_body_[b] == none; b = bodies_[b].parent) {
            auto& around = in_body_[bodies_[b].parent].items;
            const auto [known, fresh] =
                item_of_node.try_emplace(bodies_[b].owner, static_cast<std::uint32_t>(around.size()));
            if (fresh) around.push_back({{bodies_[b].owner}});
            item_of_body_[b] = known->second;
        }
    }
    for (std::uint32_t b = 0; b < bodies_.size(); ++b) order(b, analysis.edges);
}

void Sharing::order(std::uint32_t body, std::span<const Edge> edges) {
    InBody& in = in_body_[body];
    if (in.items.size() < 2) return;
    std::vector<Edge> mine;
    for (const Edge& edge : edges)
        if (nodes_[edge.to].body == body) mine.push_back(edge);
    const auto& nodes = bodies_[body].nodes;
    const LocalEdges local(nodes, mine);
    std::vector<Column> columns;
    std::vector<Item> items = in.items;
    for (std::uint32_t i = 0; i < items.size(); ++i)
        for (std::uint32_t& n : items[i].nodes) columns.push_back({i, n = local.number(n)});
    const std::size_t size = items.size();
    in.before.assign((size * size + 63) / 64, ~std::uint64_t{0});
    in.after = in.before;
    for (std::size_t low = 0; low < columns.size(); low += AncestorBlock::width) {
        const auto part =
            std::span(columns).subspan(low, std::min<std::size_t>(AncestorBlock::width, columns.size() - low));
        const Reach reach(static_cast<std::uint32_t>(nodes.size()), local, part);
        for (std::size_t j = 0; j < size; ++j) {
            const auto before = reach.before_all(items[j].nodes);
            for (std::size_t c = 0; c < part.size(); ++c) {
                if ((before[c / 64] >> c % 64 & 1) != 0) continue;
                clear(in.before, part[c].item * size + j);
                clear(in.after, j * size + part[c].item);
            }
        }
    }
}

bool Sharing::may_share(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t item_a = item_of_life_[a], item_b = item_of_life_[b];
    std::uint32_t body_a = body_of_life_[a], body_b = body_of_life_[b];
    const auto lift = [&](std::uint32_t& item, std::uint32_t& body) {
        item = item_of_body_[body];
        body = bodies_[body].parent;
    };
    while (bodies_[body_a].depth > bodies_[body_b].depth) lift(item_a, body_a);
    while (bodies_[body_b].depth > bodies_[body_a].depth) lift(item_b, body_b);
    while (body_a != body_b) {
        // Two bodies of one node: of an if or a switch, one of which runs.
        if (bodies_[body_a].owner == bodies_[body_b].owner) return true;
        lift(item_a, body_a);
        lift(item_b, body_b);
    }
    if (item_a == item_b) return false;
    return in_body_[body_a].apart(item_a, item_b);
}

}  // namespace eagle::graph
