#include "Record.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "Capture.h"

namespace eagle::gpu {
namespace {

// What is alive, by its number: numbers come from the caller and are never followed.
struct Registry {
    std::unordered_map<RawNode, Node> nodes;
    std::unordered_map<RawFunction, std::uint64_t> functions;  // and how many nodes launch each
};

Registry& registry() {
    static Registry& alive = *new Registry;
    return alive;
}

}  // namespace

const char* name_of(NodeType type) {
    switch (type) {
        case NodeType::kernel:
            return "kernel";
        case NodeType::copy:
            return "copy";
        case NodeType::fill:
            return "fill";
        case NodeType::host_function:
            return "host function";
        case NodeType::child:
            return "child graph";
        case NodeType::empty:
            return "empty";
        case NodeType::conditional:
            return "conditional";
        case NodeType::other:
            break;
    }
    return "event, allocation or semaphore";
}

Record::Record(RawGraph graph, int device, bool owns) : graph_(graph), device_(device), owns_(owns) {}

Record::~Record() {
    Lock lock(engine_lock());
    Registry& alive = registry();
    for (const Node& node : nodes_) {
        alive.nodes.erase(node.node);
        auto uses = alive.functions.find(node.function);
        if (uses != alive.functions.end() && --uses->second == 0) alive.functions.erase(uses);
    }
    inner_.clear();
    if (!owns_) return;
    put_off(device_, [graph = graph_] { driver().destroy_graph(graph); });
}

void Record::note(Node node) {
    Registry& alive = registry();
    alive.nodes.insert_or_assign(node.node, node);
    if (node.function) ++alive.functions[node.function];
    nodes_.push_back(std::move(node));
}

void Record::find_others() {
    const std::vector<RawNode> all = driver().nodes(graph_);
    if (all.size() == nodes_.size()) return;
    std::unordered_set<RawNode> noted;
    for (const Node& node : nodes_) noted.insert(node.node);
    for (RawNode node : all) {
        if (noted.count(node)) continue;
        Node found;
        found.node = node;
        found.type = driver().type(node);
        note(std::move(found));
    }
}

const Node* Record::find(RawNode node) const {
    for (const Node& own : nodes_) {
        if (own.node == node) return &own;
    }
    for (const auto& inner : inner_) {
        if (const Node* found = inner->find(node)) return found;
    }
    return nullptr;
}

bool Record::holds_conditional() const {
    auto is_conditional = [](const Node& node) { return node.type == NodeType::conditional; };
    return std::any_of(nodes_.begin(), nodes_.end(), is_conditional) ||
           std::any_of(inner_.begin(), inner_.end(), [](const auto& inner) { return inner->holds_conditional(); });
}

const Node& Record::known(RawNode node) {
    Lock lock(engine_lock());
    auto found = registry().nodes.find(node);
    if (found != registry().nodes.end()) return found->second;
    throw Failure(EAGLE_BACKEND_BAD_HANDLE, node == 0 ? "the node is 0; take one from a snapshot of a capture"
                                                      : "the node died with its graph or is none of this backend's");
}

bool Record::is_function_held(RawFunction function) {
    Lock lock(engine_lock());
    return registry().functions.count(function) != 0;
}

NodeType type_unfit_for_bodies(RawGraph graph) {
    for (RawNode node : driver().nodes(graph)) {
        NodeType type = driver().type(node);
        if (type == NodeType::child) type = type_unfit_for_bodies(driver().graph_of_child(node));
        if (type == NodeType::host_function || type == NodeType::other) return type;
    }
    return NodeType::empty;
}

bool holds_conditional(RawGraph graph) {
    for (RawNode node : driver().nodes(graph)) {
        const NodeType type = driver().type(node);
        if (type == NodeType::conditional) return true;
        if (type == NodeType::child && holds_conditional(driver().graph_of_child(node))) return true;
    }
    return false;
}

bool is_toggleable(const Node& node) {
    const bool has_switch = node.type == NodeType::kernel || node.type == NodeType::copy || node.type == NodeType::fill;
    return has_switch && !node.sets_a_guard;
}

}  // namespace eagle::gpu
