// Compaction beside a plain copy of the same number of bytes over the same threads, through the exported symbols of
// kind cpu. Bytes count what has to move, whatever the code does: of a compaction the mask, which is read once, and the
// kept slots of the map, which are written once; of the copy both sides. read_alone reads the mask and nothing else: no
// compaction of as many samples can be faster. `median` is bytes a second of the call in the middle, which another
// program on the machine disturbs less than the mean; `best` is of the fastest, in which each thread happened to get
// what it had in its caches.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "Seam.h"

namespace {

using namespace client;

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

// Also the call in the middle, and the fastest.
template <class Call>
void measure(benchmark::State& state, std::size_t bytes, const Call& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    seconds.reserve(std::size_t(state.max_iterations));
    for (auto _ : state) {
        const auto begin = Clock::now();
        call();
        benchmark::ClobberMemory();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    state.SetBytesProcessed(state.iterations() * std::int64_t(bytes));
    if (seconds.empty()) return;
    const auto middle = seconds.begin() + std::ptrdiff_t(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    state.counters["median"] = double(bytes) / *middle;
    state.counters["best"] = double(bytes) / *std::min_element(seconds.begin(), middle + 1);
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
    require(compact_device(&desc));
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(desc.scratch_bytes));
    desc.mask = at(mask.data());
    desc.index_map = at(map.data());
    desc.count = at(&count);
    desc.scratch = at(scratch.data());
    require(compact_device(&desc));
    measure(state, n + 4 * std::size_t(count), [&] { require(compact_device(&desc)); });
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
    measure(state, 2 * bytes, [&] { require(run_device(&desc, &launched)); });
}

// The same bytes by one memcpy of the seam, on one thread.
void copy_alone(benchmark::State& state) {
    const double share = kept_share(random_mask(std::size_t(state.range(0)), state.range(1)));
    const auto bytes = std::size_t(double(state.range(0)) * (1 + 4 * share) / 2);
    std::vector<std::uint8_t> from(bytes, 1), to(bytes);
    const auto memcpy_device = SEAM(memcpy_device);
    measure(state, 2 * bytes, [&] { require(memcpy_device(at(to.data()), at(from.data()), bytes, 0)); });
}

// A search for what is not there.
void read_part(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const std::uint8_t* from = *static_cast<const std::uint8_t* const*>(params[0]) + base;
    benchmark::DoNotOptimize(std::memchr(from, 2, std::size_t(count)));
}

// Every sample's mask, over the same threads.
void read_alone(benchmark::State& state) {
    const auto mask = random_mask(std::size_t(state.range(0)), state.range(1));
    const std::uint8_t* from = mask.data();
    const std::uint64_t params[1] = {at(&from)}, sizes[1] = {8};
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(&read_part);
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 1;
    desc.count = desc.n_samples = state.range(0);
    std::int32_t launched = 0;
    const auto run_device = SEAM(run_device);
    measure(state, mask.size(), [&] { require(run_device(&desc, &launched)); });
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
    require(reorder_device(&desc));
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
        require(SEAM(reset_device)(&whole));
        std::copy(first.begin(), first.end(), mask.begin());
        state.ResumeTiming();
        require(reorder_device(&desc));
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
BENCHMARK(read_alone)->ArgNames({"n", "kept%"})->Args({1000000, 1})->Args({20000000, 1})->UseRealTime();
BENCHMARK(reorder)->ArgNames({"n", "kept%"})->Args({1000000, 50})->Args({1000000, 90})->UseRealTime();

BENCHMARK_MAIN();
