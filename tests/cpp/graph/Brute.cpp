#include "Brute.h"

#include <algorithm>
#include <functional>
#include <map>

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

namespace {

using Bytes = std::set<std::pair<std::uint64_t, std::uint64_t>>;  // space, byte

struct Marks {
    Bytes read, written;
};

void mark(const GraphDescription& d, std::uint32_t node, Marks& marks) {
    for (const Access& access : d.nodes()[node].accesses) {
        const Plane& plane = d.planes()[access.plane];
        const std::uint64_t space = plane.scratch ? plane.root + 1 : 0;
        for (std::uint64_t byte : bytes_of(plane)) {
            if (reads(access.mode)) marks.read.emplace(space, byte);
            if (writes(access.mode)) marks.written.emplace(space, byte);
        }
    }
    for (std::uint32_t body : d.nodes()[node].bodies())
        for (std::uint32_t inner : d.bodies()[body].nodes) mark(d, inner, marks);
}

bool meet(const Bytes& a, const Bytes& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& byte) { return b.count(byte) != 0; });
}

bool conflict(const Marks& a, const Marks& b) {
    return meet(a.written, b.written) || meet(a.written, b.read) || meet(a.read, b.written);
}

// reach[a][b]: b comes after a.
std::vector<std::vector<bool>> closure(std::size_t n, const std::vector<Pair>& edges) {
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
    for (auto [from, to] : edges) reach[from][to] = true;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            if (reach[i][k])
                for (std::size_t j = 0; j < n; ++j)
                    if (reach[k][j]) reach[i][j] = true;
    return reach;
}

std::vector<Pair> all_pairs(const GraphDescription& d) {
    std::vector<Marks> marks(d.nodes().size());
    for (std::uint32_t n = 0; n < marks.size(); ++n) mark(d, n, marks[n]);
    std::vector<Pair> pairs;
    for (const Body& body : d.bodies())
        for (std::uint32_t to : body.nodes) {
            for (std::uint32_t from : body.nodes)
                if (from < to && conflict(marks[from], marks[to])) pairs.emplace_back(from, to);
            for (std::uint32_t from : d.nodes()[to].after) pairs.emplace_back(from, to);
        }
    return pairs;
}

// The chain of (body, node that stands for it) from the graph down to a node.
std::vector<Pair> path(const GraphDescription& d, std::uint32_t node) {
    std::vector<Pair> up;
    for (std::uint32_t n = node; n != none; n = d.bodies()[d.nodes()[n].body].owner)
        up.emplace_back(d.nodes()[n].body, n);
    std::reverse(up.begin(), up.end());
    return up;
}

}  // namespace

std::set<std::uint64_t> bytes_of(const Plane& plane) {
    const std::uint64_t first = plane.scratch ? plane.offset : plane.address;
    std::set<std::uint64_t> starts;
    if (plane.size() == 0) return starts;
    starts.insert(first);
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        std::set<std::uint64_t> more;
        for (std::uint64_t start : starts)
            for (std::int64_t k = 0; k < plane.shape[static_cast<std::size_t>(i)]; ++k)
                more.insert(start + static_cast<std::uint64_t>(k * plane.strides[static_cast<std::size_t>(i)]));
        starts = std::move(more);
    }
    std::set<std::uint64_t> bytes;
    for (std::uint64_t start : starts)
        for (std::uint64_t b = 0; b < plane.item_bytes(); ++b) bytes.insert(start + b);
    return bytes;
}

std::vector<Pair> brute_edges(const GraphDescription& d) {
    const auto pairs = all_pairs(d);
    const std::size_t n = d.nodes().size();
    const auto reach = closure(n, pairs);
    std::vector<Pair> kept;
    for (auto [from, to] : std::set<Pair>(pairs.begin(), pairs.end())) {
        bool follows = false;
        for (std::size_t k = 0; k < n; ++k) follows = follows || (reach[from][k] && reach[k][to]);
        if (!follows) kept.emplace_back(from, to);
    }
    std::sort(kept.begin(), kept.end(),
              [](Pair a, Pair b) { return Pair{a.second, a.first} < Pair{b.second, b.first}; });
    return kept;
}

namespace {

// May the bytes of two planes be the same? For each two users: in the body where their paths part, one comes before
// the other, always the same way round; or they stand in two arms of one node, of which one runs.
class Apart {
  public:
    explicit Apart(const GraphDescription& d) : reach_(closure(d.nodes().size(), all_pairs(d))) {
        users_.resize(d.planes().size());
        for (std::uint32_t n = 0; n < d.nodes().size(); ++n)
            for (const Access& access : d.nodes()[n].accesses)
                if (d.planes()[access.plane].scratch) users_[d.planes()[access.plane].root].push_back(n);
        for (std::uint32_t n = 0; n < d.nodes().size(); ++n) paths_.push_back(path(d, n));
    }
    const std::vector<std::uint32_t>& users(std::uint32_t plane) const { return users_[plane]; }

