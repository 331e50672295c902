#include "graph/Order.h"
#include "graph/Text.h"

namespace eagle::graph {
namespace {

// The two branches of one fork that the strands stand in; the same twice when there are none such.
std::pair<std::uint32_t, std::uint32_t> branches_apart(std::span<const Strand> strands, std::uint32_t a,
                                                       std::uint32_t b) {
    if (a == none || b == none) return {none, none};
    while (strands[a].depth > strands[b].depth) a = strands[a].parent;
    while (strands[b].depth > strands[a].depth) b = strands[b].parent;
    while (a != b && strands[a].fork != strands[b].fork) {
        a = strands[a].parent;
        b = strands[b].parent;
        if (a == none || b == none) return {none, none};
    }
    return {a, b};
}

std::string side(const GraphDescription& description, std::uint32_t node, const Touch& touch, std::uint32_t strand) {
    const auto nodes = description.nodes();
    std::string text = node_text(nodes[touch.by]);
    if (touch.by != node) text += " inside " + node_text(nodes[node]);
    return text + " in branch " + in_quotes(description.strands()[strand].label) + " " +
           std::string(mode_name(touch.mode)) + " " + plane_text(description.planes()[touch.plane]);
}

}  // namespace

void refuse_race(const GraphDescription& description, std::uint32_t before, const Touch& before_touch,
                 std::uint32_t after, const Touch& after_touch) {
    const auto nodes = description.nodes();
    if (nodes[before].strand == nodes[after].strand) return;
    const auto [a, b] = branches_apart(description.strands(), nodes[before].strand, nodes[after].strand);
    if (a == b) return;
    const ForkPoint& fork = description.forks()[description.strands()[a].fork];
    refuse<InvalidArgument>(nodes[after_touch.by].where,
                            "two branches of fork " + in_quotes(fork.name) + " (" + fork.where.text() +
                                ") race: " + side(description, before, before_touch, a) + ", and " +
                                side(description, after, after_touch, b) +
                                "; branches run in any order, so they may share only what both read: put the two "
                                "into one branch, or give each its own plane");
}

}  // namespace eagle::graph
