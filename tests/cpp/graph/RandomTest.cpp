// Descriptions from seeds against oracles that go byte by byte.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>

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
    EXPECT_LE(plan.bytes, largest_first(program.description()));
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

// Twenty orders a seed, with scratch that shares bytes: what the edges and the arena allow is what they must.
TEST_P(Random, any_order_that_the_edges_allow_gives_the_same_bits) {
    Program program(GetParam(), {});
    Interpreter(program.description()).run();
    const auto expected = program.contents();
    const GraphAnalysis analysis = analyze(program.description());
    const ArenaPlan plan = plan_arena(program.description(), analysis);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        program.reset();
        Interpreter(program.description(), analysis, plan, seed).run();
        ASSERT_EQ(program.contents(), expected) << "order " << seed;
    }
}

// The tests above mean little unless programs are large, nested and shared.
TEST(RandomPrograms, have_all_there_is) {
    std::size_t nodes = 0, edges = 0, strands = 0, deepest = 0, shared = 0;
    std::set<std::string_view> kinds;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Program program(seed, {});
        const GraphAnalysis analysis = analyze(program.description());
        const ArenaPlan plan = plan_arena(program.description(), analysis);
        nodes += program.description().nodes().size();
        edges += analysis.edges.size();
        strands += program.description().strands().size();
        shared += plan.bytes < plan.without_sharing;
        for (const auto& body : program.description().bodies()) deepest = std::max<std::size_t>(deepest, body.depth);
        for (const auto& node : program.description().nodes()) kinds.insert(node.kind());
    }
    EXPECT_GT(nodes, 200u * 30);
    EXPECT_GT(edges, nodes / 2);
    EXPECT_GT(strands, 200u);
    EXPECT_EQ(deepest, 3u);
    EXPECT_GT(shared, 100u);
    EXPECT_EQ(kinds, (std::set<std::string_view>{"child", "compact", "copy", "fill", "function", "host", "if", "reduce",
                                                 "repeat", "switch", "while"}));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Range<std::uint64_t>(0, 200));

}  // namespace
