#include "graph/Text.h"

#include <eagle/Backend.h>

namespace eagle::graph {

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

std::string array_text(const Plane& plane) {
    std::string text = element_type_name(plane.type) + "[";
    for (std::int32_t i = 0; i < plane.ndim; ++i)
        text += (i != 0 ? ", " : "") + std::to_string(plane.shape[static_cast<std::size_t>(i)]);
    return text + "]";
}

std::string plane_text(const Plane& plane) {
    return (plane.cell ? "cell " : "plane ") + in_quotes(plane.name) + " (" + array_text(plane) + ", " +
           (plane.scratch ? "scratch" : plane.device.text()) + ", " + plane.where.text() + ")";
}

std::string node_text(const Node& node) { return "node " + in_quotes(node.name) + " (" + node.where.text() + ")"; }

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string SourceLine::text() const { return file.empty() ? "an unknown line" : file + ":" + std::to_string(line); }

bool Device::host() const {
    // DLPack: plain memory, and what the two drivers that have a code for it pin.
    constexpr std::array types{1, 3, 11};
    for (std::int32_t host_type : types)
        if (type == host_type) return true;
    return false;
}

bool Device::managed() const { return type == 13; }  // DLPack's code for memory that migrates

std::string Device::text() const {
    if (type == 0) return "the graph's device";
    if (type == 1) return "host memory";
    if (host()) return "page-locked host memory";
    try {
        return kind_of_device_type(type) + ":" + std::to_string(id);
    } catch (const Error&) {
        return "device type " + std::to_string(type) + ":" + std::to_string(id);
    }
}

}  // namespace eagle::graph
