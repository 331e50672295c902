#include "reference.h"

#include <time.h>

#include <functional>
#include <thread>
#include <vector>

#include "loops.h"

namespace reference {

extern const Loops avx512_loops, avx2_loops;

namespace {

void plain_triad(double* out, const double* x, const double* y, double a, std::int64_t from, std::int64_t to, bool) {
    for (std::int64_t i = from; i < to; i++) out[i] = a * x[i] + y[i];
}
template <class P, void Loop(const P&, std::int64_t, std::int64_t)>
void drawn(const P& p, std::atomic<std::int64_t>& next, std::int64_t n) {
    for (std::int64_t i; (i = next.fetch_add(256)) < n;) Loop(p, i, std::min<std::int64_t>(i + 256, n));
}
constexpr Loops plain_loops{drawn<Euler, euler_plain>, drawn<Rk4, rk4_plain>, drawn<Rk4, rk4_plain>, plain_triad};

struct Choice {
    const Loops* loops;
    const char* name;
};
Choice choose() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {&avx512_loops, "avx512"};
    if (__builtin_cpu_supports("avx2")) return {&avx2_loops, "avx2"};
#endif
    return {&plain_loops, "plain"};
}
const Choice chosen = choose();

double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// work(k) on each of the threads; the largest CPU time.
double on_threads(int threads, const std::function<void(int)>& work) {
    std::vector<double> seconds(static_cast<std::size_t>(threads));
    const auto timed = [&](int k) {
        const double before = cpu_seconds();
        work(k);
        seconds[static_cast<std::size_t>(k)] = cpu_seconds() - before;
    };
    std::vector<std::thread> others;
    for (int k = 1; k < threads; k++) others.emplace_back(timed, k);
    timed(0);
    for (auto& t : others) t.join();
    return *std::max_element(seconds.begin(), seconds.end());
}

template <class P>
double share(void (*loop)(const P&, std::atomic<std::int64_t>&, std::int64_t), const P& p, std::int64_t n,
             int threads) {
    std::atomic<std::int64_t> next{0};
    return on_threads(threads, [&](int) { loop(p, next, n); });
}

}  // namespace
}  // namespace reference

using namespace reference;

const char* reference_instructions(void) { return chosen.name; }

double reference_euler(double* x, double* v, double* t, const double* omega, double dt, double t_end, int64_t max_steps,
                       int64_t n, int threads) {
    return share(chosen.loops->euler, Euler{x, v, t, omega, dt, t_end, max_steps}, n, threads);
}
double reference_euler_plain(double* x, double* v, double* t, const double* omega, double dt, double t_end,
                             int64_t max_steps, int64_t n) {
    return on_threads(1, [&](int) { euler_plain(Euler{x, v, t, omega, dt, t_end, max_steps}, 0, n); });
}
double reference_rk4_tiles(double* x, double* v, double* k, const double* w2, const double* c, const double* last,
                           double dt, int64_t n, int threads) {
    return share(chosen.loops->rk4_tiles, Rk4{x, v, k, w2, c, last, dt}, n, threads);
}
double reference_rk4_refilled(double* x, double* v, double* k, const double* w2, const double* c, const double* last,
                              double dt, int64_t n, int threads) {
    return share(chosen.loops->rk4_refilled, Rk4{x, v, k, w2, c, last, dt}, n, threads);
}
double reference_rk4_plain(double* x, double* v, double* k, const double* w2, const double* c, const double* last,
                           double dt, int64_t n) {
    return on_threads(1, [&](int) { rk4_plain(Rk4{x, v, k, w2, c, last, dt}, 0, n); });
}
double reference_triad(double* out, const double* x, const double* y, double a, int64_t n, int threads,
                       int past_cache) {
    return on_threads(threads, [&](int k) {
        const std::int64_t from = n / 8 * k / threads * 8, to = k + 1 == threads ? n : n / 8 * (k + 1) / threads * 8;
        chosen.loops->triad(out, x, y, a, from, to, past_cache != 0);
    });
}
