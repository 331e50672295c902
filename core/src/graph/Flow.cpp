// Control flow and forks.
#include <eagle/GraphDescription.h>

#include <utility>

#include "graph/Recording.h"
#include "graph/Text.h"
#include "graph/Touch.h"

namespace eagle {

using namespace graph;

namespace {

void check_cell(const Recording& recording, CellRef cell, const std::string& user, const SourceLine& where) {
    const Plane& plane = recording.plane_of(cell, user, where);
    if (plane.type != ElementType::of(Dtype::uint32) || plane.size() != 1)
        refuse<BufferRefused>(where,
                              user + " was given " + plane_text(plane) +
                                  "; a cell is one uint32: give what cell() returned, or one element of a plane");
}

// Adds the access of one cell, where there is one.
void read_cell(const Recording& recording, Node& node, CellRef cell, const char* as, bool needed = false) {
    if (!cell && !needed) return;
    check_cell(recording, cell, "node " + in_quotes(node.name) + " as its " + as, node.where);
    node.accesses.push_back({cell.plane.index, Mode::read, false, as});
}

void check_cap(const std::optional<std::uint32_t>& cap, const Node& node) {
    if (cap && *cap == 0)
        refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) +
                                                " has a cap of 0 iterations; it needs 1 or more, or none: leave the "
                                                "loop out");
}

// The loop sets its stop to 0 before it asks its guard for the first time.
void check_stop(const Recording& recording, const Node& node, CellRef stop, CellRef guard) {
    if (!stop) return;
    check_cell(recording, stop, "node " + in_quotes(node.name) + " as its stop", node.where);
    const Plane &ends = recording.plane_of(stop, "stop", node.where),
                &asks = recording.plane_of(guard, "guard", node.where);
    if (stop.plane.index == guard.plane.index || touches(ends.extent(), asks.extent()))
        refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " has " + plane_text(ends) +
                                                " as its stop and its guard, and a stop is 0 before the first "
                                                "iteration; it needs another cell as its stop, or none: a body that "
                                                "sets the guard ends the loop");
}

// What walks bodies calls itself for those inside; the deepest graph must fit the stack of a thread.
constexpr std::uint32_t max_body_depth = 256;

void check_depth(const Recording& recording, const Node& node) {
    const std::uint32_t depth = recording.bodies[recording.body()].depth;
    if (depth >= max_body_depth)
        refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " stands inside " + std::to_string(depth) +
                                                " bodies; bodies nest at most " + std::to_string(max_body_depth) +
                                                " deep: record what is inside as a loop or in one body");
}

LoopScope open_loop(const std::shared_ptr<Recording>& recording, Node node, const WhileOptions& options,
                    std::optional<Guard> guard) {
    read_cell(*recording, node, options.limit, "limit");
    if (options.stop) {
        check_cell(*recording, options.stop, "node " + in_quotes(node.name) + " as its stop", node.where);
        // The loop sets it to 0 before it asks for the first time.
        node.accesses.push_back({options.stop.plane.index, Mode::read_write, true, "stop"});
    }
    check_written(*recording, node);
    check_cap(options.cap, node);
    check_depth(*recording, node);
    const PlaneRef counter = recording->hidden(node.name, "counter", 2, ElementType::of(Dtype::uint32), node.where);
    Plane ran = recording->planes[counter.index];
    ran.name = node.name + ".iteration";
    ran.offset = ran.bytes = 4;
    ran.shape[0] = 1;
    ran.cell = ran.read_only = true;
    const CellRef iteration{recording->add(std::move(ran))};
    node.accesses.push_back({counter.index, Mode::write, true, "counter"});
    const SourceLine where = node.where;
    const std::string text = "the body of " + node_text(node);
    node.work = While{std::move(guard), options.cap, options.limit, options.stop, counter, iteration, none};
    const NodeRef made = recording->add(std::move(node));
    const std::uint32_t body = recording->add_body("body", made.index, where);
    std::get<While>(recording->nodes[made.index].work).body = body;
    return {Scope(recording, recording->enter(body, none, text, where)), made, iteration};
}

// Work between a node and one of its bodies would stand in the wrong place; the body must open where the node stands.
void check_place(const Recording& recording, const Node& node, const std::string& part, const SourceLine& where) {
    recording.check_open(where);
    if (recording.body() != node.body || recording.strand() != node.strand)
        refuse<InvalidArgument>(where, part + " of " + node_text(node) + " is opened inside " +
                                           (recording.open.empty() ? "the graph" : recording.open.back().label) +
                                           "; open it where the node was recorded");
    if (&recording.nodes[recording.bodies[node.body].nodes.back()] != &node)
        refuse<InvalidArgument>(where, part + " of " + node_text(node) + " is opened after " +
                                           node_text(recording.nodes[recording.bodies[node.body].nodes.back()]) +
                                           " was recorded; open all its bodies before the next node");
}

Scope open_body(const std::shared_ptr<Recording>& recording, std::uint32_t node, std::uint32_t& slot, std::string label,
                const SourceLine& where) {
    const std::string part = "the " + label;
    const Node& owner = recording->nodes[node];
    check_place(*recording, owner, part, where);
    if (slot != none)
        refuse<InvalidArgument>(where, part + " of " + node_text(owner) + " was recorded before (" +
                                           recording->bodies[slot].where.text() + "); record it once");
    const std::string text = part + " of " + node_text(owner);
    slot = recording->add_body(std::move(label), node, where);
    return {recording, recording->enter(slot, none, text, where)};
}

}  // namespace

