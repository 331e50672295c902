// What the seam of kind cpu costs: launches as a client makes them, through the library's exported symbols.
#include <benchmark/benchmark.h>

#include <vector>

#include "Seam.h"

namespace {

using namespace client;

struct Client {
    decltype(&eagle_backend_run_device) run_device = SEAM(run_device);
    decltype(&eagle_backend_stream_synchronize) synchronize = SEAM(stream_synchronize);
    decltype(&eagle_backend_stream_release) release = SEAM(stream_release);
    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;

    Client() {
        auto desc = make<struct eagle_backend_stream_desc>();
        require(SEAM(stream_create)(&desc, &handle));
        require(SEAM(stream_ptr)(handle, &raw));
    }
    ~Client() { release(handle); }
};

void empty(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

// y = a * x + b
void line(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double a = *static_cast<const double*>(params[0]), b = *static_cast<const double*>(params[1]);
    const double* x = *static_cast<const double* const*>(params[2]);
    double* y = *static_cast<double* const*>(params[3]);
    for (std::int64_t i = base; i < base + count; ++i) y[i] = a * x[i] + b;
}

// A hundred steps of x += dt * (-k x), a sample at a time.
void decay(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double k = *static_cast<const double*>(params[0]), dt = *static_cast<const double*>(params[1]);
    const double* x = *static_cast<const double* const*>(params[2]);
    double* y = *static_cast<double* const*>(params[3]);
    for (std::int64_t i = base; i < base + count; ++i) {
        double v = x[i];
        for (int step = 0; step < 100; ++step) v += dt * (-k * v);
        y[i] = v;
    }
}

// Launch and synchronize on an idle stream; range(0) samples.
template <Entry* entry>
void launch(benchmark::State& state) {
    Client client;
    const std::int64_t n = state.range(0);
    double a = 0.5, b = 0.01;
    std::vector<double> from(std::size_t(n), 1.0), to(std::size_t(n), 0.0);
    double *x = from.data(), *y = to.data();
    const std::uint64_t params[4] = {reinterpret_cast<std::uint64_t>(&a), reinterpret_cast<std::uint64_t>(&b),
                                     reinterpret_cast<std::uint64_t>(&x), reinterpret_cast<std::uint64_t>(&y)};
    const std::uint64_t sizes[4] = {sizeof a, sizeof b, sizeof x, sizeof y};
    struct eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(entry);
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 4;
    desc.count = desc.n_samples = n;
    desc.stream = client.raw;
    std::int32_t launched = 0;
    for (auto _ : state) {
        if (client.run_device(&desc, &launched) != EAGLE_BACKEND_OK) state.SkipWithError("the launch failed");
        client.synchronize(client.handle);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * n);
}

}  // namespace

BENCHMARK_TEMPLATE(launch, empty)->Name("empty_launch_and_synchronize")->Arg(1);
BENCHMARK_TEMPLATE(launch, line)->Name("line")->Arg(1000)->Arg(1000000)->UseRealTime();
BENCHMARK_TEMPLATE(launch, decay)->Name("decay_100_steps")->Arg(1000)->Arg(100000)->UseRealTime();

BENCHMARK_MAIN();
