#include "graph/Sharing.h"

#include <algorithm>
#include <unordered_map>

namespace eagle::graph {
namespace {

// The nodes of an item that stand in one of the stretches.
std::span<const std::uint32_t> part(const std::vector<std::uint32_t>& nodes, const Stretches& stretches,
                                    std::uint32_t stretch) {
    const std::uint32_t first = stretches.first(stretch), end = first + stretches.size(stretch);
    const auto from = std::lower_bound(nodes.begin(), nodes.end(), first);
    return {from, std::lower_bound(from, nodes.end(), end)};
}

}  // namespace

Sharing::Sharing(const GraphDescription& description, const GraphAnalysis& analysis)
    : bodies_(description.bodies()),
      nodes_(description.nodes()),
      in_body_(bodies_.size()),
      item_of_body_(bodies_.size(), none) {
    collect(analysis);
    for (std::uint32_t b = 0; b < bodies_.size(); ++b)
        if (!in_body_[b].items.empty()) order(b, analysis);
    pass_time(0, false);
    for (std::size_t life = 0; life < item_of_life_.size(); ++life) {
        const InBody& in = in_body_[body_of_life_[life]];
        const Item& item = in.items[item_of_life_[life]];
        spans_.push_back({in.spans[item.first].first, in.spans[item.last].last});
    }
}

void Sharing::collect(const GraphAnalysis& analysis) {
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
}

void Sharing::order(std::uint32_t body, const GraphAnalysis& analysis) {
    InBody& in = in_body_[body];
    const auto& nodes = bodies_[body].nodes;
    std::vector<Edge> mine;
    for (std::uint32_t node : nodes) {
        const auto into = analysis.into(node);
        mine.insert(mine.end(), into.begin(), into.end());
    }
    const LocalEdges edges(nodes, mine);
    in.stretches = Stretches(static_cast<std::uint32_t>(nodes.size()), edges);
    in.apart.resize(in.stretches.count());
    for (Item& item : in.items) {
        for (std::uint32_t& n : item.nodes) n = edges.number(n);
        item.first = in.stretches.of(item.nodes.front());
        item.last = in.stretches.of(item.nodes.back());
    }
    compare(in, edges);
}

// Only in a stretch that is parallel, where one item ends and another begins, does it take more than their spans.
void Sharing::compare(InBody& in, const LocalEdges& edges) {
    std::vector<std::vector<Part>> parts(in.stretches.count());
    const auto add = [&](const Item& item, std::uint32_t stretch) {
        parts[stretch].push_back(
            {part(item.nodes, in.stretches, stretch), item.first == stretch, item.last == stretch});
        return static_cast<std::uint32_t>(parts[stretch].size() - 1);
    };
    for (Item& item : in.items) {
        if (in.stretches.parallel(item.first)) item.in_first = item.in_last = add(item, item.first);
        if (item.last != item.first && in.stretches.parallel(item.last)) item.in_last = add(item, item.last);
    }
    for (std::uint32_t s = 0; s < parts.size(); ++s)
        if (parts[s].size() > 1) in.apart[s] = Apart(in.stretches.first(s), in.stretches.size(s), edges, parts[s]);
}

// Gives every stretch its moments. What stands in branches, and all inside it, has one moment together.
void Sharing::pass_time(std::uint32_t body, bool beside_others) {
    InBody& in = in_body_[body];
    if (in.items.empty()) return;
    for (std::uint32_t s = 0; s < in.stretches.count(); ++s) {
        const bool beside = beside_others || in.stretches.parallel(s);
        if (!beside_others) exclusive_.push_back(!beside);
        const auto moment = static_cast<std::uint32_t>(exclusive_.size() - 1);
        for (std::uint32_t n = 0; n < in.stretches.size(s); ++n)
            for (std::uint32_t inner : nodes_[bodies_[body].nodes[in.stretches.first(s) + n]].bodies())
                pass_time(inner, beside);
        in.spans.push_back({moment, static_cast<std::uint32_t>(exclusive_.size() - 1)});
    }
}

bool Sharing::InBody::are_apart(std::uint32_t a, std::uint32_t b) const {
    const Item &one = items[a], &other = items[b];
    if (one.last < other.first || other.last < one.first) return true;
    if (one.last == other.first && stretches.parallel(one.last))
        return apart[one.last].holds(one.in_last, other.in_first);
    if (other.last == one.first && stretches.parallel(one.first))
        return apart[one.first].holds(one.in_first, other.in_last);
    return false;
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
