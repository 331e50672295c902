// A graph as data: planes, nodes, nested bodies. Recording checks every node as it comes in; nothing is run, captured
// or allocated, and no backend is asked.
#pragma once
#include <eagle/export.h>
#include <eagle/graph/Node.h>
#include <eagle/graph/Plane.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eagle {

class GraphDescription;

namespace graph {

struct Recording;  // what a description holds

// An open body or branch: what is recorded while it lives goes into it. It ends with the object, innermost first; one
// that ends while another is open inside it is refused by the next call. So is one that an exception left: what it
// holds is half of what was meant, and the description records no more.
class EAGLE_API Scope {
  public:
    Scope(std::shared_ptr<Recording> recording, std::uint64_t serial);
    Scope(Scope&& other) noexcept;
    Scope& operator=(Scope&&) = delete;
    ~Scope();
    void end() noexcept;      // before the object's own end
    void abandon() noexcept;  // ends it as an exception does that leaves it

  private:
    std::shared_ptr<Recording> recording_;
    std::uint64_t serial_ = 0;
    int exceptions_ = 0;  // in flight when it was opened
};

// The body of a loop, with what can be read in it.
class LoopScope : public Scope {
  public:
    LoopScope(Scope scope, NodeRef node, CellRef iteration)
        : Scope(std::move(scope)), node_(node), iteration_(iteration) {}
    NodeRef node() const { return node_; }
    // How many iterations ran before this one.
    CellRef iteration() const { return iteration_; }

  private:
    NodeRef node_;
    CellRef iteration_;
};

class EAGLE_API IfNode {
  public:
    IfNode(std::shared_ptr<Recording> recording, NodeRef node) : recording_(std::move(recording)), node_(node) {}
    NodeRef node() const { return node_; }
    Scope then(SourceLine where = SourceLine::current());
    Scope otherwise(SourceLine where = SourceLine::current());

  private:
    std::shared_ptr<Recording> recording_;
    NodeRef node_;
};

class EAGLE_API SwitchNode {
  public:
    SwitchNode(std::shared_ptr<Recording> recording, NodeRef node) : recording_(std::move(recording)), node_(node) {}
    NodeRef node() const { return node_; }
    // Throws IndexError for an arm that the switch does not have, InvalidArgument for one that was recorded.
    Scope arm(std::uint32_t number, SourceLine where = SourceLine::current());

  private:
    std::shared_ptr<Recording> recording_;
    NodeRef node_;
};

// A fork: open one branch after the other. What two branches touch may overlap only where both read.
class EAGLE_API Fork {
  public:
    Fork(std::shared_ptr<Recording> recording, std::uint32_t number)
        : recording_(std::move(recording)), number_(number) {}
    Scope branch(std::string name = {}, SourceLine where = SourceLine::current());

  private:
    std::shared_ptr<Recording> recording_;
    std::uint32_t number_;
};

struct IfOptions {
    CellRef baseline{};
    bool negate = false;
    std::string name{};
};
struct WhileOptions {
    std::optional<std::uint32_t> cap{};  // iterations at most, 1 and more; none: as long as the cells say
    CellRef limit{}, stop{}, baseline{};
    bool negate = false;
    std::string name{};
};
struct FunctionOptions {
    std::uint32_t block = 256, grid = 0, shared_bytes = 0, max_parallel = 0;
};

// What call() recorded.
struct Call {
    NodeRef node;
    std::vector<std::pair<std::string, PlaneRef>> outputs;  // scratch for `out` planes, in packing order
};

}  // namespace graph

// Move-only. One thread at a time. Every recording call checks what it is given and throws before anything changed;
// each refusal names the node and its line, and both planes where two are meant: InvalidArgument for values,
// LayoutError for shapes, BufferRefused for types, read-only planes and devices, ArgumentError for names, BadHandle for
// a plane or node of another description. A plane stays the caller's: it outlives whatever replays the description.
class EAGLE_API GraphDescription {
  public:
    using PlaneRef = graph::PlaneRef;
    using CellRef = graph::CellRef;
    using NodeRef = graph::NodeRef;
    using SourceLine = graph::SourceLine;
    using here = graph::SourceLine;

