// What follows from a description: the order of its nodes, where it runs, how long scratch is alive, where it lies.
#pragma once
#include <eagle/GraphDescription.h>
#include <eagle/export.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace eagle {

namespace graph {

enum class Hazard : std::uint8_t {
    read_after_write,
    write_after_read,
    write_after_write,
    branch,  // two nodes of one branch that share no plane
};
EAGLE_API std::string_view hazard_name(Hazard hazard);  // "read after write", ...

// `to` may start when `from` is done. Both stand in one body. The planes are one pair that asks for it (none for
// Hazard::branch): inside the two nodes, so a plane that only a body of theirs touches may stand here.
struct Edge {
    std::uint32_t from = 0, to = 0;
    Hazard hazard = Hazard::read_after_write;
    std::uint32_t from_plane = none, to_plane = none;
};

// Of a scratch plane that is no view. In body `body`, it is used by `nodes` (a conditional node stands for what is
// inside it), the first and the last of them in the order of recording.
struct Lifetime {
    std::uint32_t plane = 0;
    std::uint32_t body = 0;
    std::uint32_t first = none, last = none;
    std::vector<std::uint32_t> nodes;  // ascending
};

}  // namespace graph

struct EAGLE_API GraphAnalysis {
    // By `to`, then by `from`; transitively reduced in every body: without any one of them, two nodes that must be in
    // order would not be.
    std::vector<graph::Edge> edges;
    // Where the graph runs; none when all its planes are scratch.
    std::optional<graph::Device> device;
    std::vector<graph::Lifetime> lifetimes;  // by plane; scratch that no node uses is not here

    // Edges of `edges` that end at node n: [edges_into[n], edges_into[n + 1]).
    std::vector<std::uint32_t> edges_into;
    std::span<const graph::Edge> into(std::uint32_t node) const {
        return std::span(edges).subspan(edges_into[node], edges_into[node + 1] - edges_into[node]);
    }
};

// Checks the whole and derives all of it. Throws what check_complete() throws, InvalidArgument for two branches that
// race (naming both nodes, both planes and both lines), BufferRefused when the planes do not live on one device.
EAGLE_API GraphAnalysis analyze(const GraphDescription& description);

// Names of the planes that put `edge` in order, sorted, each once; empty for a plain branch order.
EAGLE_API std::vector<std::string> planes_of(const GraphDescription& description, const graph::Edge& edge);

struct EAGLE_API ArenaPlan {
    static constexpr std::uint64_t alignment = 256;
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    std::uint64_t bytes = 0;             // of the whole arena
    std::uint64_t without_sharing = 0;   // what it would be if no two planes shared bytes
    std::vector<std::uint64_t> offsets;  // by plane, of its element [0, 0, ...]; nowhere for what is not in the arena
};

// Two planes share bytes only where every node that uses the one comes before every node that uses the other, or where
// no run has both (arms of one node). `bytes[p]`, where given, is the size of plane p instead of the described one, for
// a workspace whose size a backend says.
EAGLE_API ArenaPlan plan_arena(const GraphDescription& description, const GraphAnalysis& analysis,
                               std::span<const std::uint64_t> bytes = {});

}  // namespace eagle
