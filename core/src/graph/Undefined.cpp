#include "graph/Undefined.h"

#include <algorithm>
#include <map>
#include <optional>

#include "graph/Bytes.h"
#include "graph/Text.h"

namespace eagle::graph {
namespace {

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

// The outermost of the bodies around `inner` that `outer` is not in; none when there is none.
std::uint32_t body_apart(const Recording& r, std::uint32_t inner, std::uint32_t outer) {
    const auto is_around = [&](std::uint32_t body) {
        std::uint32_t at = outer;
        while (at != body && at != 0) at = r.bodies[at].parent;
        return at == body;
    };
    std::uint32_t apart = none;
    for (std::uint32_t b = inner; b != 0 && b != none && !is_around(b); b = r.bodies[b].parent) apart = b;
    return apart;
}

// Whether the cell is 0 when a node is reached for the first time, where that follows from what is recorded: it counts
// the iterations of a loop around the node, or a fill just before gave it a value.
std::optional<bool> is_zero_at_first(const Recording& r, const Node& node, CellRef cell) {
    for (std::uint32_t b = node.body; b != 0; b = r.bodies[b].parent)
        if (const auto* loop = std::get_if<While>(&r.nodes[r.bodies[b].owner].work);
            loop != nullptr && loop->iteration.plane == cell.plane)
            return true;
    const Extent extent = r.planes[cell.plane.index].extent();
    const auto& row = r.bodies[node.body].nodes;
    for (auto at = std::find(row.begin(), row.end(), static_cast<std::uint32_t>(&node - r.nodes.data()));
         at != row.begin();) {
        const Node& before = r.nodes[*--at];
        if (before.conditional()) return std::nullopt;
        const bool meets = std::any_of(before.accesses.begin(), before.accesses.end(), [&](const Access& access) {
            return writes(access.mode) && touches(r.planes[access.plane].extent(), extent);
        });
        if (!meets) continue;
        const auto* fill = std::get_if<Fill>(&before.work);
        if (fill == nullptr || !covers(r.planes[fill->plane.index].extent(), extent)) return std::nullopt;
        const std::uint64_t from = extent.begin - r.planes[fill->plane.index].extent().begin;
        bool is_zero = true;
        for (std::uint64_t i = 0; i < extent.run; ++i)
            is_zero = is_zero && fill->pattern[(from + i) % fill->pattern.size()] == std::byte{0};
        return is_zero;
    }
    return std::nullopt;
}

std::optional<bool> holds_at_first(const Recording& r, const Node& node, const Guard& guard) {
    if (guard.baseline) return std::nullopt;
    const auto is_zero = is_zero_at_first(r, node, guard.cell);
    return is_zero ? std::optional(*is_zero == guard.negate) : std::nullopt;
}

class Walk {
  public:
    explicit Walk(const Recording& r) : r_(r), written_(r.planes.size()), writers_(r.planes.size()) {}

    void go() {
        body(0);
        for (const std::uint32_t result : r_.results) check_result(r_.planes[result]);
    }

  private:
    using Changes = std::map<std::uint32_t, Bytes>;  // by root

    void body(std::uint32_t body) {
        for (const std::uint32_t n : r_.bodies[body].nodes) node(n);
    }

    void node(std::uint32_t index) {
        const Node& node = r_.nodes[index];
        for (const Access& access : node.accesses)
            if (reads(access.mode) && !access.whole) check_read(node, r_.planes[access.plane]);
        for (const Access& access : node.accesses)
            if (writes(access.mode)) write(index, r_.planes[access.plane]);
        if (const auto* chosen = std::get_if<If>(&node.work)) {
            const auto holds = holds_at_first(r_, node, chosen->guard);
            const Changes then = apart(chosen->then), otherwise = apart(chosen->otherwise);
            set(holds ? *holds ? then : otherwise : common({then, otherwise}));
        } else if (const auto* of = std::get_if<Switch>(&node.work)) {
            std::vector<Changes> arms;
            for (const std::uint32_t arm : of->arms) arms.push_back(apart(arm));
            set(common(std::move(arms)));
        } else if (const auto* loop = std::get_if<While>(&node.work)) {
            const Changes made = apart(loop->body);
            if (!loop->limit && (!loop->guard || holds_at_first(r_, node, *loop->guard) == true)) set(made);
        }
    }

    // What a body writes, which is undone.
    Changes apart(std::uint32_t of) {
        if (of == none) return {};
        undo_.emplace_back();
        body(of);
        Changes made = std::move(undo_.back());
        undo_.pop_back();
        for (auto& [root, before] : made) std::swap(written_[root], before);
        return made;
    }

    static Changes common(std::vector<Changes> arms) {
        Changes all = std::move(arms.front());
        for (std::size_t i = 1; i < arms.size(); ++i)
            for (auto change = all.begin(); change != all.end();) {
                const auto other = arms[i].find(change->first);
                if (other == arms[i].end()) {
                    change = all.erase(change);
                } else {
                    change->second = change->second.common_with(other->second);
                    ++change;
                }
            }
        return all;
    }

