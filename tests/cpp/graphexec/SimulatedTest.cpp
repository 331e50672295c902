// Lowered graphs on a kind with memory of its own: the simulated device. What ran here ran on no real one.
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "../exec/Simulated.h"
#include "Handmade.h"
#include "Lowered.h"

using namespace graphexec_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

Executor device() { return Executor(simulated::backend()); }

BuiltGraph on_device(GraphDescription g) {
    return lower(std::make_shared<const GraphDescription>(std::move(g)), device());
}

std::uint64_t function(const char* name) {
    static const Module module = Module::load(simulated::backend(), CAPTURE_KERNELS);
    return module.function(name);
}

FunctionArgument whole(PlaneRef plane, Mode mode) {
    FunctionArgument argument;
    argument.plane = plane;
    argument.mode = mode;
    return argument;
}

FunctionArgument integer(std::int64_t value, std::string name = {}) {
    FunctionArgument argument;
    argument.bytes.resize(8);
    std::memcpy(argument.bytes.data(), &value, 8);
    argument.updatable_as = std::move(name);
    return argument;
}

using Plane = std::vector<std::int64_t>;

TEST(SimulatedGraph, CopiesThereComputesLoopsAndCopiesBack) {
    Plane x{1, 2, 3}, y(3);
    double told = 0;
    GraphDescription g;
    const PlaneRef px = g.plane("x", ArrayView::of(std::span(x))), py = g.plane("y", ArrayView::of(std::span(y)));
    const Array there = simulated::up<std::int64_t>({0});  // what says where the graph runs
    const PlaneRef sum = g.plane("sum", there.view());
    const PlaneRef on = g.scratch("on", {3}, Dtype::int64);
    g.copy(on, px);
    {
        const LoopScope loop = g.repeat(4);
        g.function(function("add_cell"), 3, {whole(on, Mode::read_write), whole(loop.iteration(), Mode::read)}, "add");
    }
    g.function(function("twice_and"), 3, {whole(on, Mode::read_write), integer(1, "add")}, "twice");
    g.reduce(Fold::sum, on, sum);
    g.copy(py, on);
    g.host([&] { told = static_cast<double>(y[0] + y[1] + y[2]); }, {py}, {});
    BuiltGraph graph = on_device(std::move(g));
    graph.launch();
    graph.synchronize();
    EXPECT_EQ(y, (Plane{15, 17, 19}));  // 2 (x + 0 + 1 + 2 + 3) + 1
    EXPECT_EQ(told, 51.0);
    EXPECT_EQ(simulated::down<std::int64_t>(there), Plane{51});
    const std::int64_t five = 5;
    x = {0, 0, 1};
    graph.update("add", std::as_bytes(std::span(&five, 1))).launch(2).synchronize();
    EXPECT_EQ(y, (Plane{17, 17, 19}));
    EXPECT_EQ(graph.report().launches, 3u);
}

TEST(SimulatedGraph, GoesBehindAStreamAndTheStreamBehindIt) {
    const Array x = simulated::up<std::int64_t>({0, 0});
    Plane first{7, 8}, after(2);
    GraphDescription g;
    g.function(function("twice_and"), 2, {whole(g.plane("x", x.view()), Mode::read_write), integer(1)}, "twice");
    BuiltGraph graph = on_device(std::move(g));
    Stream stream(simulated::backend());
    const auto at = reinterpret_cast<std::uint64_t>(x.view().data);
    eagle::copy(simulated::backend(), at, reinterpret_cast<std::uint64_t>(first.data()), 16, CopyKind::host_to_device,
                stream.native());
    graph.launch_on(stream.native());
    eagle::copy(simulated::backend(), reinterpret_cast<std::uint64_t>(after.data()), at, 16, CopyKind::device_to_host,
                stream.native());
    stream.synchronize();
    EXPECT_EQ(after, (Plane{15, 17}));
}

TEST(SimulatedGraph, TellsOfAHostFunctionsExceptionAtTheNextCall) {
    Plane x{1};
    const Array there = simulated::up<std::int64_t>({0});
    GraphDescription g;
    g.host([] { throw std::runtime_error("told later"); }, {g.plane("x", ArrayView::of(std::span(x)))}, {});
    g.fill(g.plane("there", there.view()), 3);
    BuiltGraph graph = on_device(std::move(g));
    EXPECT_NO_THROW(graph.launch());
    expect_thrown<std::runtime_error>([&] { graph.synchronize(); }, {"told later"});
    EXPECT_EQ(simulated::down<std::int64_t>(there), Plane{3});
    EXPECT_NO_THROW(graph.launch());
    expect_thrown<std::runtime_error>([&] { graph.synchronize(); }, {"told later"});
}

