#include "graph/Touches.h"

#include <algorithm>

namespace eagle::graph {
namespace {

// By plane, each once; a writer speaks for a plane before a reader does.
void unite(std::vector<Touch>& touches) {
    std::stable_sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
        return a.plane != b.plane ? a.plane < b.plane : writes(a.mode) > writes(b.mode);
    });
    std::size_t kept = 0;
    for (const Touch& touch : touches) {
        if (kept != 0 && touches[kept - 1].plane == touch.plane) {
            Mode& mode = touches[kept - 1].mode;
            mode = static_cast<Mode>(static_cast<int>(mode) | static_cast<int>(touch.mode));
        } else {
            touches[kept++] = touch;
        }
    }
    touches.resize(kept);
}

}  // namespace

std::vector<std::vector<Touch>> touches_of(const GraphDescription& description) {
    const auto nodes = description.nodes();
    std::vector<std::vector<Touch>> all(nodes.size());
    // What is inside a node was recorded after it.
    for (std::size_t i = nodes.size(); i-- > 0;) {
        auto& mine = all[i];
        for (const Access& access : nodes[i].accesses)
            mine.push_back({access.plane, access.mode, static_cast<std::uint32_t>(i)});
        for (std::uint32_t body : nodes[i].bodies())
            for (std::uint32_t inner : description.bodies()[body].nodes)
                mine.insert(mine.end(), all[inner].begin(), all[inner].end());
        unite(mine);
    }
    return all;
}

std::vector<Touch> touches_of(const GraphDescription& description, std::uint32_t node) {
    std::vector<Touch> mine;
    for (const Access& access : description.nodes()[node].accesses) mine.push_back({access.plane, access.mode, node});
    for (std::uint32_t body : description.nodes()[node].bodies())
        for (std::uint32_t inner : description.bodies()[body].nodes) {
            const auto more = touches_of(description, inner);
            mine.insert(mine.end(), more.begin(), more.end());
        }
    unite(mine);
    return mine;
}

}  // namespace eagle::graph
