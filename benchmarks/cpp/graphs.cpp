// What replays cost through the seam of kind cpu: an empty graph, and tiny nodes in a chain, side by side, and in
// diamonds.
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

void put(std::uint64_t stream) {
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(&empty);
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

void wide(benchmark::State& state) { forks(state, state.range(0) - 1, 1); }
void diamonds(benchmark::State& state) { forks(state, 4, state.range(0) / 5); }

}  // namespace

BENCHMARK(empty_graph)->Name("launch_and_synchronize_an_empty_graph");
BENCHMARK(chain)->Arg(1)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(wide)->Arg(10)->Arg(100)->Arg(10000);
BENCHMARK(diamonds)->Arg(10)->Arg(100)->Arg(10000);

BENCHMARK_MAIN();