TEST(SimulatedGraph, TakesNewArrays) {
    const Array x = simulated::up<std::int64_t>({1, 2}), z = simulated::up<std::int64_t>({10, 20});
    GraphDescription g;
    g.function(function("twice_and"), 2, {whole(g.plane("x", x.view()), Mode::read_write), integer(1)}, "twice");
    BuiltGraph graph = on_device(std::move(g));
    graph.bind("x", z.view()).launch().synchronize();
    EXPECT_EQ(simulated::down<std::int64_t>(x), (Plane{1, 2}));
    EXPECT_EQ(simulated::down<std::int64_t>(z), (Plane{21, 41}));
    Plane host{1, 2};
    expect_thrown<BufferRefused>([&] { graph.bind("x", ArrayView::of(std::span(host))); },
                                 {"plane 'x'", "in host memory", "it needs one in sim:0"});
    const Array other = Array::upload(ArrayView::of(std::span(host)), simulated::backend(), 1);
    expect_thrown<BufferRefused>([&] { graph.bind("x", other.view()); }, {"sim:1", "it needs one in sim:0"});
}

TEST(SimulatedGraph, IsRefusedOnAnExecutorOfAnotherDevice) {
    const Array x = simulated::up<std::int64_t>({1}, 1);
    GraphDescription g;
    g.fill(g.plane("x", x.view()), 3);
    expect_thrown<BufferRefused>([&] { (void)on_device(std::move(g)); },
                                 {"plane 'x'", "sim:1", "device 0 of kind 'sim'"});
}

Kernel scale(const std::string& kind = "cpu") { return Artifact::load(handmade::example()).kernel("scale", kind); }

// out = a x + b, of a plan that was made for the host and of one that was made for the device.
TEST(SimulatedGraph, LaunchesPlansWhereTheirPlanesLive) {
    for (const std::int32_t ordinal : {0, 1})
        for (const Plan& plan :
             {Plan(scale()), Plan(scale(simulated::backend().kind()), DeviceKernel("sim", ordinal))}) {
            const Array x = simulated::up<double>({1, -2, 0.5}, ordinal);
            GraphDescription g;
            const Call twice = g.call(plan, {{"x", g.plane("x", x.view())}, {"a", Number{2.0, "a"}}, {"b", 1.0}});
            g.call(plan, {{"x", twice.outputs[0].second}, {"out", g.find_plane("x")}, {"a", 1.0}, {"b", 0.25}});
            BuiltGraph graph =
                lower(std::make_shared<const GraphDescription>(std::move(g)), Executor(simulated::backend(), ordinal));
            graph.launch().synchronize();
            EXPECT_EQ(simulated::down<double>(x), (std::vector<double>{3.25, -2.75, 2.25}));
            graph.update("a", 0.0).launch().synchronize();
            EXPECT_EQ(simulated::down<double>(x), (std::vector<double>{1.25, 1.25, 1.25}));
        }
}

TEST(SimulatedGraph, RefusesAPlanWhoseStructureIsElsewhere) {
    const Array x = simulated::up<double>({1, -2, 0.5});
    const auto launched = [&](const Plan& plan) {
        GraphDescription g;
        g.call(plan, {{"x", g.plane("x", x.view())}, {"a", 2.0}, {"b", 1.0}});
        (void)on_device(std::move(g));
    };
    expect_thrown<BufferRefused>(
        [&] { launched(Plan(scale(), HostTeam{2})); },
        {"SimulatedTest.cpp:", "node 'scale'", "argument 'x' of kernel 'scale'", "the structure is a HostTeam"});
    expect_thrown<BufferRefused>([&] { launched(Plan(scale("sim"), DeviceKernel("sim", 1))); },
                                 {"the structure is a DeviceKernel of sim:1"});
}

// What a replay still uses, lives.
TEST(SimulatedGraph, LetsGoOfAReplacedArrayWhenItsReplaysAreDone) {
    const Array x = simulated::up<std::int64_t>({1, 2});
    Plane host(2);
    std::atomic<bool> go_on{false};
    GraphDescription g;
    const PlaneRef px = g.plane("x", x.view()), ph = g.plane("host", ArrayView::of(std::span(host)));
    g.copy(ph, px);
    g.host([&] { go_on.wait(false); }, {ph}, {});
    BuiltGraph graph = on_device(std::move(g));
    auto first = std::make_shared<Array>(simulated::up<std::int64_t>({3, 4}));
    auto second = std::make_shared<Array>(simulated::up<std::int64_t>({5, 6}));
    graph.bind("x", first->view(), first).launch();
    const std::weak_ptr<Array> seen = first;
    first.reset();
    graph.bind("x", second->view(), second);
    EXPECT_FALSE(seen.expired());
    go_on = true;
    go_on.notify_all();
    graph.synchronize();
    EXPECT_TRUE(seen.expired());
    EXPECT_EQ(host, (Plane{3, 4}));
    graph.launch().synchronize();
    EXPECT_EQ(host, (Plane{5, 6}));
    EXPECT_EQ(second.use_count(), 2);
}

