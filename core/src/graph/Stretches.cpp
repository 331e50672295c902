#include "graph/Stretches.h"

#include <cstddef>

namespace eagle::graph {
namespace {

// By node, whether an edge leads past it. Nodes without a node before them have an edge from the start of the body, and
// nodes without one behind them an edge to its end.
std::vector<bool> passed(std::uint32_t nodes, const LocalEdges& edges) {
    std::vector<std::int64_t> change(nodes + 1, 0);
    std::vector<bool> leads_on(nodes, false);
    const auto pass = [&](std::uint32_t first, std::uint32_t end) {
        ++change[first];
        --change[end];
    };
    for (std::uint32_t n = 0; n < nodes; ++n) {
        if (edges.before(n).empty()) pass(0, n);
        for (std::uint32_t before : edges.before(n)) {
            leads_on[before] = true;
            pass(before + 1, n);
        }
    }
    for (std::uint32_t n = 0; n < nodes; ++n)
        if (!leads_on[n]) pass(n + 1, nodes);
    std::vector<bool> is_passed(nodes);
    std::int64_t over = 0;
    for (std::uint32_t n = 0; n < nodes; ++n) is_passed[n] = (over += change[n]) != 0;
    return is_passed;
}

}  // namespace

// Every way through the body leads through a node that no edge passes, so all nodes stand in order with it. An edge
// that passes one with which all stand in order would follow from others.
Stretches::Stretches(std::uint32_t nodes, const LocalEdges& edges) : of_node_(nodes) {
    const std::vector<bool> beside = passed(nodes, edges);
    for (std::uint32_t n = 0; n < nodes; ++n) {
        if (n == 0 || !beside[n] || !beside[n - 1]) {
            begin_.push_back(n);
            parallel_.push_back(beside[n]);
        }
        of_node_[n] = count() - 1;
    }
    begin_.push_back(nodes);
}

}  // namespace eagle::graph
