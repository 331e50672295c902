#include "graph/Residency.h"

#include <eagle/Backend.h>

#include <string>

#include "graph/Text.h"

namespace eagle::graph {
namespace {

// Whoever first touched device memory.
struct Found {
    const Node* node = nullptr;
    const Plane* plane = nullptr;
};

std::string kind_of(std::int32_t type) {
    try {
        return kind_of_device_type(type);
    } catch (const Error&) {
        return {};
    }
}

// Managed memory is of the kind whose device it migrates to.
bool same_device(const Device& a, const Device& b) {
    if (a == b) return true;
    if (a.id != b.id) return false;
    const std::string kind = kind_of(a.type);
    return !kind.empty() && kind == kind_of(b.type);
}

template <class Visit>
void each_plane(const GraphDescription& description, Visit visit) {
    for (const Node& node : description.nodes())
        for (const Access& access : node.accesses) visit(node, description.planes()[access.plane]);
}

Found find_device(const GraphDescription& description) {
    Found found;
    each_plane(description, [&](const Node& node, const Plane& plane) {
        if (plane.scratch || plane.device.host()) return;
        if (found.plane == nullptr) {
            found = {&node, &plane};
        } else if (!same_device(found.plane->device, plane.device)) {
            refuse<BufferRefused>(node.where, "node " + in_quotes(node.name) + " touches " + plane_text(plane) +
                                                  ", and " + node_text(*found.node) + " touches " +
                                                  plane_text(*found.plane) +
                                                  "; a graph runs on one device: move one of the two planes, or make "
                                                  "a graph for each device");
        } else if (found.plane->device.managed() && !plane.device.managed()) {
            found = {&node, &plane};
        }
    });
    return found;
}

// What a refusal says of where the graph runs.
struct Place {
    std::string here;    // "where plane 'x' (...) lives"
    std::string device;  // "sim:0"
    std::string why;     // of scratch, which lives there too
};

Place place_of(const Found& found) {
    const std::string plane = plane_text(*found.plane);
    return {"where " + plane + " lives", found.plane->device.text(), ", as " + plane + " does"};
}

void refuse_host_plane(const Node& node, const Plane& plane, const Place& place) {
    refuse<BufferRefused>(node.where, "node " + in_quotes(node.name) + " (" + std::string(node.kind()) +
                                          ") was given " + plane_text(plane) + ", and the graph runs " + place.here +
                                          "; only copies and host functions take host memory there: copy it to "
                                          "the device first, with copy()");
}

void refuse_device_plane(const Node& node, const Plane& plane, const Place& place) {
    refuse<BufferRefused>(node.where, "node " + in_quotes(node.name) + " (" + std::string(node.kind()) +
                                          ") was given " + plane_text(plane) + ", which lives on " + place.device +
                                          (plane.scratch ? place.why : "") +
                                          "; a host function reads and writes host memory: copy it there first, with "
                                          "copy()");
}

// Nodes of children run where the whole runs, whatever they would do by themselves.
void judge(const GraphDescription& description, const Place& place) {
    each_plane(description, [&](const Node& node, const Plane& plane) {
        const bool copy = std::holds_alternative<Copy>(node.work), host = std::holds_alternative<HostCall>(node.work);
        const bool child = std::holds_alternative<Child>(node.work);  // its own nodes are judged
        if (!plane.scratch && plane.device.host() && !copy && !host && !child) refuse_host_plane(node, plane, place);
        if (host && (plane.scratch || !(plane.device.host() || plane.device.managed())))
            refuse_device_plane(node, plane, place);
    });
    for (const Node& node : description.nodes())
        if (const auto* child = std::get_if<Child>(&node.work)) judge(*child->graph, place);
}

}  // namespace

std::optional<Device> residency(const GraphDescription& description) {
    const Found device = find_device(description);
    if (device.plane != nullptr) {
        judge(description, place_of(device));
        return device.plane->device;
    }
    bool any = false;
    each_plane(description, [&](const Node&, const Plane& plane) { any = any || !plane.scratch; });
    if (any) return Device{1, 0};
    return std::nullopt;
}

void require_movable(const GraphDescription& description, const std::string& device) {
    judge(description, {"on " + device, device, ""});
}

}  // namespace eagle::graph
