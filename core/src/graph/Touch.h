// Rules about what one node touches.
#pragma once
#include <eagle/graph/Node.h>

#include "graph/Recording.h"

namespace eagle::graph {

// Every plane that the node writes can be written: it is not read-only, and no two of its elements share a byte.
void check_written(const Recording& recording, const Node& node);
// Refuses `what` where it is recorded inside a conditional body.
void refuse_in_body(const Recording& recording, const Node& node, const std::string& what);
// Refuses a node of a child graph that may not stand where the child would.
void check_child_node(const Recording& recording, const Node& child, const Node& inner);
// Planes of the child become hidden planes of the recording, at their addresses, and what the child does to them an
// access of the node. Its scratch stays its own.
void import_accesses(Recording& recording, Node& node, const GraphDescription& child);

}  // namespace eagle::graph
