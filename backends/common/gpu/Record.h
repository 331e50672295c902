// A graph of the driver with what is known of its nodes, in the order in which they came: drivers tell neither.
#pragma once
#include <memory>
#include <vector>

#include "KernelTypes.h"
#include "Kind.h"
#include "Objects.h"

namespace eagle::gpu {

class Record;

// The nodes that decide for a conditional node, and the cells that they look at.
struct GuardNodes {
    RawNode head = 0, tail = 0;  // tail: of a loop alone
    GuardCells cells{};
};

struct Node {
    NodeType type = NodeType::other;
    RawNode node = 0;
    bool sets_a_guard = false;
    // Of a kernel that came in through the seam. A fixed layout is one that the launch spelled out.
    RawFunction function = 0;
    std::int64_t arguments = -1;       // without those that the backend appends; -1 = all of them are the caller's
    std::vector<std::uint64_t> sizes;  // of its parameters in bytes, where the launch gave them
    bool has_fixed_layout = false;
    Copy copy;
    std::shared_ptr<const GuardNodes> guard;  // of a conditional
};

class Record {
  public:
    // Takes the graph over where `owns`.
    Record(RawGraph graph, int device, bool owns);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    RawGraph graph() const { return graph_; }
    int device() const { return device_; }
    // The driver's node is this from here on.
    void note(Node node);
    // Takes in what others have put into the graph.
    void find_others();
    const std::vector<Node>& nodes() const { return nodes_; }
    // A body of a conditional, or a child that was moved; its nodes are found here too.
    void add_inner(std::shared_ptr<Record> inner) { inner_.push_back(std::move(inner)); }
    const std::vector<std::shared_ptr<Record>>& inner() const { return inner_; }
    void take_over() { owns_ = true; }  // it goes with this record
    void give_up() { owns_ = false; }   // another graph has taken it over
    const Node* find(RawNode node) const;
    bool holds_conditional() const;

    // Of a graph that is alive; throws Failure (BAD_HANDLE).
    static const Node& known(RawNode node);
    static bool is_function_held(RawFunction function);

  private:
    RawGraph graph_;
    int device_;
    bool owns_;
    std::vector<Node> nodes_;
    std::vector<std::shared_ptr<Record>> inner_;
};

// The type of a node, in the graph or in its children, that a conditional body may not hold; empty where all may.
NodeType type_unfit_for_bodies(RawGraph graph);
bool holds_conditional(RawGraph graph);
bool is_toggleable(const Node& node);

}  // namespace eagle::gpu
