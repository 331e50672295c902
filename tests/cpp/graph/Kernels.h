// Bare functions that random programs launch: entries of host memory, each sample by itself.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <string>

namespace graphtest {

// to[i] = 0.5 * a[i] + 0.25 * b[i] + c over one-dimensional float64 planes of equal length. `to` may be a or b.
eagle::graph::NodeRef mix(eagle::GraphDescription& g, eagle::graph::PlaneRef to, eagle::graph::PlaneRef a,
                          eagle::graph::PlaneRef b, double c, const std::string& name = {});
// to[i] += c.
eagle::graph::NodeRef add(eagle::GraphDescription& g, eagle::graph::PlaneRef to, double c,
                          const std::string& name = {});
// cell = a number below `below` made of the bits of from[0] and of the cell `with`.
eagle::graph::NodeRef draw(eagle::GraphDescription& g, eagle::graph::CellRef cell, eagle::graph::PlaneRef from,
                           eagle::graph::CellRef with, std::uint32_t below, const std::string& name = {});
// mask[i] = from[i] has an odd number of bits.
eagle::graph::NodeRef mark(eagle::GraphDescription& g, eagle::graph::PlaneRef mask, eagle::graph::PlaneRef from,
                           const std::string& name = {});
// to[i] = map[i] where i < count, else to[i] stays.
eagle::graph::NodeRef gather(eagle::GraphDescription& g, eagle::graph::PlaneRef to, eagle::graph::PlaneRef map,
                             eagle::graph::CellRef count, const std::string& name = {});

}  // namespace graphtest
