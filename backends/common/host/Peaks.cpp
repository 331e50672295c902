// A short calibration: the best of a few rounds, since everything else on the machine only makes a round slower.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "Clock.h"
#include "FloatEnvironment.h"
#include "Machine.h"
#include "ProcessWide.h"
#include "Team.h"

namespace eagle::host {
namespace {

constexpr int rounds = 5;
constexpr std::int64_t copied = 64 << 20, a_copy = 1 << 20;  // beyond the caches of a core
constexpr std::int64_t chain_steps = 200000;
constexpr int chains = 12;  // in flight: latency times width of the multipliers, and within the registers

// Units of `work` a second: part(ctx, i, 1) for every i below calls, all of the team at once.
double best_rate(Team::Part part, void* ctx, std::int64_t calls, double work) {
    Cost cost;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        cost.forget();  // shared, whatever the last round took
        const std::uint64_t begin = ticks();
        Team::of_process().repeat(part, ctx, calls, calls, 0, cost);
        const double seconds = double(std::max<std::uint64_t>(ticks() - begin, 1)) / (ticks_per_ns() * 1e9);
        best = std::max(best, work / seconds);
    }
    return best;
}

double copy_rate() {
    struct Call {
        std::vector<unsigned char> from, to;
    } call{std::vector<unsigned char>(copied, 1), std::vector<unsigned char>(copied)};
    auto part = [](void* raw, std::int64_t i, std::int64_t) {
        Call& c = *static_cast<Call*>(raw);
        std::memcpy(c.to.data() + i * a_copy, c.from.data() + i * a_copy, a_copy);
    };
    return best_rate(part, &call, copied / a_copy, 2.0 * copied);
}

template <class T, int bytes>
struct Vector {
    typedef T Type __attribute__((vector_size(bytes)));
};

// x = a x + b, which goes to 1; the sum keeps the compiler from leaving it out.
template <class T, int bytes>
__attribute__((always_inline)) inline T multiply_and_add() {
    using V = typename Vector<T, bytes>::Type;
    V x[chains], a = V{} + T(0.5), b = V{} + T(0.5);
    for (int k = 0; k < chains; ++k) x[k] = V{} + T(k);
    for (std::int64_t step = 0; step < chain_steps; ++step) {
        for (int k = 0; k < chains; ++k) x[k] = x[k] * a + b;
    }
    V sum = x[0];
    for (int k = 1; k < chains; ++k) sum += x[k];
    return sum[0];
}

std::atomic<double> sink{0};

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx512f"))) void chain_64() {
    sink.store(double(multiply_and_add<T, 64>()), std::memory_order_relaxed);
}
template <class T>
__attribute__((target("avx2,fma"))) void chain_32() {
    sink.store(double(multiply_and_add<T, 32>()), std::memory_order_relaxed);
}
#endif
template <class T>
void chain_16() {
    sink.store(double(multiply_and_add<T, 16>()), std::memory_order_relaxed);
}

struct Chain {
    void (*run)();
    int bytes;
};

template <class T>
Chain widest_chain() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {&chain_64<T>, 64};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {&chain_32<T>, 32};
#endif
    return {&chain_16<T>, 16};
}

template <class T>
double flops() {
    Chain chain = widest_chain<T>();
    const std::int64_t calls = 4 * Team::of_process().width();
    const double work = 2.0 * chains * double(chain_steps) * double(chain.bytes / int(sizeof(T))) * double(calls);
    auto part = [](void* raw, std::int64_t, std::int64_t) { static_cast<const Chain*>(raw)->run(); };
    return best_rate(part, &chain, calls, work);
}

}  // namespace

Peaks::Peaks() {
    FloatEnvironment plain;
    bytes_per_s = copy_rate();
    flops_sp = flops<float>();
    flops_dp = flops<double>();
}

const Peaks& Peaks::of_process() { return process_wide<Peaks>(); }

}  // namespace eagle::host
