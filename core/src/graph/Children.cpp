// A description as a node of another.
#include <eagle/GraphAnalysis.h>
#include <eagle/GraphDescription.h>

#include <algorithm>
#include <string>
#include <utility>

#include "graph/Recording.h"
#include "graph/Text.h"
#include "graph/Touch.h"

namespace eagle {

using namespace graph;

namespace {

// What walks children calls itself for those inside; the deepest must fit the stack of a thread.
constexpr std::uint32_t max_child_depth = 512;

// Of the graph with this child.
std::uint32_t depth_above(std::uint32_t child, const std::string& user, const SourceLine& where) {
    if (child < max_child_depth) return child + 1;
    refuse<InvalidArgument>(where, user + " has a child with " + std::to_string(child) +
                                       " graphs in each other; graphs nest at most " + std::to_string(max_child_depth) +
                                       " deep: record the children one after the other in one graph");
}

}  // namespace

NodeRef GraphDescription::child(std::shared_ptr<const GraphDescription> graph, std::string name, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(std::move(name), graph ? graph->name() : "child", where), std::move(where)};
    const std::string user = "node " + in_quotes(node.name);
    if (graph == nullptr) refuse<InvalidArgument>(node.where, user + " has no graph; it needs a finished description");
    if (graph->id() == recording_->id)
        refuse<InvalidArgument>(node.where, user + " has its own graph as its child; it needs another one");
    for (const Node& inner : graph->nodes()) check_child_node(*recording_, node, inner);
    for (const Plane& plane : graph->planes())
        if (plane.kept)
            refuse<InvalidArgument>(node.where, user + " has a child that keeps its scratch " + plane_text(plane) +
                                                    "; a child's scratch is its own for one replay: let the child "
                                                    "write a plane of the caller's");
    const std::uint32_t depth = depth_above(graph->recording_->depth, user, node.where);
    const ArenaPlan arena = at_line(node.where, user, [&] { return plan_arena(*graph, analyze(*graph)); });
    graph->recording_->frozen = true;
    recording_->depth = std::max(recording_->depth, depth);
    import_accesses(*recording_, node, *graph);
    Child child{std::move(graph), {}};
    if (arena.bytes != 0) {
        child.arena =
            recording_->hidden(node.name, "arena", arena.bytes, {TypeCode::unsigned_integer, 8, 1, false}, node.where);
        node.accesses.push_back({child.arena.index, Mode::read_write, true, "arena"});
    }
    node.work = std::move(child);
    return recording_->add(std::move(node));
}

}  // namespace eagle