    explicit GraphDescription(std::string name = "graph", SourceLine where = here::current());
    ~GraphDescription();
    GraphDescription(GraphDescription&&) noexcept;
    GraphDescription& operator=(GraphDescription&&) noexcept;

    // ---- planes ----
    // Names are unique, not empty, and hold no control characters.
    // The caller's array.
    PlaneRef plane(std::string name, const ArrayView& array, SourceLine where = here::current());
    // Dense row-major memory of the graph's own on its device, in an arena planned by what is alive when. Undefined at
    // the start of every replay.
    PlaneRef scratch(std::string name, std::span<const std::int64_t> shape, ElementType type,
                     SourceLine where = here::current());
    PlaneRef scratch(std::string name, std::initializer_list<std::int64_t> shape, Dtype dtype,
                     SourceLine where = here::current());
    // The plane is a result of the graph: its bytes stay what they are until the next replay. Of the caller's own plane
    // that is so anyway; scratch then shares its place in the arena with no other plane. Not in a child graph.
    void keep(PlaneRef plane, SourceLine where = here::current());
    // Part of a plane: element [0, 0, ...] is `offset` bytes from that of `of`, strides in bytes. It must lie inside.
    PlaneRef view(std::string name, PlaneRef of, std::int64_t offset, std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> strides, SourceLine where = here::current());
    // A uint32 of the caller's at `address` on `device`, of the graph's own, or element `index` of a plane of uint32,
    // int32 or int64, whose low 32 bits it then is.
    CellRef cell(std::string name, std::uint64_t address, graph::Device device, SourceLine where = here::current());
    CellRef cell(std::string name, SourceLine where = here::current());
    CellRef cell(std::string name, PlaneRef of, std::int64_t index, SourceLine where = here::current());
    // What a cell holds where this is recorded, as the int64 that kernels take: scratch of one element, a fill and a
    // copy.
    PlaneRef widen(CellRef cell, std::string name, SourceLine where = here::current());
    // A plane of one uint32 as a cell.
    CellRef as_cell(PlaneRef plane, SourceLine where = here::current()) const;

