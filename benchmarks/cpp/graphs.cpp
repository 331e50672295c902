// What replays cost through the seam of kind cpu: an empty graph, tiny nodes in a chain, side by side and in diamonds,
// a fork with its join, and a loop that the graph itself decides. flow_graph.cpp has the same shapes over oneTBB.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>

#include <cstdio>
#include <cstdlib>

namespace {

void* address_of(const char* name) {
    static void* library = dlopen(EAGLE_CPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
    void* address = library ? dlsym(library, name) : nullptr;
    if (!address) {
        std::fprintf(stderr, "%s: %s\n", name, dlerror());
        std::exit(1);
    }
    return address;
}
#define SEAM(name) reinterpret_cast<decltype(&eagle_backend_##name)>(address_of("eagle_backend_" #name))

void require(eagle_backend_status status) {
    if (status == EAGLE_BACKEND_OK) return;
    std::fprintf(stderr, "%s\n", SEAM(last_error)());
    std::exit(1);
}

template <class T>
T make() {
    T desc{};
    desc.struct_size = sizeof desc;
    return desc;
}

void empty(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

using Entry = void(void* const*, std::int64_t, std::int64_t, std::int64_t);

void put(std::uint64_t stream, Entry* entry = &empty, std::uint64_t argument = 0) {
    auto desc = make<struct eagle_backend_launch_desc>();
    const std::uint64_t params[1] = {reinterpret_cast<std::uint64_t>(&argument)}, sizes[1] = {8};
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(entry);
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 1;
    desc.count = desc.n_samples = 1;
    desc.stream = stream;
    std::int32_t launched = 0;
    require(SEAM(run_device)(&desc, &launched));
}

struct Shape {
    eagle_backend_stream stream = nullptr;
    eagle_backend_capturer capturer = nullptr;
    eagle_backend_graph graph = nullptr;
    eagle_backend_launcher launcher = nullptr;
    std::uint64_t raw = 0;

    Shape() {
        auto desc = make<struct eagle_backend_stream_desc>();
        require(SEAM(stream_create)(&desc, &stream));
        require(SEAM(stream_ptr)(stream, &raw));
        auto capturing = make<struct eagle_backend_capturer_desc>();
        capturing.stream = raw;
        require(SEAM(capturer_create)(&capturing, &capturer));
    }
    void finish() {
        eagle_backend_captured captured = nullptr;
        require(SEAM(capturer_end)(capturer, &captured));
        require(SEAM(graph_from_captured)(captured, &graph));
        ready();
    }
    void ready() {
        require(SEAM(graph_stream)(graph, raw));
        require(SEAM(graph_launcher)(graph, &launcher));
    }
    ~Shape() {
        SEAM(launcher_release)(launcher);
        SEAM(graph_release)(graph);
        SEAM(capturer_release)(capturer);
        SEAM(stream_release)(stream);
    }
    void replays(benchmark::State& state, std::int64_t nodes) const {
        auto launch = SEAM(launcher_launch);
        auto synchronize = SEAM(launcher_synchronize);
        for (auto _ : state) {
            launch(launcher);
            synchronize(launcher);
        }
        state.SetItemsProcessed(state.iterations() * nodes);
    }
};

void empty_graph(benchmark::State& state) {
    Shape shape;
    auto desc = make<struct eagle_backend_graph_desc>();
    require(SEAM(graph_create)(&desc, &shape.graph));
    shape.ready();
    shape.replays(state, 1);
}

void chain(benchmark::State& state) {
    Shape shape;
    require(SEAM(capturer_begin)(shape.capturer));
    for (std::int64_t i = 0; i < state.range(0); ++i) put(shape.raw);
    shape.finish();
    shape.replays(state, state.range(0));
}

// `width` nodes side by side, `rounds` times.
void forks(benchmark::State& state, std::int64_t width, std::int64_t rounds) {
    Shape shape;
    auto desc = make<struct eagle_backend_fork_desc>();
    desc.origin = shape.raw;
    desc.branch_count = std::uint64_t(width);
    eagle_backend_fork fork = nullptr;
    require(SEAM(fork_create)(&desc, &fork));
    require(SEAM(capturer_begin)(shape.capturer));
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
    Shape shape;
    std::uint32_t left = 0, counter[2] = {};
    const auto cell = reinterpret_cast<std::uint64_t>(&left);
    auto desc = make<struct eagle_backend_conditional_desc>();
    desc.loop_cap = 0xffffffffu;
    desc.origin = shape.raw;
    desc.count_ptr = cell;
    desc.counter_ptr = reinterpret_cast<std::uint64_t>(counter);
    eagle_backend_conditional loop = nullptr;
    require(SEAM(conditional_create)(&desc, &loop));
    require(SEAM(capturer_begin)(shape.capturer));
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
