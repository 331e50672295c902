// What a lowered graph costs: describing and lowering it, replaying it beside the same chain captured by hand at the
// seam, and what a trace adds.
#include <benchmark/benchmark.h>
#include <eagle/eagle.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "Captured.h"

namespace {

using namespace eagle;
using namespace eagle::graph;

using client::empty;

// Nodes of one sample on one plane, each behind the one before it.
GraphDescription chain_of(std::int64_t nodes, std::vector<double>& x) {
    GraphDescription g("chain");
    FunctionArgument argument;
    argument.plane = g.plane("x", ArrayView::of(std::span(x)));
    argument.mode = Mode::read_write;
    for (std::int64_t i = 0; i < nodes; ++i) g.function(reinterpret_cast<std::uint64_t>(&empty), 1, {argument}, {});
    return g;
}

// Chains side by side that meet every fifth node.
GraphDescription diamonds_of(std::int64_t nodes, std::vector<double>& x) {
    GraphDescription g("diamonds");
    std::vector<FunctionArgument> lanes(4);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        lanes[i].plane = g.plane("x" + std::to_string(i), ArrayView::of(std::span(x).subspan(i, 1)));
        lanes[i].mode = Mode::read_write;
    }
    for (std::int64_t i = 0; i < nodes / 5; ++i) {
        for (const FunctionArgument& lane : lanes) g.function(reinterpret_cast<std::uint64_t>(&empty), 1, {lane}, {});
        g.function(reinterpret_cast<std::uint64_t>(&empty), 1, lanes, {});
    }
    return g;
}

// Each node writes scratch of its own from the scratch of the one before it.
GraphDescription scratch_of(std::int64_t nodes, std::vector<double>& x) {
    GraphDescription g("scratch");
    PlaneRef last = g.plane("x", ArrayView::of(std::span(x).subspan(0, 1)));
    for (std::int64_t i = 0; i < nodes; ++i) {
        std::vector<FunctionArgument> planes(2);
        planes[0].plane = last;
        planes[1].plane = last = g.scratch(std::to_string(i), {1}, Dtype::float64);
        planes[1].mode = Mode::write;
        planes[1].whole = true;
        g.function(reinterpret_cast<std::uint64_t>(&empty), 1, std::move(planes), {});
    }
    return g;
}

template <GraphDescription (*describe)(std::int64_t, std::vector<double>&)>
void replay(benchmark::State& state) {
    std::vector<double> x(4);
    BuiltGraph graph = lower(describe(state.range(0), x), cpu::Graph());
    for (auto _ : state) graph.launch();
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <GraphDescription (*describe)(std::int64_t, std::vector<double>&)>
void describe_and_lower(benchmark::State& state) {
    std::vector<double> x(4);
    for (auto _ : state) benchmark::DoNotOptimize(lower(describe(state.range(0), x), cpu::Graph()).report().captured);
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The same chain by hand: the capture alone, until it can be launched.
void capture_by_hand(benchmark::State& state) {
    for (auto _ : state) {
        client::Captured graph;
        graph.begin();
        for (std::int64_t i = 0; i < state.range(0); ++i) client::put(graph.raw);
        graph.finish();
        benchmark::DoNotOptimize(graph.launcher);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

// About 20 us.
void some_work(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double* x = *static_cast<double* const*>(params[0]);
    for (std::int64_t i = base; i < base + count; ++i)
        for (int k = 0; k < 5000; ++k) x[i] = x[i] * 0.999999 + 1e-6;
}

GraphDescription working_chain(std::int64_t nodes, std::vector<double>& x) {
    GraphDescription g("working chain");
    FunctionArgument argument;
    argument.plane = g.plane("x", ArrayView::of(std::span(x).subspan(0, 1)));
    argument.mode = Mode::read_write;
    for (std::int64_t i = 0; i < nodes; ++i) g.function(reinterpret_cast<std::uint64_t>(&some_work), 1, {argument}, {});
    return g;
}

// A number of replays that a recording has room for; writing the file is not in the time.
template <GraphDescription (*describe)(std::int64_t, std::vector<double>&)>
void replay_traced(benchmark::State& state) {
    std::vector<double> x(4, 1.0);
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "eagle_bench_trace.json";
    BuiltGraph graph = lower(describe(state.range(0), x), cpu::Graph());
    {
        Trace trace(file);
        graph.launch();  // captured for the trace
        for (auto _ : state) graph.launch();
        if (trace.stop().dropped != 0) state.SkipWithError("the recording had no room for all of it");
    }
    std::filesystem::remove(file);
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void update_a_number(benchmark::State& state) {
    std::vector<double> x(4);
    GraphDescription g;
    FunctionArgument plane, number;
    plane.plane = g.plane("x", ArrayView::of(std::span(x)));
    plane.mode = Mode::read_write;
    number.bytes.resize(8);
    number.updatable_as = "a";
    g.function(reinterpret_cast<std::uint64_t>(&empty), 1, {plane, number}, {});
    BuiltGraph graph = lower(std::move(g), cpu::Graph());
    double a = 0;
    for (auto _ : state) {
        a += 1;
        graph.update("a", std::as_bytes(std::span(&a, 1))).launch();
    }
}

}  // namespace

BENCHMARK(replay<chain_of>)->Name("replay_chain")->Arg(1)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(replay<diamonds_of>)->Name("replay_diamonds")->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(describe_and_lower<chain_of>)
    ->Name("describe_and_lower_chain")
    ->Arg(10)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(describe_and_lower<diamonds_of>)
    ->Name("describe_and_lower_diamonds")
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(describe_and_lower<scratch_of>)
    ->Name("describe_and_lower_scratch_chain")
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(client::chain)->Name("replay_chain_by_hand")->Arg(10000);
BENCHMARK(capture_by_hand)->Name("capture_chain_by_hand")->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(replay<working_chain>)->Name("replay_working_chain")->Arg(100);
BENCHMARK(replay_traced<working_chain>)->Name("replay_working_chain_traced")->Arg(100)->Iterations(20);
BENCHMARK(replay_traced<chain_of>)->Name("replay_chain_traced")->Arg(1000)->Iterations(50);
BENCHMARK(update_a_number);

BENCHMARK_MAIN();
