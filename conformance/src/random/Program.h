// A program of the random mode, as a tree: what is put on a stream, in order.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace eagle::conformance::random {

enum class Do : std::uint8_t {
    mix,         // to = 3 to + 5 from + k, word by word
    copy,        // to = from
    fill,        // the first k words of to = 0
    note,        // to = 3 to + (turns that the while `number` ran so far)
    host,        // to = 7 to + k, done by a host function between two copies
    fork,        // blocks: the branches
    mark,        // of the branch that it stands in; `number` within its fork
    wait,        // the branch goes on behind that mark
    one_arm,     // if; blocks: the body
    two_arms,    // if, else
    loop,        // while; blocks: the body
    one_of_many  // switch; blocks: the arms
};

struct Statement;
using Block = std::vector<Statement>;

// How a conditional decides. Its count cell is set to (word 0 of plane `from`) % modulus right before it, and a while
// lets it fall by one in each turn, down to 0. Cells are those of conditional `number`.
struct Decision {
    std::uint32_t modulus = 1;
    bool is_negated = false;
    bool has_baseline = false, has_limit = false, has_break = false;
    std::uint32_t baseline = 0, limit = 0;
    std::uint32_t break_at = 0;  // the turn that sets the break cell
    std::uint32_t cap = 1;
};

struct Statement {
    Do what = Do::mix;
    std::uint32_t to = 0, from = 0;  // planes
    std::uint64_t k = 0;
    std::uint32_t number = 0;
    Decision decision;
    std::vector<Block> blocks;
};

inline bool is_conditional(Do what) { return what >= Do::one_arm; }

struct Program {
    std::uint32_t planes = 0, words = 0;  // words of 64 bits in each plane
    std::uint32_t conditionals = 0;
    Block block;
};

// What conditional c has, as uint32_t at 6 c: the count, the baseline, remaining and ran of a while, break and limit.
struct CellsOf {
    static constexpr std::uint32_t count = 0, baseline = 1, remaining = 2, ran = 3, brk = 4, limit = 5, each = 6;
};

// All the memory of a program.
struct State {
    std::vector<std::vector<std::uint64_t>> planes;
    std::vector<std::uint32_t> cells;
    bool operator==(const State&) const = default;
};

State first_state(const Program& program);

// A statement a line, each behind `margin`.
std::string text_of(const Program& program, const std::string& margin = "");
// Where two states first differ, with both values.
std::string difference(const State& found, const State& wanted);

// Statements in the program, those inside others included.
std::size_t size_of(const Block& block);
bool holds(const Block& block, bool (*is_one)(const Statement&));

}  // namespace eagle::conformance::random