// Host memory that only copies and host functions touch says nothing of where the rest runs: the executor does.
TEST(SimulatedGraph, TakesAGraphOfTheHostsMemoryThatCopiesIt) {
    Plane x{1, 2, 3};
    double told = 0;
    GraphDescription g("over");
    const PlaneRef px = g.plane("x", ArrayView::of(std::span(x))), on = g.scratch("on", {3}, Dtype::int64);
    g.copy(on, px);
    g.function(function("twice_and"), 3, {whole(on, Mode::read_write), integer(1)}, "twice");
    g.copy(px, on);
    g.host([&] { told = static_cast<double>(x[0] + x[1] + x[2]); }, {px}, {});
    g.keep(on);
    BuiltGraph graph = on_device(std::move(g));
    graph.launch().synchronize();
    EXPECT_EQ(x, (Plane{3, 5, 7}));
    EXPECT_EQ(told, 15.0);
    EXPECT_EQ(graph.analysis().device, (eagle::graph::Device{12, 0}));
    const ArrayView result = graph.array(on);
    EXPECT_EQ(result.device_type, 12);
    EXPECT_EQ(simulated::down<std::int64_t>(Array::over(result, nullptr, simulated::backend())), (Plane{3, 5, 7}));
    EXPECT_EQ(graph.array(px).device_type, 1);
}

TEST(SimulatedGraph, RefusesAGraphOfTheHostsMemoryThatComputesOnIt) {
    Plane x{1, 2, 3};
    GraphDescription g;
    const PlaneRef px = g.plane("x", ArrayView::of(std::span(x)));
    g.copy(g.scratch("on", {3}, Dtype::int64), px);
    g.function(function("twice_and"), 3, {whole(px, Mode::read_write), integer(1)}, "twice");
    expect_thrown<BufferRefused>([&] { (void)on_device(std::move(g)); },
                                 {"node 'twice' (function) was given plane 'x'", "host memory",
                                  "the graph runs on sim:0; only copies and host functions take host memory there"});
    GraphDescription reads;
    const PlaneRef scratch = reads.scratch("on", {3}, Dtype::int64);
    reads.copy(scratch, reads.plane("x", ArrayView::of(std::span(x))));
    reads.host([] {}, {scratch}, {}, "look");
    expect_thrown<BufferRefused>([&] { (void)on_device(std::move(reads)); },
                                 {"node 'look' (host) was given plane 'on'", "which lives on sim:0",
                                  "a host function reads and writes host memory"});
}

TEST(SimulatedArray, OverMemoryThatIsNotDenseIsNotCopied) {
    const Array whole = simulated::up<std::int64_t>({1, 2, 3, 4});
    ArrayView half = whole.view();
    half.shape[0] = 2;
    half.strides[0] = 16;
    const Array part = Array::over(half, whole.owner(), simulated::backend());
    Plane host(2);
    expect_thrown<LayoutError>([&] { (void)part.download(); }, {"the array on sim:0 is not dense"});
    expect_thrown<LayoutError>([&] { part.assign(ArrayView::of(std::span(host))); }, {"not dense", "make a dense one"});
}

// What no order of the device's may change: diamonds over shared planes, in the order of several seeds (the runs of
// this test under EAGLE_SIM_SCHEDULE).
TEST(SimulatedGraph, KeepsItsEdges) {
    constexpr int lanes = 4, rounds = 6;
    std::vector<Array> arrays;
    GraphDescription g;
    std::vector<PlaneRef> planes;
    for (int i = 0; i < lanes; ++i) {
        arrays.push_back(simulated::up<std::int64_t>(Plane(64, i)));
        planes.push_back(g.plane("x" + std::to_string(i), arrays.back().view()));
    }
    std::vector<Plane> want;
    for (int i = 0; i < lanes; ++i) want.emplace_back(64, i);
    for (int r = 0; r < rounds; ++r) {
        for (int i = 0; i < lanes; ++i) {
            const auto k = static_cast<std::size_t>(i);
            g.function(function("twice_and"), 64, {whole(planes[k], Mode::read_write), integer(r + i)}, {});
            for (auto& v : want[k]) v = 2 * v + r + i;
        }
        const auto to = static_cast<std::size_t>(r % lanes), from = static_cast<std::size_t>((r + 1) % lanes);
        g.copy(planes[to], planes[from]);
        want[to] = want[from];
    }
    BuiltGraph graph = on_device(std::move(g));
    graph.launch().synchronize();
    for (std::size_t i = 0; i < lanes; ++i) EXPECT_EQ(simulated::down<std::int64_t>(arrays[i]), want[i]) << i;
}

}  // namespace
