// What a node touches with all that is inside it.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <vector>

namespace eagle::graph {

struct Touch {
    std::uint32_t plane = 0;
    Mode mode = Mode::read;
    std::uint32_t by = 0;  // the node that says so: the touching node itself, or one inside it
};

// By node. A conditional node has the union over its bodies, each plane once.
std::vector<std::vector<Touch>> touches_of(const GraphDescription& description);
// Of one node.
std::vector<Touch> touches_of(const GraphDescription& description, std::uint32_t node);

}  // namespace eagle::graph