    void set(const Changes& changes) {
        for (const auto& [root, bytes] : changes) change(root).add(bytes);
    }

    Bytes& change(std::uint32_t root) {
        if (!undo_.empty()) undo_.back().try_emplace(root, written_[root]);
        return written_[root];
    }

    void write(std::uint32_t index, const Plane& plane) {
        const Extent extent = plane.extent();
        if (!plane.scratch || extent.empty()) return;
        writers_[plane.root].push_back(index);
        const Bytes::Range hull{extent.begin, extent.end()};
        if (written_[plane.root].holds(hull)) return;
        const auto bytes = Bytes::of(extent);
        bytes ? change(plane.root).add(*bytes) : change(plane.root).add(hull);
    }

    void check_read(const Node& node, const Plane& plane) const {
        if (!plane.scratch) return;
        const auto gap = gap_of(plane);
        if (!gap) return;
        const std::string text = "node " + in_quotes(node.name) + " reads " + plane_text(as_declared(plane));
        const std::string why = "; scratch is undefined at the start of every replay: ";
        const Node* writer = writer_of(plane, *gap, node.body);
        if (writer != nullptr)
            refuse<InvalidArgument>(node.where, text + ", which " + where_alone(*writer, node.body) + why +
                                                    "write it in every body, or fill it before");
        if (no_writer(plane.root, node.body))
            refuse<InvalidArgument>(node.where, text + " before any node wrote it" + why + "fill it first");
        refuse<InvalidArgument>(node.where,
                                text + " before any node wrote " + part_text(plane, *gap) + why + "fill it first");
    }

    void check_result(const Plane& plane) const {
        const auto gap = gap_of(plane);
        if (!gap) return;
        const std::string text = plane_text(plane) + " is a result of the graph, and ";
        const Node* writer = writer_of(plane, *gap, 0);
        if (writer != nullptr)
            refuse<InvalidArgument>(plane.where,
                                    text + where_alone(*writer, 0) + "; write it in every body, or fill it before");
        refuse<InvalidArgument>(plane.where,
                                text + "no node writes " +
                                    (no_writer(plane.root, 0) ? std::string("it") : part_text(plane, *gap)) +
                                    "; write it, or do not keep it");
    }

    // Of a cell that is half of a wider integer, the plane that was declared.
    const Plane& as_declared(const Plane& plane) const {
        const Plane& root = r_.planes[plane.root];
        return plane.cell && root.type != plane.type ? root : plane;
    }

    std::optional<Bytes::Range> gap_of(const Plane& plane) const {
        const Extent extent = plane.extent();
        const Bytes& written = written_[plane.root];
        if (extent.empty() || written.holds({extent.begin, extent.end()})) return std::nullopt;
        const auto wanted = Bytes::of(extent);
        return wanted ? written.missing(*wanted) : std::nullopt;
    }

    bool no_writer(std::uint32_t root, std::uint32_t body) const {
        const auto& known = writers_[root];
        return std::none_of(known.begin(), known.end(),
                            [&](std::uint32_t w) { return can_meet(r_, r_.nodes[w].body, body); });
    }

    // The last node that may have written in the gap, on some other way.
    const Node* writer_of(const Plane& plane, const Bytes::Range& gap, std::uint32_t body) const {
        const auto& known = writers_[plane.root];
        for (auto w = known.rbegin(); w != known.rend(); ++w) {
            const Node& node = r_.nodes[*w];
            if (!can_meet(r_, node.body, body) || body_apart(r_, node.body, body) == none) continue;
            for (const Access& access : node.accesses) {
                const Plane& of = r_.planes[access.plane];
                if (!writes(access.mode) || !of.scratch || of.root != plane.root) continue;
                const auto bytes = Bytes::of(of.extent());
                Bytes there;
                there.add(gap);
                if (bytes && !bytes->common_with(there).ranges().empty()) return &node;
            }
        }
        return nullptr;
    }

    std::string where_alone(const Node& writer, std::uint32_t body) const {
        const Body& of = r_.bodies[body_apart(r_, writer.body, body)];
        return node_text(writer) + " writes only where the " + of.label + " of " + node_text(r_.nodes[of.owner]) +
               " runs";
    }

    std::string part_text(const Plane& plane, const Bytes::Range& gap) const {
        const Plane& root = r_.planes[plane.root];
        const std::uint64_t item = root.item_bytes(), first = gap.first / item, last = (gap.second - 1) / item;
        const std::string part = first == last ? "element " + std::to_string(first)
                                               : "elements " + std::to_string(first) + " to " + std::to_string(last);
        return part + " of " + (&root == &plane ? "it" : in_quotes(root.name));
    }

    const Recording& r_;
    std::vector<Bytes> written_;                       // by root, on every way
    std::vector<std::vector<std::uint32_t>> writers_;  // by root, on any
    std::vector<Changes> undo_;                        // by open body: what was written before it
};

}  // namespace

void check_scratch(const Recording& recording) { Walk(recording).go(); }

}  // namespace eagle::graph
