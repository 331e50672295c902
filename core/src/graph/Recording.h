// What a description holds while it is recorded, and how a node comes in.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace eagle::graph {

struct OpenScope {
    std::uint64_t serial = 0;
    std::uint32_t body = 0;
    std::uint32_t strand = none;
    std::string label;
    SourceLine where;
};

// Where a strand stands in the order of its nodes.
struct StrandTail {
    std::vector<std::uint32_t> nodes;  // what the next node of it comes after
};

struct ForkState {
    std::uint32_t body = 0, strand = none;
    std::vector<std::uint32_t> before;    // tail of the strand that the fork stands in
    std::vector<std::uint32_t> after;     // tails of the branches that ended
    std::vector<std::uint32_t> branches;  // strands
    std::size_t nodes = 0;                // of the description when the last branch ended
};

struct Recording {
    std::uint64_t id = 0;
    std::string name;
    SourceLine where;
    std::vector<Plane> planes;
    std::vector<Node> nodes;
    std::vector<Body> bodies;
    std::vector<Strand> strands;
    std::vector<ForkPoint> forks;

    std::vector<std::uint32_t> results;  // planes of scratch that are kept
    std::unordered_map<std::string, std::uint32_t> plane_names, node_names;
    std::unordered_map<std::string, std::uint32_t> next_number;  // of the next node that is called after its work
    std::vector<OpenScope> open;
    std::vector<StrandTail> tails;       // by strand
    std::vector<ForkState> fork_states;  // by fork
    std::uint64_t next_serial = 1;
    std::string broken;                                // why nothing more can be recorded
    bool frozen = false;                               // it is the child of another description
    std::uint32_t depth = 0;                           // of graphs inside graphs, below it
    bool lowered = false;                              // what was made of it refers to its nodes
    std::uint64_t imaginary = std::uint64_t{1} << 60;  // address of the next scratch, where a rule needs one

    std::uint32_t body() const { return open.empty() ? 0 : open.back().body; }
    std::uint32_t strand() const { return open.empty() ? none : open.back().strand; }
    bool conditional_body() const { return body() != 0; }

    // Throws when no more may be recorded; every recording call begins with it.
    void check_open(const SourceLine& where) const;
    // The plane, checked to be one of this description.
    const Plane& plane_of(PlaneRef plane, std::string_view user, const SourceLine& where) const;
    PlaneRef add(Plane plane);
    void drop_planes(std::size_t from);  // those that no node uses yet
    // A name for a node: the given one, which must be free, or one made of `work`.
    std::string node_name(std::string given, std::string_view work, const SourceLine& where) const;
    NodeRef add(Node node);
    std::uint32_t add_body(std::string label, std::uint32_t owner, const SourceLine& where);
    std::uint64_t enter(std::uint32_t body, std::uint32_t strand, std::string label, const SourceLine& where);
    void leave(std::uint64_t serial) noexcept;
    void abandon(std::uint64_t serial) noexcept;
    // Scratch that a node makes for itself.
    PlaneRef hidden(const std::string& node, std::string_view part, std::uint64_t elements, ElementType type,
                    const SourceLine& where);
    std::uint64_t address_of(const Plane& plane) const;  // its own, or an imaginary one for scratch

  private:
    std::vector<std::uint64_t> imaginary_;
};

// Why a recording is of no use of which `part` ended in the middle.
std::string left_by_an_exception(std::string_view part, const SourceLine& where);

}  // namespace eagle::graph
