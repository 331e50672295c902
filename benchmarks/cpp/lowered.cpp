// What a lowered graph costs: describing and lowering it, and replaying it, a node of a chain beside the same chain at
// the seam (the program graphs).
#include <benchmark/benchmark.h>
#include <eagle/eagle.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace eagle;
using namespace eagle::graph;

void empty(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

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
BENCHMARK(update_a_number);

BENCHMARK_MAIN();
