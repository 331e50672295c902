// Random programs whose planes lie on the simulated device: captured, in orders of its own, and node by node without a
// graph, against the oracle on the host. What ran here ran on no real device.
#include <set>
#include <string_view>

#include "../exec/Simulated.h"
#include "RandomPrograms.h"

using namespace graphexec_test;

namespace {

graphtest::Shape staged() {
    graphtest::Shape shape;
    shape.staged = true;
    return shape;
}

class SimulatedRandom : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SimulatedRandom, GivesTheBitsOfTheOracleInEveryOrder) {
    const std::uint64_t seed = GetParam();
    const Bits wanted = by_oracle(seed, staged()).contents;
    for (int order = 0; order < 3; ++order) {
        const std::string drawn = "random:" + std::to_string(seed * 100 + static_cast<std::uint64_t>(order));
        const Schedule set("EAGLE_SIM_SCHEDULE", drawn);
        ASSERT_EQ(replayed(seed, staged(), order % 2 == 0 ? 16 : 3, simulated::backend(), simulated::backend()), wanted)
            << "seed " << seed << ", " << drawn;
    }
}

TEST_P(SimulatedRandom, GivesThemNodeByNode) {
    const eagle::Module builtin = eagle::Module::load(simulated::backend(), EAGLE_BUILTIN_HOST);
    const Ran wanted = by_oracle(GetParam(), staged());
    const Ran found = eagerly(GetParam(), staged(), builtin, simulated::backend());
    EXPECT_EQ(found.contents, wanted.contents);
    EXPECT_EQ(found.nodes, wanted.nodes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedRandom, ::testing::Range<std::uint64_t>(1, 21));

// The tests above mean little unless the programs have all there is on a device.
TEST(SimulatedPrograms, CopyEveryWayAndHoldEveryKindOfNode) {
    std::set<std::string_view> kinds;
    std::set<std::string> ways;
    for (std::uint64_t seed = 1; seed < 21; ++seed) {
        const graphtest::Program program(seed, staged(), simulated::backend());
        const GraphDescription& g = program.description();
        EXPECT_EQ(eagle::analyze(g).device, (eagle::graph::Device{12, 0}));
        const auto place = [&](PlaneRef plane) {
            const eagle::graph::Plane& of = g.plane(plane);
            return std::string(of.scratch ? "scratch" : of.device.host() ? "host" : "device");
        };
        for (const auto& node : g.nodes()) {
            kinds.insert(node.kind());
            if (const auto* copy = std::get_if<eagle::graph::Copy>(&node.work))
                ways.insert(place(copy->from) + " to " + place(copy->to));
        }
    }
    EXPECT_EQ(kinds, (std::set<std::string_view>{"child", "compact", "copy", "fill", "function", "host", "if", "reduce",
                                                 "repeat", "switch", "while"}));
    EXPECT_EQ(ways, (std::set<std::string>{"device to device", "device to host", "device to scratch", "host to device",
                                           "host to host", "host to scratch", "scratch to device", "scratch to host",
                                           "scratch to scratch"}));
}

}  // namespace
