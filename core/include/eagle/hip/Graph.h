// The graph executor of kind hip.
#pragma once
#include <eagle/ExecGraph.h>

namespace eagle::hip {

struct Kind {
    static constexpr std::string_view name = "hip";
};

using Graph = GraphOf<Kind>;
static_assert(ExecGraph<Graph>, "eagle::hip::Graph must satisfy eagle::ExecGraph");

}  // namespace eagle::hip