    // ---- work ----
    // Without a name a node is called after its work, with a number where that name is taken.
    NodeRef launch(const Plan& plan, graph::NamedArguments arguments, std::string name = {},
                   SourceLine where = here::current());
    // The same with scratch for every `out` plane that is not given: what a run of the plan would allocate.
    graph::Call call(const Plan& plan, graph::NamedArguments arguments, std::string name = {},
                     SourceLine where = here::current());
    NodeRef function(std::uint64_t function, std::int64_t count, std::vector<graph::FunctionArgument> arguments,
                     std::string name, const graph::FunctionOptions& options = {}, SourceLine where = here::current());
    NodeRef copy(PlaneRef to, PlaneRef from, std::string name = {}, SourceLine where = here::current());
    // 1, 2, 4, 8 or 16 bytes, repeated; their number divides the bytes of the plane.
    NodeRef fill(PlaneRef plane, std::span<const std::byte> pattern, std::string name = {},
                 SourceLine where = here::current());
    // Every element becomes `value`, which the plane's type must be able to hold exactly (a float plane rounds).
    NodeRef fill(PlaneRef plane, double value, std::string name = {}, SourceLine where = here::current());
    NodeRef fill(PlaneRef plane, std::int64_t value, std::string name = {}, SourceLine where = here::current());
    NodeRef fill(PlaneRef plane, int value, std::string name = {}, SourceLine where = here::current()) {
        return fill(plane, std::int64_t{value}, std::move(name), std::move(where));
    }
    // The name that a node of this work gets where none is given: the work's own, with a number where it is taken.
    std::string free_name(std::string_view work) const;
    // Planes of host memory that the function reads and writes. Not inside a conditional body. It is called on a thread
    // of the backend's, or on one that waits for the stream, and with that thread's signal mask: threads of kind cpu
    // block every signal but those of faults. Set the mask (pthread_sigmask) before a signal is raised or a process
    // started there, which would keep the one pending and inherit the other.
    NodeRef host(std::function<void()> call, std::vector<PlaneRef> reads, std::vector<PlaneRef> writes,
                 std::string name = {}, SourceLine where = here::current());
    // `into` has one element: of the type of `from` for sum, max and min (sum of a bool plane: uint32 or int64); bool
    // or uint32 for all. Types: float64, float32, int64, int32, uint32, bool.
    NodeRef reduce(graph::Fold fold, PlaneRef from, PlaneRef into, std::string name = {},
                   SourceLine where = here::current());
    // mask: bool[n]; map: int32[n], at most 2^31 - 1 of them; both dense.
    NodeRef compact(PlaneRef mask, PlaneRef map, CellRef count, bool drop = false, std::string name = {},
                    SourceLine where = here::current());
    // A finished description without conditional nodes. It is kept alive, and takes no more nodes after.
    NodeRef child(std::shared_ptr<const GraphDescription> graph, std::string name = {},
                  SourceLine where = here::current());
    // Not inside a conditional body.
    NodeRef opaque(std::function<void(std::uint64_t stream)> call, std::vector<PlaneRef> reads,
                   std::vector<PlaneRef> writes, std::string name, SourceLine where = here::current());

    // ---- control flow, decided where the work runs ----
    graph::IfNode if_(CellRef cell, const graph::IfOptions& options = {}, SourceLine where = here::current());
    graph::LoopScope while_(CellRef cell, const graph::WhileOptions& options = {}, SourceLine where = here::current());
    // `count` iterations, at least 1; fewer where `limit` or `stop` say so.
    graph::LoopScope repeat(std::uint32_t count, std::string name = {}, SourceLine where = here::current());
    // A loop without a guard: cap, limit and stop of the options.
    graph::LoopScope repeat(const graph::WhileOptions& options, SourceLine where = here::current());
    // 1 to 1024 arms; each must be recorded.
    graph::SwitchNode switch_(CellRef cell, std::uint32_t arms, std::string name = {},
                              SourceLine where = here::current());
    graph::Fork fork(std::string name = {}, SourceLine where = here::current());

    // ---- what was recorded ----
    const std::string& name() const;
    const SourceLine& where() const;
    std::uint64_t id() const;  // of this description in the process, at least 1
    std::span<const graph::Plane> planes() const;
    std::span<const graph::Node> nodes() const;
    std::span<const graph::Body> bodies() const;  // body 0 is the graph itself
    std::span<const graph::Strand> strands() const;
    std::span<const graph::ForkPoint> forks() const;
    const graph::Plane& plane(PlaneRef plane) const;  // throws BadHandle for one of another description
    const graph::Node& node(NodeRef node) const;
    // By name; an unset reference when there is none.
    PlaneRef find_plane(std::string_view name) const;
    NodeRef find_node(std::string_view name) const;
    // Throws InvalidArgument for what can be judged only at the end: a scope that is still open, an empty body, arm or
    // branch, a while that nothing can end, scratch of which a node or a result needs a byte that is not written on
    // every way there. analyze() begins with it.
    void check_complete() const;
    // `part`, recorded from `where` on, was left in the middle: recording calls and check_complete() are refused. An
    // open scope that an exception leaves does this by itself.
    void abandon(std::string_view part, SourceLine where = here::current());
    // From here on it takes no more planes and nodes: recording calls throw InvalidArgument. lower() begins with it.
    void finish() const;

  private:
    std::shared_ptr<graph::Recording> recording_;
};

}  // namespace eagle
