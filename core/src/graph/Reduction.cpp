#include <array>
#include <unordered_map>

#include "graph/Ancestors.h"
#include "graph/Order.h"

namespace eagle::graph {

std::vector<Edge> reduced(std::span<const std::uint32_t> nodes, std::vector<Edge> edges) {
    const LocalEdges local(nodes, edges);
    std::vector<bool> follows(edges.size(), false);
    // An edge follows from others when its source is an ancestor of another source. Ancestors are looked at in blocks,
    // so that memory grows with the nodes and not with their square.
    for (std::uint32_t low = 0; low < nodes.size(); low += AncestorBlock::width) {
        AncestorBlock block(static_cast<std::uint32_t>(nodes.size()), low);
        for (std::uint32_t node = low; node < nodes.size(); ++node) {
            block.gather(node, local.before(node));
            std::size_t edge = local.first_edge(node);
            for (std::uint32_t before : local.before(node)) {
                if (block.holds(node, before)) follows[edge] = true;
                ++edge;
            }
            block.add_direct(node, local.before(node));
        }
    }
    std::size_t kept = 0;
    for (std::size_t e = 0; e < edges.size(); ++e)
        if (!follows[e]) edges[kept++] = edges[e];
    edges.resize(kept);
    return edges;
}

}  // namespace eagle::graph
