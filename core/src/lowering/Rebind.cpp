// New arrays, and nodes that are left out.
#include <eagle/marshal/ShapeText.h>

#include <algorithm>
#include <utility>

#include "graph/Text.h"
#include "lowering/GraphState.h"

namespace eagle {
namespace {

using graph::in_quotes;
using graph::Plane;

std::string array_of(const ArrayView& array) {
    std::string text = element_type_name(array.type) + "[";
    for (std::int32_t i = 0; i < array.ndim; ++i)
        text += (i != 0 ? ", " : "") + std::to_string(array.shape[static_cast<std::size_t>(i)]);
    return text + "]";
}

const Plane& plane_to_bind(const GraphDescription& description, std::string_view name) {
    const graph::PlaneRef found = description.find_plane(name);
    if (!found)
        throw ArgumentError("graph " + in_quotes(description.name()) + " has no plane " + in_quotes(name) +
                            "; bind one that was declared with plane()");
    const Plane& plane = description.planes()[found.index];
    if (plane.scratch)
        throw ArgumentError(graph::plane_text(plane) + " is the graph's own memory; bind a plane of the caller's");
    if (plane.root != found.index)
        throw ArgumentError(graph::plane_text(plane) + " is a view of plane " +
                            in_quotes(description.planes()[plane.root].name) + "; bind that one, and it moves along");
    return plane;
}

void check_array(const Plane& plane, const ArrayView& array, bool is_written) {
    const auto differs = [&](const auto& a, const auto& b) {
        return !std::equal(a.begin(), a.begin() + plane.ndim, b.begin());
    };
    const std::string text = graph::plane_text(plane) + " was given " + array_of(array);
    if (array.ndim != plane.ndim || differs(plane.shape, array.shape))
        throw LayoutError(text + "; a new array has the shape of the old one: build another graph for another shape");
    if (array.type != plane.type)
        throw BufferRefused(text + "; a new array has the element type of the old one: convert it");
    if (plane.size() != 0 && differs(plane.strides, array.strides))
        throw LayoutError(text + " with strides of " +
                          shape_text({array.strides.data(), static_cast<std::size_t>(array.ndim)}) +
                          " bytes, and was recorded with " +
                          shape_text({plane.strides.data(), static_cast<std::size_t>(plane.ndim)}) +
                          "; lay it out alike: pass a copy");
    const graph::Device device{array.device_type, array.device_id};
    if (device != plane.device)
        throw BufferRefused(text + " in " + device.text() + "; it needs one in " + plane.device.text());
    if (array.read_only && is_written)
        throw BufferRefused(text + ", which is read-only, and a node writes it; it needs a writable one: pass a copy");
    const std::uint64_t item = plane.item_bytes(), address = reinterpret_cast<std::uint64_t>(array.data);
    if (plane.bytes != 0 && address == 0)
        throw BufferRefused(text + " without memory; it needs the address of its first element");
    if (address % item != plane.address % item)
        throw BufferRefused(text + " at an address " + std::to_string(address % item) + " bytes past a multiple of " +
                            std::to_string(item) + ", and the old one lies " + std::to_string(plane.address % item) +
                            " past one; it needs the same alignment: pass a copy");
}

graph::Extent extent_at(const Plane& plane, std::uint64_t address) {
    Plane moved = plane;
    moved.address = address;
    return moved.extent();
}

}  // namespace

// A child node has the addresses that it was recorded with.
static void check_children(const BuiltGraph::State& s, const std::vector<std::uint64_t>& moved) {
    const auto planes = s.frame->description->planes();
    for (std::uint32_t a = 0; a < planes.size(); ++a) {
        if (planes[a].scratch || planes[a].hidden || moved[a] == s.frame->addresses[a]) continue;
        for (const Plane& of_child : planes)
            if (of_child.hidden && !of_child.scratch &&
                graph::touches(extent_at(planes[a], s.frame->addresses[a]), of_child.extent()))
                throw InvalidArgument(graph::plane_text(planes[a]) + " is also " + graph::plane_text(of_child) +
                                      ", and a child graph keeps the arrays that it was recorded with; build the graph "
                                      "anew, from a child over the new array");
    }
}

// The order of nodes was derived from who shares bytes with whom; it holds as long as that stays.
static void check_sharing(const BuiltGraph::State& s, const std::vector<std::uint64_t>& moved) {
    const auto planes = s.frame->description->planes();
    for (std::uint32_t a = 0; a < planes.size(); ++a) {
        if (planes[a].scratch || moved[a] == s.frame->addresses[a]) continue;
        const graph::Extent old = extent_at(planes[a], s.frame->addresses[a]), now = extent_at(planes[a], moved[a]);
        for (std::uint32_t b = 0; b < planes.size(); ++b) {
            const bool counts =
                !planes[b].scratch && planes[b].root != planes[a].root && (s.written[a] || s.written[b]);
            if (!counts) continue;
            const bool before = graph::touches(old, extent_at(planes[b], s.frame->addresses[b]));
            const bool after = graph::touches(now, extent_at(planes[b], moved[b]));
            if (before == after) continue;
            throw InvalidArgument("the new array of " + graph::plane_text(planes[a]) +
                                  (after ? " shares memory with " : " does not share memory any more with ") +
                                  graph::plane_text(planes[b]) + (after ? ", as the old one did not" : "") +
                                  ", and a node writes one of them, so the order of the nodes would be another; build "
                                  "the graph anew with these arrays, or bind both to arrays that " +
                                  (after ? "lie apart" : "share memory as the old ones did"));
        }
    }
}

void BuiltGraph::State::bind(std::span<const Binding> bindings) {
    const auto planes = frame->description->planes();
    std::vector<std::uint64_t> moved = frame->addresses;
    std::vector<std::uint32_t> roots, changed;
    std::string what = "a new array of";
    for (const Binding& binding : bindings) {
        const Plane& plane = plane_to_bind(*frame->description, binding.plane);
        const std::uint32_t root = plane.root;
        bool is_written = false;
        for (std::uint32_t i = 0; i < planes.size(); ++i)
            is_written = is_written || (!planes[i].scratch && planes[i].root == root && written[i] != 0);
        check_array(plane, binding.array, is_written);
        const std::uint64_t from = frame->addresses[root], to = reinterpret_cast<std::uint64_t>(binding.array.data);
        for (std::uint32_t i = 0; i < planes.size(); ++i)
            if (!planes[i].scratch && planes[i].root == root) moved[i] = frame->addresses[i] - from + to;
        roots.push_back(root);
        changed.insert(changed.end(), users[root].begin(), users[root].end());
        what += (roots.size() > 1 ? ", '" : " '") + plane.name + "'";
    }
    check_children(*this, moved);
    check_sharing(*this, moved);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());

