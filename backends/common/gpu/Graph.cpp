#include "Capture.h"
#include "Current.h"
#include "Launcher.h"

namespace eagle::gpu {

Graph::Graph(int device) {
    const Current current(device);
    graph_ = std::make_shared<Record>(driver().create_graph(), device, true);
    Node root;
    root.type = NodeType::empty;
    root.node = last_ = driver().add_empty(graph_->graph());
    Lock lock(engine_lock());
    graph_->note(std::move(root));
}

void Graph::set_stream(RawStream stream) {
    device_of(device(), stream);
    stream_ = stream;
}

// The driver's copy has the nodes in the order of the capture's.
void Graph::copy_in(const Record& captured, RawNode child) {
    const RawGraph copy = driver().graph_of_child(child);
    const std::vector<RawNode> from = driver().nodes(captured.graph()), to = driver().nodes(copy);
    bool is_alike = from.size() == to.size();
    for (std::size_t i = 0; is_alike && i < from.size(); ++i) is_alike = driver().type(from[i]) == driver().type(to[i]);
    for (std::size_t i = 0; is_alike && i < from.size(); ++i) names_[from[i]] = to[i];
}

void Graph::add(std::shared_ptr<Record> captured) {
    Lock lock(engine_lock());
    if (last_ == 0) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "the graph is a capture as it is; nodes are added to one made by eagle_backend_graph_create");
    }
    // CUDA's driver reference, CUDA_CHILD_GRAPH_NODE_PARAMS: a child, copied or moved, holds no conditional nodes.
    if (captured->holds_conditional()) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "the capture holds a conditional node, which this driver does not put into another graph; use "
                      "eagle_backend_graph_from_captured");
    }
    const bool moves = driver().moves_children();
    const RawNode child = driver().add_child(graph_->graph(), {last_}, captured->graph(), moves);
    last_ = child;
    if (moves) {
        captured->give_up();
    } else {
        copy_in(*captured, child);
    }
    for (const Node& node : captured->nodes()) {
        if (node.type == NodeType::kernel && !node.sets_a_guard) fitted_.push_back(node.node);
    }
    Node node;
    node.type = NodeType::child;
    node.node = child;
    graph_->note(std::move(node));
    graph_->add_inner(std::move(captured));
}

std::int64_t Graph::last_node() {
    Lock lock(engine_lock());
    return static_cast<std::int64_t>(graph_->nodes().size()) - 1;
}

std::unique_ptr<Launcher> Graph::launcher() {
    Lock lock(engine_lock());
    if (had_launcher_ && graph_->holds_conditional()) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "the graph holds a conditional node, of which one launcher is made and no second; capture again");
    }
    auto launcher = std::make_unique<Launcher>(graph_, names_, fitted_, stream_);
    had_launcher_ = true;
    return launcher;
}

}  // namespace eagle::gpu
