#include "graph/Order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "graph/History.h"

namespace eagle::graph {
namespace {

// The extents that a body touches, told apart, and grouped so that extents of two groups have no byte in common.
class Groups {
  public:
    // The number of an extent.
    std::uint32_t add(const Extent& extent) {
        const auto key = std::tuple{extent.space, extent.begin, extent.run, extent.ndim};
        auto [at, end] = known_.equal_range(key);
        for (; at != end; ++at)
            if (extents_[at->second] == extent) return at->second;
        extents_.push_back(extent);
        return known_.emplace(key, static_cast<std::uint32_t>(extents_.size() - 1))->second;
    }

    // After the last add().
    void close() {
        std::vector<std::uint32_t> order(extents_.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple{extents_[a].space, extents_[a].begin} < std::tuple{extents_[b].space, extents_[b].begin};
        });
        place_.resize(extents_.size());
        std::vector<Extent> group;
        std::uint64_t end = 0;
        for (std::uint32_t e : order) {
            if (!group.empty() && (group.front().space != extents_[e].space || extents_[e].begin >= end)) make(group);
            if (group.empty()) end = 0;
            end = std::max(end, extents_[e].end());
            place_[e] = {static_cast<std::uint32_t>(histories_.size()), static_cast<std::uint32_t>(group.size())};
            group.push_back(extents_[e]);
        }
        if (!group.empty()) make(group);
    }

    void touch(TouchId id, std::uint32_t extent, Mode mode, const Conflict& conflict) {
        const auto [group, inside] = place_[extent];
        histories_[group]->touch(id, inside, reads(mode), writes(mode), conflict);
    }

  private:
    void make(std::vector<Extent>& group) {
        const bool contiguous = std::all_of(group.begin(), group.end(), [](const Extent& e) { return e.ndim == 0; });
        histories_.push_back(contiguous ? segment_history(group) : footprint_history(group));
        group.clear();
    }

    struct Place {
        std::uint32_t group, inside;
    };
    std::multimap<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::int32_t>, std::uint32_t> known_;
    std::vector<Extent> extents_;
    std::vector<Place> place_;
    std::vector<std::unique_ptr<History>> histories_;
};

struct Recorded {
    std::uint32_t node;
    const Touch* touch;
    std::uint32_t extent;
};

std::vector<Recorded> recorded_touches(const GraphDescription& description, std::uint32_t body,
                                       std::span<const std::vector<Touch>> touches, Groups& groups) {
    std::vector<Recorded> all;
    std::unordered_map<std::uint32_t, std::uint32_t> extent_of;  // by plane
    for (std::uint32_t node : description.bodies()[body].nodes)
        // What a node reads of others, it says before it writes over it.
        for (const bool is_writer : {false, true})
            for (const Touch& touch : touches[node]) {
                const Extent extent = description.planes()[touch.plane].extent();
                if (extent.empty() || writes(touch.mode) != is_writer) continue;
                auto [known, fresh] = extent_of.try_emplace(touch.plane, 0);
                if (fresh) known->second = groups.add(extent);
                all.push_back({node, &touch, known->second});
            }
    groups.close();
    return all;
}

Hazard hazard_of(bool before_writes, Mode mode) {
    if (!before_writes) return Hazard::write_after_read;
    return reads(mode) ? Hazard::read_after_write : Hazard::write_after_write;
}

// Edges into one node, each source once, with the hazard that says most.
class Incoming {
  public:
    // Of the nodes of one body.
    explicit Incoming(std::span<const std::uint32_t> nodes)
        : first_(nodes.front()), at_(nodes.back() - nodes.front() + 1, none) {}
    void add(const Edge& edge) {
        std::uint32_t& at = at_[edge.from - first_];
        if (at == none) {
            at = static_cast<std::uint32_t>(edges_.size());
            edges_.push_back(edge);
        } else if (edge.hazard < edges_[at].hazard) {
            edges_[at] = edge;
        }
    }
    void move_to(std::vector<Edge>& out) {
        for (const Edge& edge : edges_) at_[edge.from - first_] = none;
        std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
        out.insert(out.end(), edges_.begin(), edges_.end());
        edges_.clear();
    }

  private:
    std::uint32_t first_;
    std::vector<std::uint32_t> at_;  // by source, where its edge is
    std::vector<Edge> edges_;
};

}  // namespace

std::vector<Edge> edges_of(const GraphDescription& description, std::uint32_t body,
                           std::span<const std::vector<Touch>> touches) {
    const std::vector<std::uint32_t>& nodes = description.bodies()[body].nodes;
    if (nodes.size() < 2) return {};
    Groups groups;
    const std::vector<Recorded> all = recorded_touches(description, body, touches, groups);
    std::vector<Edge> edges;
    Incoming incoming(nodes);
    std::size_t next = 0;
    for (std::uint32_t node : nodes) {
        for (std::uint32_t before : description.nodes()[node].after)
            incoming.add({before, node, Hazard::branch, none, none});
        for (; next < all.size() && all[next].node == node; ++next) {
            const Recorded& mine = all[next];
            const auto conflict = [&](TouchId before, bool before_writes) {
                const Recorded& other = all[before];
                if (other.node == node) return;
                refuse_race(description, other.node, *other.touch, node, *mine.touch);
                incoming.add({other.node, node, hazard_of(before_writes, mine.touch->mode), other.touch->plane,
                              mine.touch->plane});
            };
            groups.touch(static_cast<TouchId>(next), mine.extent, mine.touch->mode, conflict);
        }
        incoming.move_to(edges);
    }
    return edges;
}

}  // namespace eagle::graph