    const auto exchange_addresses = [&] {
        const std::lock_guard lock(asked);
        std::swap(frame->addresses, moved);
    };
    exchange_addresses();
    try {
        for (const std::uint32_t node : changed) frame->works[node]->readdress();
    } catch (...) {
        exchange_addresses();
        for (const std::uint32_t node : changed) frame->works[node]->readdress();
        throw;
    }
    std::vector<std::shared_ptr<const void>> gone;
    {
        const std::lock_guard lock(asked);
        for (std::size_t i = 0; i < roots.size(); ++i)
            gone.push_back(std::exchange(plane_owners[roots[i]], bindings[i].owner));
    }
    for (auto& owner : gone) keep_until_done(std::move(owner));
    apply(changed, what);
}

void BuiltGraph::State::enable(std::uint32_t node, bool enabled) {
    const lowering::Work& work = *frame->works[node];
    for (const std::uint64_t handle : work.handles) executor.launcher().set_enabled(handle, enabled);
    for (const std::uint64_t mark : work.marks) executor.launcher().set_enabled(mark, enabled);
}

void BuiltGraph::State::restore_disabled() {
    for (const auto& [node, is_disabled] : disabled)
        if (is_disabled) enable(node, false);
}

void BuiltGraph::State::set_enabled(std::string_view name, bool enabled) {
    const graph::NodeRef found = frame->description->find_node(name);
    if (found.index == graph::none)
        throw ArgumentError("graph " + in_quotes(frame->description->name()) + " has no node " + in_quotes(name) +
                            "; enable or disable one that was recorded");
    const graph::Node& node = frame->node(found.index);
    const std::string_view kind = node.kind();
    const bool fits =
        std::holds_alternative<graph::Launch>(node.work) || std::holds_alternative<graph::Function>(node.work) ||
        std::holds_alternative<graph::Copy>(node.work) || std::holds_alternative<graph::Fill>(node.work) ||
        std::holds_alternative<graph::Reduce>(node.work);
    if (!fits)
        throw InvalidArgument(graph::node_text(node) + " is a " + std::string(kind) +
                              " node; only launches, copies, fills and reductions are enabled and disabled");
    executor.backend().require(Group::attribution);
    if (!stale.empty()) capture(std::string(stale));  // the nodes of the executable that replays are changed
    enable(found.index, enabled);
    disabled[found.index] = !enabled;
    const std::lock_guard lock(asked);
    report.last = "node " + in_quotes(name) + (enabled ? " takes part" : " is left out") + ": in place";
    ++report.repointed;
}

}  // namespace eagle
