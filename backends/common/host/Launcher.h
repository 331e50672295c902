// Graphs that are put together, and what launches them.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "Program.h"
#include "RecordedGraph.h"
#include "Streams.h"

namespace eagle::host {

// An executable of a graph. Changes hold for the launches to come: replays that are still queued run as they were put.
class Launcher {
  public:
    static constexpr std::uint8_t tag = 'L';
    static constexpr char name[] = "launcher";

    Launcher(std::shared_ptr<const RecordedGraph> graph, bool fits_sizes, std::uint64_t stream);
    std::int32_t device() const { return names_->device(); }
    // All throw Failure.
    void launch();
    void synchronize() const;
    void set_stream(std::uint64_t stream);
    void set_logical_size(std::int64_t samples);
    std::int64_t kernels_that_fit() const { return program_->kernels_that_fit(); }
    void set_enabled(std::uint64_t node, bool enabled);
    // params[i] is the address of argument i's new value, 0 keeps it. Copied where sizes were given at the launch,
    // otherwise the address is kept.
    void set_arguments(std::uint64_t node, const std::uint64_t* params, std::int64_t count);
    void set_source(std::uint64_t node, std::uint64_t src);
    void set_guard(std::uint64_t node, const Guard& guard);
    // False, and nothing has changed, when the shapes differ.
    bool update(std::shared_ptr<const RecordedGraph> graph);

  private:
    struct Change {
        std::optional<bool> enabled;
        std::shared_ptr<const KeptArguments> arguments;
        std::uint64_t src = 0;
        std::optional<Guard> guard;
    };
    using Count = std::atomic<std::int64_t>;

    std::shared_ptr<Program> make(const RecordedGraph& source) const;
    static void apply(Program::Place place, const Change& change);
    // The node's place in a program that no queued replay runs.
    Program::Place place_of(std::uint64_t node);
    void make_editable();
    Task queued() const;

    std::shared_ptr<const RecordedGraph> names_, source_;
    bool fits_sizes_;
    Schedule schedule_;
    std::uint64_t stream_;
    std::int64_t logical_size_ = 0;
    std::map<std::uint64_t, Change> changes_;
    std::shared_ptr<Program> program_;
    std::shared_ptr<Count> queued_ = std::make_shared<Count>(0);  // replays that wait on a stream or run from one
};

class Graph {
  public:
    static constexpr std::uint8_t tag = 'G';
    static constexpr char name[] = "graph";

    // One empty root node, to which captures are added.
    explicit Graph(std::int32_t device);
    // The capture as it is.
    explicit Graph(std::shared_ptr<const RecordedGraph> captured) : captured_(std::move(captured)) {}

    void set_stream(std::uint64_t stream);
    // Behind the last node. Throws Failure when this is a capture as it is.
    void add(std::shared_ptr<const RecordedGraph> captured);
    std::int64_t last_node() const;
    std::unique_ptr<Launcher> launcher();

  private:
    const RecordedGraph& graph() const { return captured_ ? *captured_ : *built_; }

    std::shared_ptr<const RecordedGraph> captured_;
    std::shared_ptr<RecordedGraph> built_;
    bool is_shared_ = false;  // a launcher has what was built so far
    bool had_launcher_ = false;
    std::uint64_t stream_ = 0;
};

}  // namespace eagle::host
