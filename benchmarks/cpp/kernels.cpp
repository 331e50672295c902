// Kernels in generated style against the hand-written reference, in turn, in one process: each row's counters are the
// medians of `seconds` and `reference_seconds`, and of their quotient `ratio` (below 1 is faster than the reference).
// A row whose results or step counts are not those of the plain loop reports an error in place of a figure.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "reference.h"

namespace {

constexpr std::int64_t samples = 1000000;
constexpr int threads = 2;

using Plane = std::vector<double>;
using HostEntry = void(void* const*, std::int64_t, std::int64_t, std::int64_t);

HostEntry* entry(const std::string& kernel, const std::string& symbol) {
    const std::string path = std::string(EAGLE_BENCHMARK_KERNELS) + "/" + kernel + ".so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = library ? dlsym(library, symbol.c_str()) : nullptr;
    if (!found) throw std::runtime_error(dlerror());
    return reinterpret_cast<HostEntry*>(found);
}

struct Block {
    void* data;
    std::uint64_t samples, stride;
    std::int32_t device_type = 1, device_id = 0;
};
struct OutBlock {
    void* data;
    std::uint64_t samples, comp_stride, sample_stride;
    std::int32_t device_type = 1, device_id = 0;
};
template <class T>
Block block(std::vector<T>& v) {
    return {v.data(), v.size(), 1};
}

double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
// work(k) on each thread; the largest CPU time.
template <class F>
double on_threads(int n, F work) {
    std::vector<double> seconds(static_cast<std::size_t>(n));
    const auto timed = [&](int k) {
        const double before = cpu_seconds();
        work(k);
        seconds[static_cast<std::size_t>(k)] = cpu_seconds() - before;
    };
    std::vector<std::thread> others;
    for (int k = 1; k < n; k++) others.emplace_back(timed, k);
    timed(0);
    for (auto& t : others) t.join();
    return *std::max_element(seconds.begin(), seconds.end());
}
double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
bool equal(const Plane& a, const Plane& b) { return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0; }

// What the loader supplies.
struct Supplied {
    std::vector<std::int64_t> control = std::vector<std::int64_t>(8), next = {0}, steps;
    std::vector<std::uint8_t> mask;
    void reset(std::size_t n) {
        steps.assign(n, 0);
        mask.assign(n, 0);
        next[0] = 0;
        control.assign(8, 0);
        control[1] = 1000000;
    }
};

struct Turns {
    std::vector<double> ours, reference, ratio;
    void add(double o, double r) { ours.push_back(o), reference.push_back(r), ratio.push_back(o / r); }
    void report(benchmark::State& state, double work) const {
        state.counters["seconds"] = median(ours);
        state.counters["reference_seconds"] = median(reference);
        state.counters["ratio"] = median(ratio);
        state.counters["per_second"] = work / median(ours);
        state.SetLabel(reference_instructions());
    }
};

struct Oscillators {
    Plane x, v, t, omega;
    double dt = 1e-3, t_end = 1.0;
    explicit Oscillators(std::int64_t n) : omega(static_cast<std::size_t>(n)) {
        for (std::size_t i = 0; i < omega.size(); i++)
            omega[i] = 1 + 2 * static_cast<double>(i) / static_cast<double>(omega.size());
        reset();
    }
    void reset() { x.assign(omega.size(), 1), v.assign(omega.size(), 0), t.assign(omega.size(), 0); }
    double run(HostEntry* f, Supplied& s) {
        const auto n = static_cast<std::int64_t>(omega.size());
        Block b[] = {block(s.control), block(s.next), block(s.steps), block(t),
                     block(v),         block(x),      block(omega),   block(s.mask)};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &dt, &t_end};
        return on_threads(threads, [&](int) { f(a, 0, n, n); });
    }
    double reference() {
        return reference_euler(x.data(), v.data(), t.data(), omega.data(), dt, t_end, 1000000,
                               static_cast<std::int64_t>(omega.size()), threads);
    }
    void plain() {
        reference_euler_plain(x.data(), v.data(), t.data(), omega.data(), dt, t_end, 1000000,
                              static_cast<std::int64_t>(omega.size()));
    }
    std::vector<Plane> outcome() const { return {x, v, t}; }
};

