// Descriptions lowered onto kind cpu.
#pragma once
#include <eagle/BuiltGraph.h>
#include <eagle/cpu/Graph.h>

#include <memory>
#include <span>
#include <vector>

#include "Kernels.h"
#include "Recorded.h"

namespace graphexec_test {

using capture_test::expect_thrown;
using eagle::ArrayView;
using eagle::BuiltGraph;
using eagle::Dtype;
using eagle::GraphDescription;
using eagle::graph::CellRef;
using eagle::graph::PlaneRef;

inline BuiltGraph on_cpu(GraphDescription description, const eagle::LowerOptions& options = {}) {
    return eagle::lower(std::move(description), eagle::cpu::Graph(), options);
}

using Reals = std::vector<double>;
inline ArrayView view(Reals& values) { return ArrayView::of(std::span(values)); }
inline PlaneRef plane(GraphDescription& g, const char* name, Reals& values) { return g.plane(name, view(values)); }
inline CellRef cell(GraphDescription& g, const char* name, std::uint32_t& value) {
    return g.cell(name, reinterpret_cast<std::uint64_t>(&value), {1, 0});
}

}  // namespace graphexec_test
