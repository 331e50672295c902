// What replays cost through the seam of kind cpu: an empty graph, tiny nodes in a chain, side by side and in diamonds,
// a fork with its join, and a loop that the graph itself decides. flow_graph.cpp has the same shapes over oneTBB.
#include <benchmark/benchmark.h>

#include "Captured.h"

namespace {

using namespace client;

void empty_graph(benchmark::State& state) {
    Captured shape;
    auto desc = make<struct eagle_backend_graph_desc>();
    require(SEAM(graph_create)(&desc, &shape.graph));
    shape.ready();
    shape.replays(state, 1);
}

// `width` nodes side by side, `rounds` times.
void forks(benchmark::State& state, std::int64_t width, std::int64_t rounds) {
    Captured shape;
    auto desc = make<struct eagle_backend_fork_desc>();
    desc.origin = shape.raw;
    desc.branch_count = std::uint64_t(width);
    eagle_backend_fork fork = nullptr;
    require(SEAM(fork_create)(&desc, &fork));
    shape.begin();
    for (std::int64_t r = 0; r < rounds; ++r) {
        require(SEAM(fork_fork)(fork));
        for (std::int64_t i = 0; i < width; ++i) {
            std::uint64_t branch = 0;
            require(SEAM(fork_branch)(fork, std::uint64_t(i), &branch));
            put(branch);
        }
        require(SEAM(fork_join)(fork));
        put(shape.raw);
    }
    shape.finish();
    SEAM(fork_release)(fork);
    shape.replays(state, rounds * (width + 1));
}

void fork_and_join(benchmark::State& state) { forks(state, 2, 1); }

void count_down(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    --**static_cast<std::uint32_t* const*>(params[0]);
}

// A while node whose body is one tiny kernel; the cell is set again before each replay.
void while_loop(benchmark::State& state) {
    Captured shape;
    std::uint32_t left = 0, counter[2] = {};
    const auto cell = reinterpret_cast<std::uint64_t>(&left);
    auto desc = make<struct eagle_backend_conditional_desc>();
    desc.loop_cap = 0xffffffffu;
    desc.origin = shape.raw;
    desc.count_ptr = cell;
    desc.counter_ptr = reinterpret_cast<std::uint64_t>(counter);
    eagle_backend_conditional loop = nullptr;
    require(SEAM(conditional_create)(&desc, &loop));
    shape.begin();
    std::uint64_t body = 0;
    require(SEAM(conditional_begin)(loop, &body));
    put(body, &count_down, cell);
    require(SEAM(conditional_end)(loop));
    shape.finish();
    SEAM(conditional_release)(loop);
    auto launch = SEAM(launcher_launch);
    auto synchronize = SEAM(launcher_synchronize);
    for (auto _ : state) {
        left = static_cast<std::uint32_t>(state.range(0));
        launch(shape.launcher);
        synchronize(shape.launcher);
    }
    if (left != 0 || counter[1] != static_cast<std::uint32_t>(state.range(0))) {
        state.SkipWithError("the loop did not run as often as its cell said");
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void wide(benchmark::State& state) { forks(state, state.range(0) - 1, 1); }
void diamonds(benchmark::State& state) { forks(state, 4, state.range(0) / 5); }

}  // namespace

BENCHMARK(empty_graph)->Name("launch_and_synchronize_an_empty_graph");
BENCHMARK(chain)->Arg(1)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(wide)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(diamonds)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(fork_and_join);
BENCHMARK(while_loop)->Arg(1)->Arg(1000);

BENCHMARK_MAIN();
