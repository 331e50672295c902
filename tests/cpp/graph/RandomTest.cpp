// Descriptions from seeds against oracles that go byte by byte.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include "Brute.h"
#include "Generate.h"
#include "Interpret.h"

using namespace eagle;
using namespace graphtest;

namespace {

std::vector<Pair> pairs_of(const GraphAnalysis& analysis) {
    std::vector<Pair> pairs;
    for (const auto& edge : analysis.edges) pairs.emplace_back(edge.from, edge.to);
    return pairs;
}

class Random : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Random, edges_are_those_of_every_pair_of_bytes) {
    const Program program(GetParam(), {});
    EXPECT_EQ(pairs_of(analyze(program.description())), brute_edges(program.description()));
}

TEST_P(Random, the_arena_never_holds_two_that_are_alive) {
    const Program program(GetParam(), {});
    const GraphAnalysis analysis = analyze(program.description());
    const ArenaPlan plan = plan_arena(program.description(), analysis);
    EXPECT_EQ(arena_fault(program.description(), plan), "");
    EXPECT_LE(plan.bytes, plan.without_sharing);
}

TEST_P(Random, the_same_seed_means_the_same) {
    Program first(GetParam(), {}), second(GetParam(), {});
    Interpreter(first.description()).run();
    Interpreter again(second.description());
    again.run();
    EXPECT_EQ(first.contents(), second.contents());
    second.reset();
    again.run();
    EXPECT_EQ(first.contents(), second.contents());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range<std::uint64_t>(0, 200));

}  // namespace
