#include <eagle/GraphAnalysis.h>

#include <algorithm>
#include <array>
#include <utility>

#include "graph/Lifetimes.h"
#include "graph/Order.h"
#include "graph/Residency.h"
#include "graph/Touches.h"

namespace eagle {

using namespace graph;

std::string_view graph::hazard_name(Hazard hazard) {
    constexpr std::array names{"read after write", "write after read", "write after write", "order of the branch"};
    return names[static_cast<std::size_t>(hazard)];
}

GraphAnalysis analyze(const GraphDescription& description) {
    description.check_complete();
    GraphAnalysis analysis;
    analysis.device = residency(description);
    const auto touches = touches_of(description);
    for (std::uint32_t body = 0; body < description.bodies().size(); ++body) {
        auto edges = reduced(description.bodies()[body].nodes, edges_of(description, body, touches));
        analysis.edges.insert(analysis.edges.end(), edges.begin(), edges.end());
    }
    std::sort(analysis.edges.begin(), analysis.edges.end(),
              [](const Edge& a, const Edge& b) { return std::pair{a.to, a.from} < std::pair{b.to, b.from}; });
    analysis.edges_into.assign(description.nodes().size() + 1, 0);
    for (const Edge& edge : analysis.edges) ++analysis.edges_into[edge.to + 1];
    for (std::size_t n = 1; n < analysis.edges_into.size(); ++n) analysis.edges_into[n] += analysis.edges_into[n - 1];
    analysis.lifetimes = lifetimes_of(description);
    return analysis;
}

std::vector<std::string> planes_of(const GraphDescription& description, const Edge& edge) {
    const auto planes = description.planes();
    const auto from = touches_of(description, edge.from), to = touches_of(description, edge.to);
    std::vector<std::string> names;
    for (const Touch& a : from)
        for (const Touch& b : to)
            if ((writes(a.mode) || writes(b.mode)) &&
                eagle::graph::touches(planes[a.plane].extent(), planes[b.plane].extent()))
                names.push_back(planes[b.plane].name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace eagle
