// Traces of a kind whose streams run behind the caller: the simulated device. What ran here ran on no real one.
#include <cstring>

#include "../artifact/Handmade.h"
#include "../exec/Simulated.h"
#include "Lowered.h"
#include "Read.h"

using namespace graphexec_test;
using namespace trace_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

using Plane = std::vector<std::int64_t>;

TEST(SimulatedTrace, HasNodesCopiesAndParts) {
    Plane x{1, 2, 3}, y(3);
    const Module module = Module::load(simulated::backend(), CAPTURE_KERNELS);
    const Array there = simulated::up<std::int64_t>({0});
    GraphDescription g("device");
    const PlaneRef px = g.plane("x", ArrayView::of(std::span(x))), py = g.plane("y", ArrayView::of(std::span(y)));
    const PlaneRef on = g.scratch("on", {3}, Dtype::int64);
    g.copy(on, px, "up");
    {
        const LoopScope loop = g.repeat(4, "loop");
        FunctionArgument plane, iteration;
        plane.plane = on;
        plane.mode = Mode::read_write;
        iteration.plane = loop.iteration();
        iteration.mode = Mode::read;
        g.function(module.function("add_cell"), 3, {plane, iteration}, "add");
    }
    g.reduce(Fold::sum, on, g.plane("sum", there.view()), "total");
    g.copy(py, on, "down");
    g.host([] {}, {py}, {}, "tell");
    BuiltGraph graph = lower(std::make_shared<const GraphDescription>(std::move(g)), Executor(simulated::backend()));
    const Read read = traced([&] {
        graph.launch(2);
        graph.synchronize();
    });
    EXPECT_EQ(y, (Plane{7, 8, 9}));
    EXPECT_EQ(read.runs(),
              (std::map<std::string, int>{{"up", 2}, {"loop", 2}, {"add", 8}, {"total", 2}, {"down", 2}, {"tell", 2}}));
    EXPECT_EQ(read.of("replay").size(), 2u);
    EXPECT_EQ(read.named("wait", "wait for device").size(), 1u);
    EXPECT_EQ(read.meta()["kinds"]["sim"], "nodes and parts of kernels");
    EXPECT_EQ(read.named("node", "add")[0]["args"]["kernel"], "add_cell");
    expect_well_formed(read);
    expect_arrows(read, false);
}

TEST(SimulatedTrace, HasLaunchesOfPlansAndCopiesOfArrays) {
    const Kernel kernel = Artifact::load(handmade::example()).kernel("scale", "sim");
    std::vector<double> x{1, 2, 3};
    Array out = Array::zeros(std::array<std::int64_t, 1>{3}, Dtype::float64, simulated::backend(), 0);
    const Read read = traced([&] {
        const Array there = Array::upload(ArrayView::of(std::span(x)), simulated::backend(), 0);
        BoundPlan bound = Plan(kernel, DeviceKernel("sim")).bind({{"x", there}, {"a", 2.0}, {"b", 1.0}, {"out", out}});
        bound.launch().launch().synchronize();
    });
    EXPECT_EQ(simulated::down<double>(out), (std::vector<double>{3, 5, 7}));
    EXPECT_EQ(read.named("launch", "launch scale").size(), 2u);
    EXPECT_EQ(read.named("launch", "scale").size(), 2u);
    ASSERT_EQ(read.of("copy").size(), 1u);
    EXPECT_EQ(read.of("copy")[0]["args"]["way"], "host to device");
    expect_well_formed(read);
    expect_arrows(read, false);
}

TEST(SimulatedTrace, EndsWhileWorkRuns) {
    const Array x = simulated::up<std::int64_t>(Plane(64, 1));
    const Module module = Module::load(simulated::backend(), CAPTURE_KERNELS);
    GraphDescription g;
    FunctionArgument plane, number;
    plane.plane = g.plane("x", x.view());
    plane.mode = Mode::read_write;
    number.bytes.resize(8);
    g.function(module.function("twice_and"), 64, {plane, number}, "twice");
    BuiltGraph graph = lower(std::make_shared<const GraphDescription>(std::move(g)), Executor(simulated::backend()));
    const Read read = traced([&] { graph.launch(3); });  // nobody waits
    EXPECT_LE(read.runs()["twice"], 3);
    expect_well_formed(read);
    graph.launch().synchronize();
    EXPECT_EQ(simulated::down<std::int64_t>(x), Plane(64, 16));
}

}  // namespace
