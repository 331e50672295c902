// What can be judged only when all is recorded.
#include <eagle/GraphDescription.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph/Recording.h"
#include "graph/Text.h"

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
                                                    " is an if without a then; record its then, negated if need be");
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

// May a run have both nodes? Not when they stand in two arms of one node.
bool can_meet(const Recording& r, std::uint32_t a, std::uint32_t b) {
    while (r.bodies[a].depth > r.bodies[b].depth) a = r.bodies[a].parent;
    while (r.bodies[b].depth > r.bodies[a].depth) b = r.bodies[b].parent;
    while (a != b) {
        if (r.bodies[a].owner == r.bodies[b].owner) return false;
        a = r.bodies[a].parent;
        b = r.bodies[b].parent;
    }
    return true;
}

void check_scratch_written(const Recording& r) {
    std::vector<std::vector<std::uint32_t>> writers(r.planes.size());  // bodies, by root plane
    for (const Node& node : r.nodes) {
        for (const Access& access : node.accesses) {
            const Plane& plane = r.planes[access.plane];
            if (!plane.scratch || plane.bytes == 0 || !reads(access.mode) || access.whole) continue;
            const auto& before = writers[plane.root];
            if (std::none_of(before.begin(), before.end(), [&](std::uint32_t b) { return can_meet(r, b, node.body); }))
                refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " reads " + plane_text(plane) +
                                                        " before any node wrote it; scratch is undefined at the start "
                                                        "of every replay: fill it first");
        }
        for (const Access& access : node.accesses) {
            const Plane& plane = r.planes[access.plane];
            if (!plane.scratch || !writes(access.mode)) continue;
            auto& bodies = writers[plane.root];
            if (std::find(bodies.begin(), bodies.end(), node.body) == bodies.end()) bodies.push_back(node.body);
        }
    }
}

void check_kept_written(const Recording& r) {
    std::vector<bool> written(r.planes.size(), false);
    for (const Node& node : r.nodes)
        for (const Access& access : node.accesses)
            if (writes(access.mode)) written[r.planes[access.plane].root] = true;
    for (std::size_t p = 0; p < r.planes.size(); ++p)
        if (r.planes[p].kept && !written[p])
            refuse<InvalidArgument>(r.planes[p].where, plane_text(r.planes[p]) +
                                                           " is a result of the graph, and no node writes it; write "
                                                           "it, or do not keep it");
}

}  // namespace

void GraphDescription::finish() const { recording_->lowered = true; }

void GraphDescription::check_complete() const {
    const Recording& r = *recording_;
    if (!r.broken.empty()) refuse<InvalidArgument>(r.where, r.broken);
    if (!r.open.empty())
        refuse<InvalidArgument>(r.open.back().where,
                                r.open.back().label + " is still open; end its scope before the graph is used");
    check_bodies(r);
    check_branches(r);
    check_ends(r);
    check_scratch_written(r);
    check_kept_written(r);
}

}  // namespace eagle
