// A few random programs of each sort against the oracle; eagle-conformance --random runs as many as one likes.
#include "../random/Oracle.h"
#include "../random/Trial.h"

using namespace eagle::conformance;
using namespace eagle::conformance::random;

namespace {

void try_some(Context& c, const Abilities& abilities, int programs) {
    for (int i = 0; i < programs; ++i) {
        const std::uint64_t seed = c.seed + std::uint64_t(i);
        const Program program = generate(seed, abilities);
        const Finding finding = try_program(c, program, seed, &eagle::conformance::random::run);
        if (!finding.text.empty()) {
            c.end(__FILE__, __LINE__,
                  "the program of seed " + std::to_string(seed) + ": " + finding.text + "\n" + text_of(program));
        }
    }
}

}  // namespace

EAGLE_ROW("program-random-in-a-row",
          .covers = {Symbol::graph_from_captured, Symbol::graph_add_node, Symbol::launcher_launch},
          .needs = {Symbol::capturer_begin, Symbol::graph_create}, .memory = true, .kernels = true) {
    Abilities abilities = abilities_of(c.facts);
    abilities.forks = abilities.marks = abilities.ifs = false;
    try_some(c, abilities, 40);
}

EAGLE_ROW("program-random-with-forks", .covers = {Symbol::fork_fork, Symbol::fork_join},
          .needs = {Symbol::capturer_begin, Symbol::graph_from_captured, Symbol::graph_create, Symbol::launcher_launch},
          .memory = true, .kernels = true) {
    Abilities abilities = abilities_of(c.facts);
    abilities.ifs = false;
    try_some(c, abilities, 80);
}

EAGLE_ROW("program-random-with-conditionals", .covers = {Symbol::conditional_begin, Symbol::conditional_end},
          .needs = {Symbol::capturer_begin, Symbol::graph_from_captured, Symbol::graph_create, Symbol::launcher_launch},
          .memory = true, .kernels = true) {
    try_some(c, abilities_of(c.facts), 120);
}