IfNode GraphDescription::if_(CellRef cell, const IfOptions& options, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(options.name, "if", where), std::move(where)};
    read_cell(*recording_, node, cell, "guard", true);
    read_cell(*recording_, node, options.baseline, "baseline");
    check_depth(*recording_, node);
    node.work = If{{cell, options.baseline, options.negate}, none, none};
    return {recording_, recording_->add(std::move(node))};
}

LoopScope GraphDescription::while_(CellRef cell, const WhileOptions& options, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(options.name, "while", where), std::move(where)};
    read_cell(*recording_, node, cell, "guard", true);
    read_cell(*recording_, node, options.baseline, "baseline");
    check_stop(*recording_, node, options.stop, cell);
    return open_loop(recording_, std::move(node), options, Guard{cell, options.baseline, options.negate});
}

LoopScope GraphDescription::repeat(std::uint32_t count, std::string name, SourceLine where) {
    WhileOptions options;
    options.cap = count;
    options.name = std::move(name);
    return repeat(options, std::move(where));
}

LoopScope GraphDescription::repeat(const WhileOptions& options, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(options.name, "repeat", where), std::move(where)};
    if (options.baseline || options.negate)
        refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) +
                                                " has a baseline or is negated, and has no guard; they belong to "
                                                "while_(): leave them out");
    return open_loop(recording_, std::move(node), options, std::nullopt);
}

SwitchNode GraphDescription::switch_(CellRef cell, std::uint32_t arms, std::string name, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(std::move(name), "switch", where), std::move(where)};
    read_cell(*recording_, node, cell, "cell", true);
    if (arms < 1 || arms > 1024)
        refuse<InvalidArgument>(
            node.where, "node " + in_quotes(node.name) + " has " + std::to_string(arms) + " arms; it needs 1 to 1024");
    check_depth(*recording_, node);
    node.work = Switch{cell, std::vector<std::uint32_t>(arms, none)};
    return {recording_, recording_->add(std::move(node))};
}

graph::Fork GraphDescription::fork(std::string name, SourceLine where) {
    recording_->check_open(where);
    const auto number = static_cast<std::uint32_t>(recording_->forks.size());
    if (name.empty()) name = number == 0 ? "fork" : "fork " + std::to_string(number + 1);
    recording_->forks.push_back({std::move(name), std::move(where)});
    ForkState state;
    state.body = recording_->body();
    state.strand = recording_->strand();
    if (state.strand != none) state.before = recording_->tails[state.strand].nodes;
    state.nodes = recording_->nodes.size();
    recording_->fork_states.push_back(std::move(state));
    return {recording_, number};
}

namespace graph {

Scope IfNode::then(SourceLine where) {
    auto& work = std::get<If>(recording_->nodes[node_.index].work);
    return open_body(recording_, node_.index, work.then, "then", where);
}

Scope IfNode::otherwise(SourceLine where) {
    auto& work = std::get<If>(recording_->nodes[node_.index].work);
    return open_body(recording_, node_.index, work.otherwise, "else", where);
}

Scope SwitchNode::arm(std::uint32_t number, SourceLine where) {
    auto& work = std::get<Switch>(recording_->nodes[node_.index].work);
    if (number >= work.arms.size())
        refuse<IndexError>(where, "arm " + std::to_string(number) + " of " + node_text(recording_->nodes[node_.index]) +
                                      ", which has " + std::to_string(work.arms.size()) +
                                      "; it needs a number from 0 to " + std::to_string(work.arms.size() - 1));
    return open_body(recording_, node_.index, work.arms[number], "arm " + std::to_string(number), where);
}

Scope Fork::branch(std::string name, SourceLine where) {
    auto& state = recording_->fork_states[number_];
    const ForkPoint& point = recording_->forks[number_];
    recording_->check_open(where);
    if (name.empty()) name = "branch " + std::to_string(state.branches.size());
    const std::string part =
        "branch " + in_quotes(name) + " of fork " + in_quotes(point.name) + " (" + point.where.text() + ")";
    if (recording_->body() != state.body || recording_->strand() != state.strand)
        refuse<InvalidArgument>(where, part + " is opened inside " +
                                           (recording_->open.empty() ? "the graph" : recording_->open.back().label) +
                                           "; open it where the fork was made, after the branch before it ended");
    if (recording_->nodes.size() != state.nodes)
        refuse<InvalidArgument>(where, part + " is opened after " + node_text(recording_->nodes.back()) +
                                           " was recorded outside; open all branches one after the other");
    const auto strand = static_cast<std::uint32_t>(recording_->strands.size());
    const std::uint32_t depth = state.strand == none ? 0 : recording_->strands[state.strand].depth + 1;
    recording_->strands.push_back({name, number_, state.strand, depth, state.body, where});
    recording_->tails.push_back({state.before});
    state.branches.push_back(strand);
    return {recording_, recording_->enter(state.body, strand, part, where)};
}

}  // namespace graph
}  // namespace eagle
