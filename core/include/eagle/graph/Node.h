// Nodes of a graph: what each kind of work is, as data.
#pragma once
#include <eagle/Plan.h>
#include <eagle/export.h>
#include <eagle/graph/Plane.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace eagle {
class GraphDescription;
}

namespace eagle::graph {

inline constexpr std::uint32_t none = 0xffffffff;  // no node, no body, no strand

// Names a node of one description.
struct NodeRef {
    std::uint64_t description = 0;
    std::uint32_t index = none;
    friend bool operator==(const NodeRef&, const NodeRef&) = default;
};

enum class Mode : std::uint8_t { read = 1, write = 2, read_write = 3 };
constexpr bool reads(Mode mode) { return (static_cast<int>(mode) & 1) != 0; }
constexpr bool writes(Mode mode) { return (static_cast<int>(mode) & 2) != 0; }
EAGLE_API std::string_view mode_name(Mode mode);  // "reads", "writes", "reads and writes"

// One plane that a node touches, all of it.
struct Access {
    std::uint32_t plane = 0;
    Mode mode = Mode::read;
    bool whole = false;  // writes every element before the node reads any
    std::string as;      // what the node calls it: the parameter of a kernel, "from", "guard"; may be empty
};

// A number given to a launch. With a name of its own it can be given anew between replays.
struct Number {
    std::variant<double, std::int64_t> value = 0.0;
    std::string updatable_as;
};

// An argument of a launch.
struct Argument {
    Argument(PlaneRef plane) : value(plane) {}
    Argument(CellRef cell) : value(cell.plane) {}
    Argument(Number number) : value(std::move(number)) {}
    Argument(double number) : value(Number{number, {}}) {}
    Argument(std::int64_t number) : value(Number{number, {}}) {}
    Argument(int number) : value(Number{std::int64_t{number}, {}}) {}

    std::variant<PlaneRef, Number> value;
};
using NamedArguments = std::vector<std::pair<std::string, Argument>>;

// A kernel of an artifact with its execution structure. `samples` follows from the planes.
struct Launch {
    Plan plan;
    std::vector<std::pair<std::string, Argument>> arguments;  // each name of the signature that is not supplied
    std::int64_t samples = 0;
};

// A bare function of a backend: what module_function gave, launched once over [0, count).
struct FunctionArgument {
    std::string name;
    // A plane: the argument is 8 bytes, the address of its element [0, 0, ...]. Else these bytes, 1 to 16 of them.
    PlaneRef plane;
    Mode mode = Mode::read;
    bool whole = false;  // writes every element of the plane, whatever it holds
    std::vector<std::byte> bytes;
    std::string updatable_as;
};
struct Function {
    std::uint64_t function = 0;
    std::int64_t count = 0;
    std::uint32_t block = 256, grid = 0, shared_bytes = 0, max_parallel = 0;  // as at the seam
    std::vector<FunctionArgument> arguments;                                  // in the function's order
};

// `to` becomes what `from` is; both dense, of equal shape and type. The direction follows from where they live.
struct Copy {
    PlaneRef to, from;
};

struct Fill {
    PlaneRef plane;
    std::vector<std::byte> pattern;  // 1, 2, 4, 8 or 16 bytes, repeated over the plane
};

// Runs on the host when what it reads is there and before what it writes is read. It calls no device.
struct HostCall {
    std::function<void()> call;
};

enum class Fold : std::uint8_t { sum, max, min, all };
EAGLE_API std::string_view fold_name(Fold fold);

// One element from all of a plane, in a fixed order, so that every device and team gives the same bits: blocks of
// `block` neighbouring elements are folded one element after the other, beginning with the identity, and so are the
// results of the blocks. Elements are counted in row-major order. Identities: sum 0; max the lowest value, minus
// infinity for floats; min the highest, infinity; all true. A NaN stays one in max and min. `all` asks whether no
// element is zero, and gives 1 or 0.
struct Reduce {
    static constexpr std::int64_t block = 4096;
    Fold fold = Fold::sum;
    PlaneRef from, into;
    PlaneRef workspace;  // scratch for one result a block
};

// Ascending indices i with mask[i] non-zero (drop: zero) go to map[0, count); slots from count on stay as they were.
struct Compact {
    PlaneRef mask, map;
    CellRef count;
    bool drop = false;
    PlaneRef workspace;  // scratch, as many bytes as a backend asks for: plan_arena() takes that number
};

// Another description as one node. Its own planes keep their addresses; its scratch lies in `arena`.
struct Child {
    std::shared_ptr<const GraphDescription> graph;
    PlaneRef arena;  // scratch of this description, as large as the child's plan; unset where the child has none
};

// The caller's own work: the call gets the raw stream, and may put on it what a capture allows.
struct Opaque {
    std::function<void(std::uint64_t stream)> call;
};

// The guard of a conditional holds when *cell != (baseline ? *baseline : 0), negated when `negate`.
struct Guard {
    CellRef cell, baseline;
    bool negate = false;
};

struct If {
    Guard guard;
    std::uint32_t then = none, otherwise = none;  // bodies; otherwise may be none
};

// Before every iteration: guard (where there is one), ran < cap, ran < *limit, and no iteration left *stop non-zero.
// `stop` is set to 0 before the first. The loop that only counts has no guard. Nobody but the loop writes `counter`.
struct While {
    std::optional<Guard> guard;
    std::optional<std::uint32_t> cap;  // at least 1
    CellRef limit, stop;
    PlaneRef counter;   // scratch uint32[2]: iterations that remain, iterations that ran
    CellRef iteration;  // the second of them: 0 in the first iteration, readable in the body
    std::uint32_t body = none;
};

// The body whose number the cell holds; a number that is out of range runs none.
struct Switch {
    CellRef cell;
    std::vector<std::uint32_t> arms;
};

using Work = std::variant<Copy, Launch, Function, Fill, HostCall, Reduce, Compact, Child, Opaque, If, While, Switch>;

struct EAGLE_API Node {
    std::string name;
    SourceLine where;
    std::uint32_t body = 0;
    std::uint32_t strand = none;       // the branch of a fork that it stands in
    std::vector<std::uint32_t> after;  // nodes of the same body that the order inside its branch puts before it
    // What it touches itself: of a conditional its cells. What its bodies touch, they say.
    std::vector<Access> accesses;
    Work work;

    bool conditional() const;
    std::string_view kind() const;              // "launch", "copy", "while", ...
    std::vector<std::uint32_t> bodies() const;  // in order; empty unless conditional
};

// What runs together: the graph itself is body 0, the others belong to a conditional node.
struct Body {
    std::string label;            // "graph", "then", "else", "body", "arm 2"
    std::uint32_t owner = none;   // the conditional node
    std::uint32_t parent = none;  // the body that node stands in
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> nodes;  // in the order of recording
    SourceLine where;
};

struct ForkPoint {
    std::string name;
    SourceLine where;
};

// One branch of a fork. The nodes in it run in the order of recording; branches of one fork run in any.
struct Strand {
    std::string label;
    std::uint32_t fork = 0;       // the number of the fork in its description
    std::uint32_t parent = none;  // the branch that the fork stands in
    std::uint32_t depth = 0;
    std::uint32_t body = 0;
    SourceLine where;
};

}  // namespace eagle::graph
