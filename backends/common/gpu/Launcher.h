// Graphs that are put together, and what launches them.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "../host/Guard.h"
#include "Record.h"

namespace eagle::gpu {

// The nodes of a graph by the names that their captures gave them: the same where the graph is the capture or has taken
// it over, others where the driver copied it.
using Names = std::map<RawNode, RawNode>;

// An executable of a graph. Changes hold for the launches to come.
class Launcher {
  public:
    static constexpr std::uint8_t tag = 'L';
    static constexpr char name[] = "launcher";

    // `fitted`: kernels that follow set_logical_size.
    Launcher(std::shared_ptr<Record> graph, Names names, std::vector<RawNode> fitted, RawStream stream);
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    // All throw Failure.
    void launch();
    void synchronize() const;
    void set_stream(RawStream stream);
    void set_logical_size(std::int64_t samples);
    std::int64_t kernels_that_fit() const { return static_cast<std::int64_t>(fitted_.size()); }
    void set_enabled(RawNode node, bool enabled);
    // params[i] is the address of argument i's new value, 0 keeps it; values are copied.
    void set_arguments(RawNode node, const std::uint64_t* params, std::int64_t count);
    void set_source(RawNode node, std::uint64_t src);
    void set_guard(RawNode node, const host::Guard& guard);
    // False, and nothing has changed, when the shapes differ.
    bool update(std::shared_ptr<Record> graph);
    int device() const { return graph_->device(); }

  private:
    struct Values {  // of a kernel's parameters, where they are no longer the graph's
        std::vector<std::vector<std::byte>> bytes;
    };
    RawNode name_of_node(RawNode node) const;
    const Node& require(RawNode node) const;
    RawNode source_of(RawNode node) const;
    Values values_of(RawNode node) const;
    void apply(RawNode node, Values values);
    void set_cells(RawNode node, const GuardCells& cells);

    std::shared_ptr<Record> graph_, updated_from_;
    Names names_;
    std::vector<RawNode> fitted_;
    RawStream stream_;
    RawExec exec_ = 0;
    std::int64_t logical_size_ = 0;
    std::map<RawNode, Values> values_;
    std::set<RawNode> disabled_;
};

class Graph {
  public:
    static constexpr std::uint8_t tag = 'G';
    static constexpr char name[] = "graph";

    explicit Graph(int device);  // one empty root node, to which captures are added
    explicit Graph(std::shared_ptr<Record> captured) : graph_(std::move(captured)) {}

    void set_stream(RawStream stream);
    // Behind the last node; the record is the graph's from here on. Throws Failure when this is a capture as it is.
    void add(std::shared_ptr<Record> captured);
    std::int64_t last_node();
    std::unique_ptr<Launcher> launcher();
    int device() const { return graph_->device(); }

  private:
    void copy_in(const Record& captured, RawNode child);

    std::shared_ptr<Record> graph_;
    RawNode last_ = 0;  // 0: a capture as it is
    Names names_;
    std::vector<RawNode> fitted_;
    bool had_launcher_ = false;
    RawStream stream_ = 0;
};

}  // namespace eagle::gpu
