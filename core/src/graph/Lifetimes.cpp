#include "graph/Lifetimes.h"

#include <algorithm>

namespace eagle::graph {
namespace {

class Finder {
  public:
    explicit Finder(const GraphDescription& d) : nodes_(d.nodes()), planes_(d.planes()), bodies_(d.bodies()) {
        in_loop_.resize(bodies_.size(), false);
        for (std::size_t b = 1; b < bodies_.size(); ++b)
            in_loop_[b] = in_loop_[bodies_[b].parent] || std::holds_alternative<While>(nodes_[bodies_[b].owner].work);
    }

    std::vector<Lifetime> all() const {
        std::vector<std::vector<std::uint32_t>> users(planes_.size());
        for (std::uint32_t n = 0; n < nodes_.size(); ++n)
            for (const Access& access : nodes_[n].accesses) {
                const Plane& plane = planes_[access.plane];
                if (plane.scratch && (users[plane.root].empty() || users[plane.root].back() != n))
                    users[plane.root].push_back(n);
            }
        std::vector<Lifetime> lifetimes;
        for (std::uint32_t p = 0; p < planes_.size(); ++p)
            if (!users[p].empty()) lifetimes.push_back(of(p, users[p]));
        return lifetimes;
    }

  private:
    Lifetime of(std::uint32_t plane, const std::vector<std::uint32_t>& users) const {
        std::uint32_t body = nodes_[users.front()].body;
        for (std::uint32_t n : users) body = common(body, nodes_[n].body);
        Lifetime life{plane, body, none, none, lifted(users, body)};
        // What is not written as a whole at the start of an iteration may hold what an iteration before left there.
        while (in_loop_[life.body] && !begins_anew(plane, life.nodes.front())) {
            life.body = bodies_[life.body].parent;
            life.nodes = lifted(users, life.body);
        }
        life.first = life.nodes.front();
        life.last = life.nodes.back();
        return life;
    }

    std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
        while (bodies_[a].depth > bodies_[b].depth) a = bodies_[a].parent;
        while (bodies_[b].depth > bodies_[a].depth) b = bodies_[b].parent;
        while (a != b) {
            a = bodies_[a].parent;
            b = bodies_[b].parent;
        }
        return a;
    }

    std::vector<std::uint32_t> lifted(const std::vector<std::uint32_t>& users, std::uint32_t body) const {
        std::vector<std::uint32_t> at;
        for (std::uint32_t n : users) {
            while (nodes_[n].body != body) n = bodies_[nodes_[n].body].owner;
            at.push_back(n);
        }
        std::sort(at.begin(), at.end());
        at.erase(std::unique(at.begin(), at.end()), at.end());
        return at;
    }

    // The node itself, not something inside it, writes all of the plane before it reads any.
    bool begins_anew(std::uint32_t plane, std::uint32_t node) const {
        const Extent all = planes_[plane].extent();
        const auto& accesses = nodes_[node].accesses;
        const auto mine = [&](const Access& a) { return planes_[a.plane].scratch && planes_[a.plane].root == plane; };
        return std::any_of(accesses.begin(), accesses.end(),
                           [&](const Access& a) {
                               return mine(a) && a.whole && writes(a.mode) && covers(planes_[a.plane].extent(), all);
                           }) &&
               std::none_of(accesses.begin(), accesses.end(),
                            [&](const Access& a) { return mine(a) && reads(a.mode) && !a.whole; });
    }

    std::span<const Node> nodes_;
    std::span<const Plane> planes_;
    std::span<const Body> bodies_;
    std::vector<bool> in_loop_;
};

}  // namespace

std::vector<Lifetime> lifetimes_of(const GraphDescription& description) { return Finder(description).all(); }

}  // namespace eagle::graph
