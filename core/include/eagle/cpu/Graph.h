// The graph executor of kind cpu.
#pragma once
#include <eagle/ExecGraph.h>

namespace eagle::cpu {

struct Kind {
    static constexpr std::string_view name = "cpu";
};

using Graph = GraphOf<Kind>;
static_assert(ExecGraph<Graph>, "eagle::cpu::Graph must satisfy eagle::ExecGraph");

}  // namespace eagle::cpu
