#include "graph/Touch.h"

#include <eagle/GraphDescription.h>

#include <map>

#include "array/Distinct.h"
#include "graph/Text.h"

namespace eagle::graph {
namespace {

// A view whose strides do not nest is taken for one of which two elements may share a byte.
bool distinct(const Plane& plane) {
    const auto axes = static_cast<std::size_t>(plane.ndim);
    return strides_nest({plane.shape.data(), axes}, {plane.strides.data(), axes}, plane.item_bytes());
}

}  // namespace

void check_written(const Recording& recording, const Node& node) {
    for (const Access& access : node.accesses) {
        if (!writes(access.mode)) continue;
        const Plane& plane = recording.planes[access.plane];
        const std::string does = "node " + in_quotes(node.name) + " writes " + plane_text(plane);
        if (plane.read_only)
            refuse<BufferRefused>(node.where,
                                  plane.hidden ? does + ", which only its loop writes; write a cell of your own"
                                               : does + ", which is read-only; it needs a writable one: pass a copy");
        if (!distinct(plane))
            refuse<LayoutError>(node.where, does +
                                                ", elements of which share memory; it needs distinct elements: "
                                                "pass a copy");
    }
}

void refuse_in_body(const Recording& recording, const Node& node, const std::string& what) {
    if (!recording.conditional_body()) return;
    const Body& body = recording.bodies[recording.body()];
    refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " is " + what + " inside the " + body.label +
                                            " of " + node_text(recording.nodes[body.owner]) +
                                            "; a conditional body holds launches, copies, fills, reduces, compacts, "
                                            "child graphs and conditionals: record it before or after");
}

void check_child_node(const Recording& recording, const Node& child, const Node& inner) {
    const std::string user = "node " + in_quotes(child.name);
    if (inner.conditional())
        refuse<InvalidArgument>(child.where, user + " is a child graph with the conditional " + node_text(inner) +
                                                 "; a child graph holds none: record that part in this graph");
    if (!recording.conditional_body()) return;
    const bool nested_host = std::holds_alternative<HostCall>(inner.work) || std::holds_alternative<Opaque>(inner.work);
    if (nested_host)
        refuse<InvalidArgument>(child.where, user + " is a child graph inside a conditional body, and holds the " +
                                                 std::string(inner.kind()) + " " + node_text(inner) +
                                                 "; such a body holds neither host functions nor opaque work: record "
                                                 "the child before or after");
    if (const auto* nested = std::get_if<Child>(&inner.work))
        for (const Node& deeper : nested->graph->nodes()) check_child_node(recording, child, deeper);
}

// Bytes of a name that says by which graphs a plane came in; a chain of graphs would make it longer and longer.
constexpr std::size_t longest_path = 100;

void import_accesses(Recording& recording, Node& node, const GraphDescription& child) {
    std::map<std::uint32_t, Access> union_of;
    for (const Node& inner : child.nodes())
        for (const Access& access : inner.accesses) {
            if (child.planes()[access.plane].scratch) continue;
            // A plane of a graph further inside is called as there.
            const std::string& as = child.planes()[access.plane].hidden ? access.as : child.planes()[access.plane].name;
            Access& known =
                union_of.try_emplace(access.plane, Access{access.plane, access.mode, false, as}).first->second;
            known.mode = static_cast<Mode>(static_cast<int>(known.mode) | static_cast<int>(access.mode));
        }
    for (auto& [index, access] : union_of) {
        Plane plane = child.planes()[index];
        plane.name = node.name + "." + (plane.name.size() < longest_path ? plane.name : "\u2026." + access.as);
        plane.hidden = true;
        plane.root = none;
        access.plane = recording.add(std::move(plane)).index;
        node.accesses.push_back(std::move(access));
    }
}

}  // namespace eagle::graph