struct Damped {
    Plane x, v, k, w2, c, last;
    double dt = 1e-3;
    bool spread;
    Damped(std::int64_t n, bool spread_stops) : spread(spread_stops) {
        std::mt19937_64 g(0);
        std::uniform_real_distribution<double> u(0, 1);
        for (std::int64_t i = 0; i < n; i++) {
            w2.push_back(1 + 8 * u(g)), c.push_back(0.2 * u(g));
            last.push_back(spread ? std::floor(std::pow(10.0, 3 * u(g))) : 1000);
        }
        reset();
    }
    void reset() { x.assign(w2.size(), 1), v.assign(w2.size(), 0), k.assign(w2.size(), 0); }
    double run(HostEntry* f, Supplied& s) {
        const auto n = static_cast<std::int64_t>(w2.size());
        Block b[] = {block(s.control), block(s.next), block(s.steps), block(k),  block(v),
                     block(x),         block(c),      block(last),    block(w2), block(s.mask)};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &b[8], &b[9], &dt};
        return on_threads(threads, [&](int) { f(a, 0, n, n); });
    }
    double reference() {
        const auto f = spread ? reference_rk4_refilled : reference_rk4_tiles;
        return f(x.data(), v.data(), k.data(), w2.data(), c.data(), last.data(), dt,
                 static_cast<std::int64_t>(w2.size()), threads);
    }
    void plain() {
        reference_rk4_plain(x.data(), v.data(), k.data(), w2.data(), c.data(), last.data(), dt,
                            static_cast<std::int64_t>(w2.size()));
    }
    std::vector<Plane> outcome() const { return {x, v, k}; }
};

bool equal(const std::vector<Plane>& a, const std::vector<Plane>& b) {
    for (std::size_t i = 0; i < a.size(); i++)
        if (!equal(a[i], b[i])) return false;
    return true;
}

// Kernel, reference and plain loop over a small batch, ends of vectors included.
template <class Work>
const char* difference(Work small, HostEntry* f) {
    Supplied s;
    small.plain();
    const auto want = small.outcome();
    small.reset();
    small.reference();
    if (!equal(small.outcome(), want)) return "the reference differs from the plain loop";
    small.reset();
    s.reset(want[0].size());
    small.run(f, s);
    if (!equal(small.outcome(), want)) return "the kernel differs from the plain loop";
    if (std::count(s.mask.begin(), s.mask.end(), 1) != static_cast<std::ptrdiff_t>(s.mask.size()))
        return "not every sample finished";
    return nullptr;
}

template <class Work>
void compare(benchmark::State& state, Work work, Work small, const std::string& kernel) {
    HostEntry* f = entry(kernel, kernel + "_run");
    if (const char* what = difference(small, f)) {
        state.SkipWithError(what);
        return;
    }
    Supplied s;
    Turns turns;
    std::int64_t total = 0;
    for (auto _ : state) {
        work.reset();
        const double reference = work.reference();
        work.reset();
        s.reset(static_cast<std::size_t>(samples));
        const double ours = work.run(f, s);
        total = s.control[2];
        turns.add(ours, reference);
        state.SetIterationTime(ours);
    }
    turns.report(state, static_cast<double>(total));
}

void euler(benchmark::State& state) { compare(state, Oscillators(samples), Oscillators(1003), "oscillator"); }
void rk4_uniform(benchmark::State& state) { compare(state, Damped(samples, false), Damped(1003, false), "damped"); }
void rk4_spread(benchmark::State& state) { compare(state, Damped(samples, true), Damped(5003, true), "damped"); }
BENCHMARK(euler)->Name("kernel/euler_1000_steps")->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);
BENCHMARK(rk4_uniform)->Name("kernel/rk4_1000_steps")->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(rk4_spread)
    ->Name("kernel/rk4_1_to_1000_steps")
    ->UseManualTime()
    ->Iterations(7)
    ->Unit(benchmark::kMillisecond);

// a x + y over 1e7 elements that are in memory; `ratio` against the faster of the two triads.
void axpy(benchmark::State& state) {
    constexpr std::int64_t n = 10000000;
    HostEntry* f = entry("scale", "scale_step");
    Plane x(n, 1.5), y(n, 0.25), out(n, 0.0);
    double factor = 1.7;
    OutBlock o{out.data(), static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(n), 1};
    Block bx = block(x), by = block(y);
    void* a[] = {&o, &bx, &by, &factor};
    Turns turns;
    for (auto _ : state) {
        const double reference = std::min(reference_triad(out.data(), x.data(), y.data(), factor, n, threads, 0),
                                          reference_triad(out.data(), x.data(), y.data(), factor, n, threads, 1));
        std::fill(out.begin(), out.end(), 0.0);
        const double ours = on_threads(threads, [&](int k) { f(a, n / threads * k, n / threads, n); });
        if (std::count(out.begin(), out.end(), factor * 1.5 + 0.25) != n) state.SkipWithError("wrong values");
        turns.add(ours, reference);
        state.SetIterationTime(ours);
    }
    turns.report(state, static_cast<double>(n));
}
BENCHMARK(axpy)->Name("kernel/axpy_1e7")->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