    bool planes(std::uint32_t a, std::uint32_t b) const {
        bool forward = true, backward = true, exclusive = true;
        for (std::uint32_t x : users_[a])
            for (std::uint32_t y : users_[b]) {
                const auto &p = paths_[x], &q = paths_[y];
                std::size_t i = 0;
                while (i < p.size() && i < q.size() && p[i] == q[i]) ++i;
                if (i < p.size() && i < q.size() && p[i].first != q[i].first) {
                    forward = backward = false;  // bodies of one node
                    continue;
                }
                exclusive = false;
                if (i == p.size() || i == q.size()) return false;  // one node uses both, itself or inside
                forward = forward && reach_[p[i].second][q[i].second];
                backward = backward && reach_[q[i].second][p[i].second];
            }
        return forward || backward || exclusive;
    }

  private:
    std::vector<std::vector<Pair>> paths_;  // by node
    std::vector<std::vector<bool>> reach_;
    std::vector<std::vector<std::uint32_t>> users_;
};

// The rule itself, by lifetimes and edges: all nodes of the one come before all nodes of the other in the body that has
// both (a conditional node for what is inside it), or they stand in two bodies of one node.
class Rule {
  public:
    explicit Rule(const GraphDescription& d) : d_(d), lives_(d.planes().size()) {
        const GraphAnalysis analysis = analyze(d);
        for (const Lifetime& life : analysis.lifetimes) lives_[life.plane] = life;
        std::vector<Pair> edges;
        for (const Edge& edge : analysis.edges) edges.emplace_back(edge.from, edge.to);
        reach_ = closure(d.nodes().size(), edges);
    }
    bool used(std::uint32_t plane) const { return !lives_[plane].nodes.empty(); }
    bool may_share(std::uint32_t a, std::uint32_t b) const {
        if (d_.planes()[a].kept || d_.planes()[b].kept) return false;
        Lifetime x = lives_[a], y = lives_[b];
        while (depth(x) > depth(y)) lift(x);
        while (depth(y) > depth(x)) lift(y);
        while (x.body != y.body) {
            if (d_.bodies()[x.body].owner == d_.bodies()[y.body].owner) return true;
            lift(x);
            lift(y);
        }
        return before(x, y) || before(y, x);
    }

  private:
    std::uint32_t depth(const Lifetime& life) const { return d_.bodies()[life.body].depth; }
    void lift(Lifetime& life) const {
        life.nodes = {d_.bodies()[life.body].owner};
        life.body = d_.bodies()[life.body].parent;
    }
    bool before(const Lifetime& x, const Lifetime& y) const {
        return std::all_of(x.nodes.begin(), x.nodes.end(), [&](std::uint32_t from) {
            return std::all_of(y.nodes.begin(), y.nodes.end(), [&](std::uint32_t to) { return reach_[from][to]; });
        });
    }
    const GraphDescription& d_;
    std::vector<std::vector<bool>> reach_;
    std::vector<Lifetime> lives_;  // by plane
};

}  // namespace

std::string arena_fault(const GraphDescription& d, const ArenaPlan& plan) {
    const Apart apart(d);
    const Rule rule(d);
    std::vector<std::uint32_t> placed;
    for (std::uint32_t p = 0; p < d.planes().size(); ++p) {
        const Plane& plane = d.planes()[p];
        if (!plane.scratch || plane.root != p || apart.users(p).empty() || plane.bytes == 0) continue;
        if (plan.offsets[p] % ArenaPlan::alignment != 0) return plane.name + " is not aligned";
        if (plan.offsets[p] + plane.bytes > plan.bytes) return plane.name + " reaches outside";
        placed.push_back(p);
    }
    for (std::uint32_t a : placed)
        for (std::uint32_t b : placed) {
            if (a >= b) continue;
            const bool overlap = plan.offsets[a] < plan.offsets[b] + d.planes()[b].bytes &&
                                 plan.offsets[b] < plan.offsets[a] + d.planes()[a].bytes;
            if (overlap && !(apart.planes(a, b) && rule.may_share(a, b)))
                return d.planes()[a].name + " and " + d.planes()[b].name;
        }
    return "";
}

std::uint64_t largest_first(const GraphDescription& d) {
    const Rule rule(d);
    struct Put {
        std::uint32_t plane;
        std::uint64_t bytes, offset;
    };
    std::vector<Put> planes;
    for (std::uint32_t p = 0; p < d.planes().size(); ++p)
        if (d.planes()[p].scratch && d.planes()[p].root == p && rule.used(p) && d.planes()[p].bytes != 0)
            planes.push_back({p, (d.planes()[p].bytes + 255) / 256 * 256, 0});
    std::stable_sort(planes.begin(), planes.end(), [](const Put& a, const Put& b) { return a.bytes > b.bytes; });
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        std::map<std::uint64_t, std::uint64_t> taken;  // end by offset
        for (std::size_t j = 0; j < i; ++j)
            if (!rule.may_share(planes[i].plane, planes[j].plane)) {
                auto& end = taken[planes[j].offset];
                end = std::max(end, planes[j].offset + planes[j].bytes);
            }
        std::uint64_t end = 0, gap = ~std::uint64_t{0};
        for (const auto& [begin, after] : taken) {
            if (begin >= end + planes[i].bytes && begin - end < gap) {
                gap = begin - end;
                planes[i].offset = end;
            }
            end = std::max(end, after);
        }
        if (gap == ~std::uint64_t{0}) planes[i].offset = end;
        all = std::max(all, planes[i].offset + planes[i].bytes);
    }
    return all;
}

}  // namespace graphtest
