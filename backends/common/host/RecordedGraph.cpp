#include "RecordedGraph.h"

#include <algorithm>
#include <unordered_map>

#include "LastError.h"
#include "ProcessWide.h"

namespace eagle::host {
namespace {

constexpr std::uint64_t node_tag = std::uint64_t('N') << 56u, graph_tag = std::uint64_t('g') << 56u;

// What is alive, by its number: numbers come from the caller and are never followed.
struct Registry {
    std::uint64_t numbers = 0;
    std::unordered_map<std::uint64_t, NodeKind> nodes;
    std::unordered_map<std::uint64_t, RecordedGraph*> graphs;
    std::unordered_map<std::uint64_t, std::uint64_t> functions;  // and how many nodes launch each
};

Registry& registry() { return process_wide<Registry>(); }

std::uint64_t function_of(const Node& node) { return reinterpret_cast<std::uint64_t>(node.call.entry); }

}  // namespace

std::recursive_mutex& graph_lock() {
    registry();  // made before the lock is taken: a fork takes the locks in the other order
    return process_wide<std::recursive_mutex>();
}

const char* name_of(NodeKind kind) {
    switch (kind) {
        case NodeKind::empty:
            return "empty";
        case NodeKind::kernel:
            return "kernel";
        case NodeKind::built_in:
            return "built-in kernel";
        case NodeKind::copy:
            return "copy";
        case NodeKind::fill:
            return "fill";
        case NodeKind::host_function:
            return "host function";
        case NodeKind::child:
            return "child graph";
        case NodeKind::guard_setter:
            return "guard setter";
        case NodeKind::conditional:
            return "conditional";
    }
    return "unknown";
}

bool is_toggleable(NodeKind kind) {
    return kind == NodeKind::kernel || kind == NodeKind::built_in || kind == NodeKind::copy || kind == NodeKind::fill;
}

RecordedGraph::RecordedGraph() {
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    handle_ = graph_tag | ++registry().numbers;
    registry().graphs.emplace(handle_, this);
}

RecordedGraph::~RecordedGraph() {
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    Registry& alive = registry();
    alive.graphs.erase(handle_);
    for (const Node& node : nodes_) {
        alive.nodes.erase(node.handle);
        if (node.kind != NodeKind::kernel) continue;
        auto uses = alive.functions.find(function_of(node));
        if (uses != alive.functions.end() && --uses->second == 0) alive.functions.erase(uses);
    }
}

std::uint32_t RecordedGraph::add(Node node) {
    Registry& alive = registry();
    node.handle = node_tag | ++alive.numbers;
    nodes_.push_back(std::move(node));
    const Node& added = nodes_.back();
    alive.nodes.emplace(added.handle, added.kind);
    if (added.kind == NodeKind::kernel) ++alive.functions[function_of(added)];
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool RecordedGraph::has_shape_of(const RecordedGraph& other) const {
    auto alike = [](const Node& a, const Node& b) {
        if (a.kind != b.kind || a.after != b.after || (a.kind == NodeKind::child && a.is_foreign != b.is_foreign))
            return false;
        if (a.kind == NodeKind::child) return a.child->has_shape_of(*b.child);
        auto same = [](const auto& one, const auto& other_one) { return one->has_shape_of(*other_one); };
        return a.guard.kind == b.guard.kind &&
               std::equal(a.arms.begin(), a.arms.end(), b.arms.begin(), b.arms.end(), same);
    };
    return std::equal(nodes_.begin(), nodes_.end(), other.nodes_.begin(), other.nodes_.end(), alike);
}

bool RecordedGraph::holds_conditional() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
        return node.kind == NodeKind::conditional || (node.kind == NodeKind::child && node.child->holds_conditional());
    });
}

NodeKind RecordedGraph::kind_unfit_for_bodies() const {
    for (const Node& node : nodes_) {
        NodeKind kind = node.kind == NodeKind::child ? node.child->kind_unfit_for_bodies() : node.kind;
        if (kind == NodeKind::host_function) return kind;
    }
    return NodeKind::empty;
}

std::shared_ptr<const RecordedGraph> RecordedGraph::of_handle(std::uint64_t graph) {
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    auto found = registry().graphs.find(graph);
    auto alive = found == registry().graphs.end() ? nullptr : found->second->weak_from_this().lock();
    if (!alive) {
        throw Failure(EAGLE_BACKEND_BAD_HANDLE,
                      "the graph died with its last holder or is none of this backend's; eagle_backend_capturer_graph "
                      "gives the handle of one");
    }
    if (!alive->is_finished_) {
        throw Failure(EAGLE_BACKEND_ERROR, "the graph is still recorded; end its capture first");
    }
    return alive;
}

NodeKind RecordedGraph::kind_of(std::uint64_t node) {
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    auto found = registry().nodes.find(node);
    if (found != registry().nodes.end()) return found->second;
    throw Failure(EAGLE_BACKEND_BAD_HANDLE, node == 0 ? "the node is 0; take one from a snapshot of a capture"
                                                      : "the node died with its graph or is none of this backend's");
}

bool RecordedGraph::is_function_held(std::uint64_t function) {
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    return registry().functions.count(function) != 0;
}

}  // namespace eagle::host
