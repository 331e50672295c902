// Where a graph runs.
#pragma once
#include <eagle/GraphDescription.h>

#include <optional>
#include <string>

namespace eagle::graph {

// The one device of the planes that nodes touch, host memory when there is no other, none when all is scratch. Throws
// BufferRefused naming a plane of each side when there are two devices, when a node that works on the device was given
// host memory, and when a host function was given the device's.
std::optional<Device> residency(const GraphDescription& description);
// A description whose planes are the host's, for a device that they do not name: copies and host functions take host
// memory there. Throws BufferRefused naming a node that does not, its plane and `device` ("cuda:0").
void require_movable(const GraphDescription& description, const std::string& device);

}  // namespace eagle::graph
