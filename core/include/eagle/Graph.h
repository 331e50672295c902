// The graph executor of this build.
#pragma once
#include <eagle/ExecGraph.h>
#include <eagle/config.h>
#include <eagle/cpu/Graph.h>
#include <eagle/cuda/Graph.h>

namespace eagle {

#if EAGLE_BUILT_CPU_ONLY
using Graph = cpu::Graph;
#else
using Graph = cuda::Graph;
#endif
static_assert(ExecGraph<Graph>, "eagle::Graph must satisfy eagle::ExecGraph");

}  // namespace eagle
