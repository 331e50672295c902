// A graph as it is recorded: nodes in the order in which they came, each with the nodes that it waits for.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "Guard.h"
#include "Kernel.h"

namespace eagle::host {

class RecordedGraph;

enum class NodeKind : std::uint8_t {
    empty,
    kernel,
    built_in,
    copy,
    fill,
    host_function,
    child,
    guard_setter,
    conditional
};
// As messages name it: "kernel", "host function", ...
const char* name_of(NodeKind kind);
// What launcher_set_node_enabled takes.
bool is_toggleable(NodeKind kind);

struct Node {
    NodeKind kind = NodeKind::empty;
    std::uint64_t handle = 0;          // given by the graph; never given again
    std::vector<std::uint32_t> after;  // nodes of the same graph, recorded before this one

    // Of a kernel. A fixed layout is one that the launch spelled out.
    KernelCall call;
    std::uint32_t block = 1;
    bool has_fixed_layout = false;
    std::shared_ptr<const KeptArguments> arguments;
    // Of a built-in kernel, which brings all it needs.
    std::shared_ptr<const std::function<void()>> work;
    // Of a copy, and without src of a fill. copy_kind is one of EAGLE_BACKEND_MEMCPY_*.
    std::uint64_t dst = 0, src = 0, bytes = 0;
    std::int32_t copy_kind = 0;
    // Of a host function.
    void (*fn)(void* ctx) = nullptr;
    void* ctx = nullptr;
    // Of a child. A foreign one may come in more than once, so its nodes cannot be named in an executable.
    bool is_foreign = false;
    std::shared_ptr<const RecordedGraph> child;
    // Of a conditional, and of the nodes that set its guard: the head before it, and the tail that ends a loop's body.
    Guard guard;
    bool is_tail = false;
    std::uint32_t head = 0;
    std::vector<std::shared_ptr<RecordedGraph>> arms;
};

// Everything about graphs that is not a replay happens under this lock: a recording may be touched by any thread.
std::recursive_mutex& graph_lock();

class RecordedGraph : public std::enable_shared_from_this<RecordedGraph> {
  public:
    // The caller holds the lock where a graph changes; it is taken here where one is made or dies.
    RecordedGraph();
    ~RecordedGraph();
    RecordedGraph(const RecordedGraph&) = delete;
    RecordedGraph& operator=(const RecordedGraph&) = delete;

    std::uint64_t handle() const { return handle_; }
    // The device that its work is of.
    std::int32_t device() const { return device_; }
    void set_device(std::int32_t device) { device_ = device; }
    bool has_shape_of(const RecordedGraph& other) const;  // the same kinds of nodes and the same edges
    const std::vector<Node>& nodes() const { return nodes_; }
    // It is whole: nothing is added from here on.
    void finish() { is_finished_ = true; }
    bool holds_conditional() const;  // in it or in its children
    // The kind of a node, in it or in its children, that a conditional body may not hold; empty where all may.
    NodeKind kind_unfit_for_bodies() const;
    // Returns the node's place.
    std::uint32_t add(Node node);

    // A finished graph by its handle; throws Failure (BAD_HANDLE, or ERROR while it is recorded).
    static std::shared_ptr<const RecordedGraph> of_handle(std::uint64_t graph);
    // The kind of a node of a graph that is alive; throws Failure (BAD_HANDLE).
    static NodeKind kind_of(std::uint64_t node);
    // Whether a graph that is alive launches it.
    static bool is_function_held(std::uint64_t function);

  private:
    std::uint64_t handle_;
    std::int32_t device_ = 0;
    std::vector<Node> nodes_;
    bool is_finished_ = false;
};

}  // namespace eagle::host
