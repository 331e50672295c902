#include "graph/Sharing.h"

#include <algorithm>
#include <array>
#include <bit>
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

// Items of which a column does not come before the row's item.
void clear_row(std::uint64_t* row, std::span<const Column> columns, const Reach::Bits& before) {
    for (std::size_t w = 0; w * 64 < columns.size(); ++w)
        for (std::uint64_t missing = ~before[w]; missing != 0; missing &= missing - 1) {
            const std::size_t c = w * 64 + static_cast<std::size_t>(std::countr_zero(missing));
            if (c >= columns.size()) break;
            row[columns[c].item / 64] &= ~(std::uint64_t{1} << columns[c].item % 64);
        }
}

using Square = std::array<std::uint64_t, 64>;

// Mirrors 64 rows of 64 bits at their diagonal: quarters of ever smaller squares change places.
void mirror(Square& rows) {
    std::uint64_t mask = 0xffffffff;
    for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half)
        for (std::size_t k = 0; k < 64; k = (k + half + 1) & ~half) {
            const std::uint64_t swapped = (rows[k] >> half ^ rows[k + half]) & mask;
            rows[k] ^= swapped << half;
            rows[k + half] ^= swapped;
        }
}

// Every bit becomes itself or its mirror image, in squares, so that both lie in the cache.
void either_way_round(std::vector<std::uint64_t>& bits, std::size_t size, std::size_t stride) {
    const auto load = [&](std::size_t row, std::size_t word) {
        Square square{};
        for (std::size_t k = 0; k < 64 && row * 64 + k < size; ++k) square[k] = bits[(row * 64 + k) * stride + word];
        return square;
    };
    const auto add = [&](std::size_t row, std::size_t word, const Square& square) {
        for (std::size_t k = 0; k < 64 && row * 64 + k < size; ++k) bits[(row * 64 + k) * stride + word] |= square[k];
    };
    for (std::size_t i = 0; i < stride; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            Square upper = load(j, i), lower = load(i, j);
            mirror(upper);
            mirror(lower);
            add(i, j, upper);
            if (i != j) add(j, i, lower);
        }
}

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
    // Row j, column i: all of item i comes before all of item j.
    const std::size_t size = items.size();
    in.stride = (size + 63) / 64;
    in.apart.assign(size * in.stride, ~std::uint64_t{0});
    for (std::size_t low = 0; low < columns.size(); low += AncestorBlock::width) {
        const auto part =
            std::span(columns).subspan(low, std::min<std::size_t>(AncestorBlock::width, columns.size() - low));
        const Reach reach(static_cast<std::uint32_t>(nodes.size()), local, part);
        for (std::size_t j = 0; j < size; ++j)
            clear_row(&in.apart[j * in.stride], part, reach.before_all(items[j].nodes));
    }
    either_way_round(in.apart, size, in.stride);
}

bool Sharing::may_share_over_bodies(std::uint32_t a, std::uint32_t b) const {
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
    return in_body_[body_a].are_apart(item_a, item_b);
}

}  // namespace eagle::graph
