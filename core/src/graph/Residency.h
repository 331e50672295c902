// Where a graph runs.
#pragma once
#include <eagle/GraphDescription.h>

#include <optional>

namespace eagle::graph {

// The one device of the planes that nodes touch, host memory when there is no other, none when all is scratch. Throws
// BufferRefused naming a plane of each side when there are two devices, when a node that works on the device was given
// host memory, and when a host function was given the device's.
std::optional<Device> residency(const GraphDescription& description);

}  // namespace eagle::graph
