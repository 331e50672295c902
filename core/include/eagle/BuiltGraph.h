// A graph that was lowered onto a device and replays.
#pragma once
#include <eagle/ExecGraph.h>
#include <eagle/GraphAnalysis.h>
#include <eagle/export.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace eagle {

// How changes came into the executable, and how often it ran.
struct EAGLE_API ReplayReport {
    std::uint64_t launches = 0;
    std::uint64_t repointed = 0;  // nodes changed by the launcher's own calls
    std::uint64_t updated = 0;    // captures that the executable took over
    std::uint64_t captured = 0;   // captures that it was made of anew, the first included
    std::string last;             // what the last change needed, and why, in a sentence; empty before the first
    std::string text() const;
};

struct EAGLE_API MemoryReport {
    std::uint64_t arena = 0;            // bytes that the graph allocated where it runs
    std::uint64_t without_sharing = 0;  // what its scratch would take if no two planes shared bytes
    std::uint64_t planes = 0;           // bytes of the caller's planes that its nodes use
    std::size_t owners = 0;             // what it keeps alive of the caller's: arrays, pinned blocks
    std::string text() const;
};

// A new array for a plane, and who keeps its memory alive (null: the caller does).
struct Binding {
    std::string_view plane;
    ArrayView array;
    std::shared_ptr<const void> owner;
};

struct LowerOptions {
    // Streams side by side in one body, at most; what is wider shares them.
    std::uint32_t branches = 16;
    // Kept alive as long as the graph: owners of arrays, pinned blocks, modules of bare functions.
    std::vector<std::shared_ptr<const void>> owners;
};

// Move-only. It owns the executor, the description, the callables and the kernels' modules; arrays stay the caller's
// unless their owners are given. One caller at a time: a second entry throws Busy. Destroying it waits for replays that
// run; inside a capture of its thread that is put off until the capture ends.
class EAGLE_API BuiltGraph {
  public:
    ~BuiltGraph();
    BuiltGraph(BuiltGraph&&) noexcept;
    BuiltGraph& operator=(BuiltGraph&&) noexcept;

    // Replays `times` times, one after the other. On a host kind it returns when the work is done, and raises what a
    // host function threw and what a kernel faulted with; on a device kind it waits, by an event, for what is on the
    // default stream, returns once the work is enqueued, and an exception of a host function is raised by the next
    // launch() or synchronize(), a fault by synchronize().
    BuiltGraph& launch(std::int64_t times = 1);
    // On a host kind the replays run on another thread, while this one asks `poll` every 20 ms. When that returns true,
    // or throws, the loops of the graph end after the iteration that runs, as if a stop cell said so (a stop cell of
    // the graph's own is then left set), what comes after them is done, and Interrupted is thrown, whose done() is how
    // many replays were whole. On a device kind, and for a graph without loops, `poll` is asked before each replay but
    // the first.
    BuiltGraph& launch(std::int64_t times, const Poll& poll);
    // The same behind what is on `stream` (raw), and what is put there afterwards waits for the replays.
    BuiltGraph& launch_on(std::uint64_t stream, std::int64_t times = 1);
    void synchronize();

    // New arrays for planes of the caller's, all at once: same shape, strides, type and device, writable where a node
    // writes. They must share memory with the graph's other planes as the old ones did: the order of nodes follows from
    // it. Throws LayoutError, BufferRefused, ArgumentError (no such plane), InvalidArgument, and changes nothing then.
    // The owner of an array that was bound before is let go of when the replays that use it are done.
    BuiltGraph& bind(std::span<const Binding> bindings);
    BuiltGraph& bind(std::string_view plane, const ArrayView& array, std::shared_ptr<const void> owner = nullptr);
    // Keeps `owner` until all that was launched so far is done; a call after that lets go of it.
    BuiltGraph& keep_until_done(std::shared_ptr<const void> owner);
    // A new value for every number that was recorded as updatable under that name. Throws ArgumentError when there is
    // none, InvalidArgument when it does not survive as the parameter's type.
    BuiltGraph& update(std::string_view name, double value);
    BuiltGraph& update(std::string_view name, std::int64_t value);
    BuiltGraph& update(std::string_view name, int value) { return update(name, std::int64_t{value}); }
    // The bytes of an argument of a bare function.
    BuiltGraph& update(std::string_view name, std::span<const std::byte> bytes);
    // Launches, copies, fills and reductions take part in replays or are left out. Throws ArgumentError for a name that
    // no node of the graph has, InvalidArgument for another kind of node.
    BuiltGraph& set_enabled(std::string_view node, bool enabled);

    // These may be asked from any thread while another replays or changes the graph.
    ReplayReport report() const;
    MemoryReport memory_report() const;
    const GraphDescription& description() const;
    const GraphAnalysis& analysis() const;
    // Where a plane's element [0, 0, ...] is: of the array that is bound, or in the arena.
    std::uint64_t address(graph::PlaneRef plane) const;
    // The plane as an array, there; of scratch, on the device that the graph runs on.
    ArrayView array(graph::PlaneRef plane) const;

    // The executor, with its arena and its table of native nodes.
    const Executor& executor() const;

    struct State;
    explicit BuiltGraph(std::unique_ptr<State> state);

  private:
    State& state() const;
    std::unique_ptr<State> state_;
};

// Lowers a description onto an executor whose arena is not committed: checks the whole, plans and commits the arena,
// captures with forks from the width of the graph, marks and waits for its edges, conditionals nested. Nothing runs.
// Throws what analyze() throws; BufferRefused when the planes live elsewhere than the executor's device;
// BackendUnavailable naming the node and what the backend does not provide; OutOfMemory with the arena's bytes.
EAGLE_API BuiltGraph lower(std::shared_ptr<const GraphDescription> description, Executor executor,
                           const LowerOptions& options = {});
// The same for a graph of a kind: eagle::lower(std::move(description), eagle::Graph()).
template <ExecGraph G>
BuiltGraph lower(GraphDescription description, G graph, const LowerOptions& options = {}) {
    return lower(std::make_shared<const GraphDescription>(std::move(description)), Executor(std::move(graph)), options);
}

// On the backend of `kind`, whose device the planes name; an empty kind is that of the planes (the host's where all are
// scratch), and "gpu" the one GPU kind that is installed. Throws what the loader and lower() throw.
EAGLE_API BuiltGraph build(std::shared_ptr<const GraphDescription> description, std::string_view kind = {},
                           const LowerOptions& options = {});

}  // namespace eagle
