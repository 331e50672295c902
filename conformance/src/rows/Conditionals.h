// One conditional of one stream, for rows: arm k does y = 2 y + k + 1.
#pragma once
#include "Graphs.h"

namespace eagle::conformance {

struct OneNode {
    Context& c;
    StreamHandle stream;
    Plane y;
    Nodes nodes;  // where the backend gives them
    Graph graph;
    Launcher launcher;

    explicit OneNode(Context& row) : c(row), stream(row), y(row, Words{0}), graph(row), launcher(row) {}
    void record(const struct eagle_backend_conditional_desc& desc, std::uint64_t arms);
    // y after a replay from 0: 0 where no arm ran, k + 1 where arm k did.
    std::int64_t run();
};

// A while whose turns write down what they see, and let the count fall by one, down to 0.
struct Loop {
    static constexpr std::size_t count = 0, remaining = 1, ran = 2, brk = 3, limit = 4, cursor = 5, baseline = 6;
    static constexpr std::size_t most_turns = 2000;
    struct Options {
        std::uint32_t cap = 1;
        bool has_limit = false, has_break = false, has_baseline = false, is_negated = false;
        std::uint32_t kind = EAGLE_BACKEND_CONDITIONAL_KIND_WHILE;
        std::uint32_t breaks_in_turn = 0;
        std::uint32_t struct_size = sizeof(struct eagle_backend_conditional_desc);
    };

    Context& c;
    StreamHandle stream;
    Cells cells, log;  // log: ran of each turn
    Graph graph;
    Launcher launcher;

    Loop(Context& row, const Options& options);
    // Sets the count, replays, and checks that turn i saw ran == i and that ran is right in the end. The number of
    // turns.
    std::uint32_t turns(std::uint32_t start);
    std::uint32_t cell(std::size_t which) const { return cells.at(which); }
    void set(std::size_t which, std::uint32_t value) { cells.set(which, value); }
};

}  // namespace eagle::conformance
