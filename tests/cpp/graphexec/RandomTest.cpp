// Random programs: captured on kind cpu and run in many orders that their edges allow, against nodes one after another.
#include <cstdlib>
#include <string>

#include "Generate.h"
#include "Interpret.h"
#include "Lowered.h"

using namespace graphexec_test;

namespace {

class Random : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    ~Random() override { unsetenv("EAGLE_CPU_SCHEDULE"); }
};

// Two replays: what the first left is what the second begins with.
std::vector<std::uint64_t> replayed(std::uint64_t seed, const graphtest::Shape& shape, std::uint32_t branches) {
    graphtest::Program program(seed, shape);
    eagle::LowerOptions options;
    options.branches = branches;
    const std::shared_ptr<const GraphDescription> description(&program.description(), [](const void*) {});
    eagle::lower(description, eagle::Executor(capture_test::cpu()), options).launch(2);
    return program.contents();
}

TEST_P(Random, GivesTheBitsOfTheOracleInEveryOrder) {
    const std::uint64_t seed = GetParam();
    const graphtest::Shape shape;
    graphtest::Program oracle(seed, shape);
    graphtest::Interpreter interpreter(oracle.description());
    interpreter.run();
    interpreter.run();
    const auto wanted = oracle.contents();
    unsetenv("EAGLE_CPU_SCHEDULE");
    ASSERT_EQ(replayed(seed, shape, 16), wanted) << "seed " << seed << ", as it comes";
    for (int order = 0; order < 20; ++order) {
        const std::string schedule = "random:" + std::to_string(seed * 100 + static_cast<std::uint64_t>(order));
        setenv("EAGLE_CPU_SCHEDULE", schedule.c_str(), 1);
        ASSERT_EQ(replayed(seed, shape, order % 2 == 0 ? 16 : 3), wanted) << "seed " << seed << ", " << schedule;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Range<std::uint64_t>(1, 31));

}  // namespace
