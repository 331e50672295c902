// The shapes of graphs.cpp over oneTBB's flow graph: built once, sent a message and waited for.
#include <benchmark/benchmark.h>
#include <tbb/flow_graph.h>

#include <memory>
#include <vector>

namespace {

namespace flow = tbb::flow;
using Node = flow::continue_node<flow::continue_msg>;

struct FlowGraph {
    flow::graph graph;
    flow::broadcast_node<flow::continue_msg> start{graph};
    std::vector<std::unique_ptr<Node>> nodes;

    Node& add() {
        return *nodes.emplace_back(std::make_unique<Node>(graph, [](const flow::continue_msg& m) {
            benchmark::ClobberMemory();
            return m;
        }));
    }
    void runs(benchmark::State& state) {
        for (auto _ : state) {
            start.try_put(flow::continue_msg());
            graph.wait_for_all();
        }
        state.SetItemsProcessed(state.iterations() * std::int64_t(nodes.size()));
    }
};

void chain(benchmark::State& state) {
    FlowGraph g;
    flow::make_edge(g.start, g.add());
    for (std::int64_t i = 1; i < state.range(0); ++i) {
        Node& before = *g.nodes.back();
        flow::make_edge(before, g.add());
    }
    g.runs(state);
}

void forks(benchmark::State& state, std::int64_t width, std::int64_t rounds) {
    FlowGraph g;
    Node* joined = nullptr;
    for (std::int64_t r = 0; r < rounds; ++r) {
        std::vector<Node*> branches;
        for (std::int64_t i = 0; i < width; ++i) {
            Node& branch = g.add();
            joined ? flow::make_edge(*joined, branch) : flow::make_edge(g.start, branch);
            branches.push_back(&branch);
        }
        joined = &g.add();
        for (Node* branch : branches) flow::make_edge(*branch, *joined);
    }
    g.runs(state);
}

void wide(benchmark::State& state) { forks(state, state.range(0) - 1, 1); }
void diamonds(benchmark::State& state) { forks(state, 4, state.range(0) / 5); }
void fork_and_join(benchmark::State& state) { forks(state, 2, 1); }

}  // namespace

BENCHMARK(chain)->Name("oneTBB_chain")->Arg(1)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(wide)->Name("oneTBB_wide")->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(diamonds)->Name("oneTBB_diamonds")->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(fork_and_join)->Name("oneTBB_fork_and_join");
