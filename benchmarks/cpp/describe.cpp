// What it takes to record, order and place a graph of many nodes.
#include <benchmark/benchmark.h>
#include <eagle/GraphAnalysis.h>

#include <string>
#include <vector>

namespace {

using namespace eagle;
using namespace eagle::graph;

struct Lines {
    explicit Lines(std::size_t n) : memory(n * 64) {}
    PlaneRef at(GraphDescription& g, std::size_t i, std::int64_t length = 64, std::int64_t stride = 1) {
        ArrayView view = ArrayView::host(memory.data() + i, Dtype::float64, {length});
        view.strides[0] = 8 * stride;
        return g.plane("p" + std::to_string(g.planes().size()), view);
    }
    std::vector<double> memory;
};

// Each node reads what the one before wrote.
void chain(GraphDescription& g, Lines& lines, int nodes) {
    const PlaneRef a = lines.at(g, 0), b = lines.at(g, 64);
    for (int i = 0; i < nodes; ++i) g.copy(i % 2 == 0 ? b : a, i % 2 == 0 ? a : b);
}

// Nodes on blocks of one array, and every hundredth on all of it.
void blocks(GraphDescription& g, Lines& lines, int nodes) {
    std::vector<PlaneRef> of;
    for (std::size_t i = 0; i < 500; ++i) of.push_back(lines.at(g, i * 64));
    const PlaneRef all = lines.at(g, 0, 500 * 64), sum = lines.at(g, 500 * 64, 1);
    for (int i = 0; i < nodes; ++i) {
        if (i % 100 == 99)
            g.reduce(Fold::sum, all, sum);
        else
            g.fill(of[static_cast<std::size_t>(i * 7 % 500)], 1.0);
    }
}

// Nodes on columns of one array of 1000 columns, which interleave and do not meet.
void columns(GraphDescription& g, Lines& lines, int nodes) {
    std::vector<PlaneRef> of;
    for (std::size_t i = 0; i < 1000; ++i) of.push_back(lines.at(g, i, 64, 1000));
    for (int i = 0; i < nodes; ++i) g.host([] {}, {}, {of[static_cast<std::size_t>(i) % 1000]});
}

// Every node makes scratch that the next one reads.
void scratch(GraphDescription& g, Lines& lines, int nodes) {
    PlaneRef last = lines.at(g, 0);
    for (int i = 0; i < nodes; ++i) {
        const PlaneRef next = g.scratch("s" + std::to_string(i), {64}, Dtype::float64);
        g.copy(next, last);
        last = next;
    }
}

using Make = void (*)(GraphDescription&, Lines&, int);

void record(benchmark::State& state, Make make) {
    for (auto _ : state) {
        Lines lines(1024);
        GraphDescription g;
        make(g, lines, static_cast<int>(state.range(0)));
        benchmark::DoNotOptimize(g.nodes().data());
    }
}

void order(benchmark::State& state, Make make) {
    Lines lines(1024);
    GraphDescription g;
    make(g, lines, static_cast<int>(state.range(0)));
    std::size_t edges = 0;
    for (auto _ : state) edges = analyze(g).edges.size();
    state.counters["edges"] = static_cast<double>(edges);
}

void place(benchmark::State& state, Make make) {
    Lines lines(1024);
    GraphDescription g;
    make(g, lines, static_cast<int>(state.range(0)));
    const GraphAnalysis analysis = analyze(g);
    for (auto _ : state) benchmark::DoNotOptimize(plan_arena(g, analysis).bytes);
}

#define EAGLE_DESCRIBE(what, make) \
    BENCHMARK_CAPTURE(what, make, make)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond)
EAGLE_DESCRIBE(record, chain);
EAGLE_DESCRIBE(record, scratch);
EAGLE_DESCRIBE(order, chain);
EAGLE_DESCRIBE(order, blocks);
EAGLE_DESCRIBE(order, columns);
EAGLE_DESCRIBE(order, scratch);
EAGLE_DESCRIBE(place, scratch);

}  // namespace

BENCHMARK_MAIN();
