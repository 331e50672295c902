// The graph executor of kind cuda.
#pragma once
#include <eagle/ExecGraph.h>

namespace eagle::cuda {

struct Kind {
    static constexpr std::string_view name = "cuda";
};

using Graph = GraphOf<Kind>;
static_assert(ExecGraph<Graph>, "eagle::cuda::Graph must satisfy eagle::ExecGraph");

}  // namespace eagle::cuda
