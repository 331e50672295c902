// Random programs on kind cpu: captured and run in many orders that their edges allow, and node by node without a
// graph, against the oracle.
#include "RandomPrograms.h"

using namespace graphexec_test;

namespace {

constexpr const char* schedule = "EAGLE_CPU_SCHEDULE";

class Random : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Random, GivesTheBitsOfTheOracleInEveryOrder) {
    const std::uint64_t seed = GetParam();
    const graphtest::Shape shape;
    const Bits wanted = by_oracle(seed, shape).contents;
    ASSERT_EQ(replayed(seed, shape, 16, capture_test::cpu()), wanted) << "seed " << seed << ", as it comes";
    for (int order = 0; order < 20; ++order) {
        const std::string drawn = "random:" + std::to_string(seed * 100 + static_cast<std::uint64_t>(order));
        const Schedule set(schedule, drawn);
        ASSERT_EQ(replayed(seed, shape, order % 2 == 0 ? 16 : 3, capture_test::cpu()), wanted)
            << "seed " << seed << ", " << drawn;
    }
}

TEST_P(Random, GivesThemNodeByNode) {
    const graphtest::Shape shape;
    const eagle::Module builtin = eagle::Module::load(capture_test::cpu(), EAGLE_BUILTIN_HOST);
    const Ran wanted = by_oracle(GetParam(), shape), found = eagerly(GetParam(), shape, builtin);
    EXPECT_EQ(found.contents, wanted.contents);
    EXPECT_EQ(found.nodes, wanted.nodes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Range<std::uint64_t>(1, 31));

}  // namespace
