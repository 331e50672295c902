// Random programs: every node of every body as often as the oracle ran it, and the bits of the oracle.
#include "Generate.h"
#include "Interpret.h"
#include "Lowered.h"
#include "Read.h"

using namespace graphexec_test;
using namespace trace_test;

namespace {

class RandomTrace : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomTrace, HasEveryNodeAsOftenAsTheOracleRanIt) {
    const graphtest::Shape shape;
    graphtest::Program oracle(GetParam(), shape), program(GetParam(), shape);
    graphtest::Interpreter interpreter(oracle.description());
    std::map<std::string, int> wanted;
    for (int i = 0; i < 2; ++i) {
        interpreter.run();
        for (const std::string& name : interpreter.ran()) ++wanted[name];
    }
    const std::shared_ptr<const GraphDescription> description(&program.description(), [](const void*) {});
    const Read read = traced([&] { eagle::lower(description, eagle::Executor(capture_test::cpu()), {}).launch(2); });
    EXPECT_EQ(program.contents(), oracle.contents());
    EXPECT_EQ(read.runs(), wanted);
    EXPECT_EQ(read.meta()["dropped"], 0);
    expect_well_formed(read);
    expect_arrows(read, true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrace, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
