// Compaction beside a plain copy of the same number of bytes over the same threads, through the exported symbols of
// kind cpu. Bytes a second count what has to move: the mask once and the map's kept slots once; of the copy, both
// sides.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

template <class F>
F symbol(const char* name) {
    static void* library = dlopen(EAGLE_CPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
    void* address = library ? dlsym(library, name) : nullptr;
    if (!address) {
        std::fprintf(stderr, "%s: %s\n", name, dlerror());
        std::exit(1);
    }
    return reinterpret_cast<F>(address);
}
#define SEAM(name) symbol<decltype(&eagle_backend_##name)>("eagle_backend_" #name)

std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

void must(eagle_backend_status status) {
    if (status == EAGLE_BACKEND_OK) return;
    std::fprintf(stderr, "%s\n", SEAM(last_error)());
    std::exit(1);
}

// A mask of n samples of which range(1) percent are kept, one by one at random.
std::vector<std::uint8_t> random_mask(std::size_t n, std::int64_t percent) {
    std::mt19937 numbers(1);
    std::vector<std::uint8_t> mask(n);
    for (auto& m : mask) m = std::int64_t(numbers() % 100) < percent ? 1 : 0;
    return mask;
}

double kept_share(const std::vector<std::uint8_t>& mask) {
    std::size_t kept = 0;
    for (auto m : mask) kept += m;
    return double(kept) / double(mask.size());
}

void compact(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const auto mask = random_mask(n, state.range(1));
    std::vector<std::int32_t> map(n);
    std::uint32_t count = 0;
    struct eagle_backend_compact_desc desc{};
    desc.struct_size = sizeof desc;
    desc.n = state.range(0);
    const auto compact_device = SEAM(compact_device);
    must(compact_device(&desc));
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(desc.scratch_bytes));
    desc.mask = at(mask.data());
    desc.index_map = at(map.data());
    desc.count = at(&count);
    desc.scratch = at(scratch.data());
    for (auto _ : state) {
        must(compact_device(&desc));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * std::int64_t(n + 4 * std::size_t(count)));
}

void copy_part(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    std::memcpy(*static_cast<std::uint8_t* const*>(params[1]) + base,
                *static_cast<std::uint8_t* const*>(params[0]) + base, std::size_t(count));
}

// Half of the bytes that the compaction of the same row moves, read and written.
void copy(benchmark::State& state) {
    const double share = kept_share(random_mask(std::size_t(state.range(0)), state.range(1)));
    const auto bytes = std::size_t(double(state.range(0)) * (1 + 4 * share) / 2);
    std::vector<std::uint8_t> from(bytes, 1), to(bytes);
    std::uint8_t *src = from.data(), *dst = to.data();
    const std::uint64_t params[2] = {at(&src), at(&dst)}, sizes[2] = {8, 8};
    struct eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(&copy_part);
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 2;
    desc.count = desc.n_samples = std::int64_t(bytes);
    std::int32_t launched = 0;
    const auto run_device = SEAM(run_device);
    for (auto _ : state) {
        must(run_device(&desc, &launched));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * 2 * std::int64_t(bytes));
}

// The same bytes by one memcpy of the seam, on one thread.
void copy_alone(benchmark::State& state) {
    const double share = kept_share(random_mask(std::size_t(state.range(0)), state.range(1)));
    const auto bytes = std::size_t(double(state.range(0)) * (1 + 4 * share) / 2);
    std::vector<std::uint8_t> from(bytes, 1), to(bytes);
    const auto memcpy_device = SEAM(memcpy_device);
    for (auto _ : state) {
        must(memcpy_device(at(to.data()), at(from.data()), bytes, 0));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * 2 * std::int64_t(bytes));
}

// A mask and eight planes of 8 bytes; the maps are reset and the mask is put back between the rounds, untimed.
void reorder(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    auto mask = random_mask(n, state.range(1));
    const auto first = mask;
    std::vector<std::vector<double>> planes(8, std::vector<double>(n, 1.0));
    std::vector<std::int32_t> perm(n), inv(n), map(n);
    std::uint32_t count = 0, span = 0;
    std::vector<struct eagle_backend_reorder_plane> rows{{at(mask.data()), 1, 0}};
    for (auto& plane : planes) rows.push_back({at(plane.data()), 8, 0});
    struct eagle_backend_reorder_desc desc{};
    desc.struct_size = sizeof desc;
    desc.n = state.range(0);
    desc.n_planes = 9;
    desc.planes = at(rows.data());
    const auto reorder_device = SEAM(reorder_device);
    must(reorder_device(&desc));
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(desc.scratch_bytes));
    desc.mask = at(mask.data());
    desc.perm = at(perm.data());
    desc.inv = at(inv.data());
    desc.index_map = at(map.data());
    desc.count = at(&count);
    desc.span = at(&span);
    struct eagle_backend_reorder_desc whole{};
    whole = desc;
    desc.scratch = at(scratch.data());
    for (auto _ : state) {
        state.PauseTiming();
        must(SEAM(reset_device)(&whole));
        std::copy(first.begin(), first.end(), mask.begin());
        state.ResumeTiming();
        must(reorder_device(&desc));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * 2 * std::int64_t(n) * (1 + 8 * 8 + 4));
}

void rows(benchmark::internal::Benchmark* b) {
    for (std::int64_t n : {100000, 1000000, 20000000}) {
        for (std::int64_t percent : {0, 1, 50, 90, 100}) b->Args({n, percent});
    }
    b->ArgNames({"n", "kept%"})->UseRealTime();
}

}  // namespace

BENCHMARK(compact)->Apply(rows);
BENCHMARK(copy)->Apply(rows);
BENCHMARK(copy_alone)->Apply(rows);
BENCHMARK(reorder)->ArgNames({"n", "kept%"})->Args({1000000, 50})->Args({1000000, 90})->UseRealTime();

BENCHMARK_MAIN();
