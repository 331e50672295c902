// What can be judged only when all is recorded.
#include <eagle/GraphDescription.h>

#include <algorithm>
#include <vector>

#include "graph/Recording.h"
#include "graph/Text.h"
#include "graph/Undefined.h"

namespace eagle {

using namespace graph;

namespace {

void check_bodies(const Recording& r) {
    if (r.nodes.empty())
        refuse<InvalidArgument>(r.where, "graph " + in_quotes(r.name) + " has no node; it needs 1 or more");
    for (const Body& body : r.bodies)
        if (body.nodes.empty())
            refuse<InvalidArgument>(body.where, "the " + body.label + " of " + node_text(r.nodes[body.owner]) +
                                                    " is empty; it needs 1 node or more: record its work, or leave "
                                                    "it out");
    for (const Node& node : r.nodes) {
        if (const auto* branch = std::get_if<If>(&node.work); branch != nullptr && branch->then == none)
            refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) +
                                                    " is an if without a then; record what runs then in its then() (in "
                                                    "Python `with branch.then:`), negated if need be");
        if (const auto* of = std::get_if<Switch>(&node.work))
            for (std::size_t arm = 0; arm < of->arms.size(); ++arm)
                if (of->arms[arm] == none)
                    refuse<InvalidArgument>(node.where, "arm " + std::to_string(arm) + " of " + node_text(node) +
                                                            " was not recorded; each of its " +
                                                            std::to_string(of->arms.size()) + " arms needs a body");
    }
}

void check_branches(const Recording& r) {
    std::vector<bool> used(r.strands.size(), false);
    for (const Node& node : r.nodes)
        for (std::uint32_t s = node.strand; s != none && !used[s]; s = r.strands[s].parent) used[s] = true;
    for (std::size_t s = 0; s < r.strands.size(); ++s)
        if (!used[s])
            refuse<InvalidArgument>(r.strands[s].where, "branch " + in_quotes(r.strands[s].label) + " of fork " +
                                                            in_quotes(r.forks[r.strands[s].fork].name) + " (" +
                                                            r.forks[r.strands[s].fork].where.text() +
                                                            ") is empty; it needs 1 node or more: leave it out");
    for (std::size_t f = 0; f < r.forks.size(); ++f)
        if (r.fork_states[f].branches.empty())
            refuse<InvalidArgument>(r.forks[f].where, "fork " + in_quotes(r.forks[f].name) +
                                                          " has no branch; open one with branch(), or leave it out");
}

bool inside(const Recording& r, std::uint32_t body, std::uint32_t outer) {
    while (body != outer && body != 0) body = r.bodies[body].parent;
    return body == outer;
}

bool written_inside(const Recording& r, std::uint32_t body, CellRef cell) {
    if (!cell) return false;
    const Extent extent = r.planes[cell.plane.index].extent();
    return std::any_of(r.nodes.begin(), r.nodes.end(), [&](const Node& node) {
        return inside(r, node.body, body) &&
               std::any_of(node.accesses.begin(), node.accesses.end(), [&](const Access& access) {
                   return writes(access.mode) && touches(r.planes[access.plane].extent(), extent);
               });
    });
}

void check_ends(const Recording& r) {
    for (const Node& node : r.nodes) {
        const auto* loop = std::get_if<While>(&node.work);
        if (loop == nullptr || loop->cap || loop->limit) continue;
        if (written_inside(r, loop->body, loop->stop)) continue;
        if (loop->guard &&
            (written_inside(r, loop->body, loop->guard->cell) || written_inside(r, loop->body, loop->guard->baseline)))
            continue;
        refuse<InvalidArgument>(node.where, "nothing can end node " + in_quotes(node.name) +
                                                ": it has no cap and no limit, and its body writes " +
                                                (loop->guard ? "neither its guard nor a stop cell" : "no stop cell") +
                                                "; give it a cap, or write such a cell in the body");
    }
}

}  // namespace

void GraphDescription::finish() const { recording_->lowered = true; }

void GraphDescription::abandon(std::string_view part, SourceLine where) {
    if (recording_->broken.empty()) recording_->broken = left_by_an_exception(part, where);
}

void GraphDescription::check_complete() const {
    const Recording& r = *recording_;
    if (!r.broken.empty()) refuse<InvalidArgument>(r.where, r.broken);
    if (!r.open.empty())
        refuse<InvalidArgument>(r.open.back().where,
                                r.open.back().label + " is still open; end its scope before the graph is used");
    check_bodies(r);
    check_branches(r);
    check_ends(r);
    check_scratch(r);
}

}  // namespace eagle
