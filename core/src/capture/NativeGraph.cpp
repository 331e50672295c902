#include <eagle/NativeGraph.h>

#include "capture/Handle.h"

namespace eagle {
namespace {

using Native = eagle_backend_graph;
using detail::native;

detail::SeamHandle own(const Backend& backend, Native made) {
    return {backend, made, [](const seam::Table& s, void* handle) { s.graph_release(static_cast<Native>(handle)); },
            "NativeGraph"};
}

detail::SeamHandle from_captured(Captured& captured) {
    const Backend& backend = captured.backend();
    backend.require(Group::graph);
    Native made = nullptr;
    backend.check(backend.table().graph_from_captured(native<eagle_backend_captured>(captured.handle()), &made),
                  "graph_from_captured");
    captured.handle().consumed();
    return own(backend, made);
}

detail::SeamHandle make(const Backend& backend, std::int32_t device) {
    backend.require(Group::graph);
    eagle_backend_graph_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    Native made = nullptr;
    backend.check(backend.table().graph_create(&desc, &made), "graph_create");
    return own(backend, made);
}

}  // namespace

NativeGraph::NativeGraph(Captured& captured) : handle_(from_captured(captured)) {}

NativeGraph::NativeGraph(const Backend& backend, std::int32_t device) : handle_(make(backend, device)) {}

void NativeGraph::add(Captured& captured) {
    const auto child = native<eagle_backend_captured>(captured.handle());
    backend().check(backend().table().graph_add_node(native<Native>(handle_), child), "graph_add_node");
    captured.handle().consumed();
}

std::int64_t NativeGraph::last_node() const {
    std::int64_t index = 0;
    backend().check(backend().table().graph_last_node(native<Native>(handle_), &index), "graph_last_node");
    return index;
}

void NativeGraph::set_stream(std::uint64_t stream) {
    backend().check(backend().table().graph_stream(native<Native>(handle_), stream), "graph_stream");
}

}  // namespace eagle
