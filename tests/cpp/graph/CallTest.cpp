// Calls whose outputs become scratch.
#include <eagle/Error.h>
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "Handmade.h"

using namespace eagle;
using namespace eagle::graph;
using handmade::refusal;
using handmade::view;

namespace {

struct Calls : testing::Test {
    std::vector<double> memory = std::vector<double>(5);
    GraphDescription g{"calls"};
    PlaneRef x = g.plane("x", view(memory));
    Plan scale{Artifact::load(handmade::example()).kernel()};
    Call call() { return g.call(scale, {{"x", x}, {"a", 2.0}, {"b", 1.0}}, {}, {"calls.py", 4}); }
};

TEST_F(Calls, make_the_planes_that_a_run_would_allocate) {
    const Call first = call(), second = call();
    ASSERT_EQ(first.outputs.size(), 1u);
    EXPECT_EQ(first.outputs[0].first, "out");
    const Plane& out = g.plane(first.outputs[0].second);
    EXPECT_TRUE(out.scratch);
    EXPECT_EQ(out.name, "scale.out");
    EXPECT_EQ(out.ndim, 1);
    EXPECT_EQ(out.shape[0], 5);
    EXPECT_EQ(out.type, ElementType::of(Dtype::float64));
    EXPECT_EQ(out.where.text(), "calls.py:4");
    EXPECT_EQ(g.plane(second.outputs[0].second).name, "scale 2.out");
    EXPECT_EQ(g.node(second.node).name, "scale 2");
}

TEST_F(Calls, chain_by_their_outputs) {
    const Call first = call();
    const Call second = g.call(scale, {{"x", first.outputs[0].second}, {"a", 3.0}, {"b", 0.0}});
    const auto analysis = analyze(g);
    ASSERT_EQ(analysis.edges.size(), 1u);
    EXPECT_EQ(analysis.edges[0].to, second.node.index);
    EXPECT_EQ(analysis.edges[0].hazard, Hazard::read_after_write);
}

TEST_F(Calls, take_an_output_that_is_given) {
    std::vector<double> memory_out(5);
    const auto out = g.plane("y", view(memory_out));
    const Call made = g.call(scale, {{"x", x}, {"a", 2.0}, {"b", 1.0}, {"out", out}});
    EXPECT_TRUE(made.outputs.empty());
    EXPECT_EQ(g.planes().size(), 2u);
}

TEST_F(Calls, that_are_refused_leave_nothing) {
    std::vector<double> none;
    const auto empty = g.plane("empty", view(none));
    const auto planes = g.planes().size();
    EXPECT_NE(
        refusal<LayoutError>([&] { g.call(scale, {{"x", empty}, {"a", 2.0}, {"b", 1.0}}); }).find("over 0 samples"),
        std::string::npos);
    EXPECT_NE(refusal<ArgumentError>([&] { g.call(scale, {{"x", x}, {"a", 2.0}}); }).find("'b'"), std::string::npos);
    EXPECT_EQ(g.planes().size(), planes);
    EXPECT_TRUE(g.nodes().empty());
    EXPECT_FALSE(g.find_plane("scale.out"));
    EXPECT_EQ(g.plane(call().outputs[0].second).name, "scale.out");
}

}  // namespace
