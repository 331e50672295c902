// Which branch of a fork each node of a body is recorded on, and where branches wait for each other.
#pragma once
#include <eagle/Fork.h>
#include <eagle/GraphAnalysis.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace eagle::lowering {

struct Step {
    std::uint32_t node = 0;
    std::uint32_t branch = 0;
    std::vector<std::uint32_t> waits;  // marks, before the node
    bool is_marked = false;            // behind the node; marks count from 0 in the order of the steps
};

struct BodyPlan {
    std::vector<Step> steps;  // in the order of recording
    std::uint32_t width = 1;  // branches; 1 needs no fork
    std::uint32_t marks = 0;
    std::optional<Fork> fork;  // of the capture that is being made
};

// Every edge of the body becomes an order on one branch, or a mark and a wait; with no more than `most` branches, nodes
// share one that have no order of their own.
BodyPlan plan_branches(const GraphDescription& description, const GraphAnalysis& analysis, std::uint32_t body,
                       std::uint32_t most);

}  // namespace eagle::lowering
