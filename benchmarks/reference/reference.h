// Hand-written loops of the arithmetic that the benchmarks give to eagle: vector instructions, state in registers,
// several threads. The yardstick beside the same work through kernels.
//
// Every call returns the largest CPU time in seconds that one of its threads used, which a busy machine disturbs less
// than the time on the wall. Arrays hold n elements and belong to the caller. `threads` is at least 1. Results are
// equal, to the bit, to the loop over single samples of the same name ending in `_plain`.
#ifndef EAGLE_BENCHMARKS_REFERENCE_H
#define EAGLE_BENCHMARKS_REFERENCE_H

#include <stdint.h>

#if defined(__GNUC__)
#define REFERENCE_API __attribute__((visibility("default")))
#else
#define REFERENCE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The instructions in use: "avx512", "avx2" or "plain".
REFERENCE_API const char* reference_instructions(void);

// Euler steps of x'' = -omega^2 x until t >= t_end, at most max_steps each.
REFERENCE_API double reference_euler(double* x, double* v, double* t, const double* omega, double dt, double t_end,
                                     int64_t max_steps, int64_t n, int threads);
REFERENCE_API double reference_euler_plain(double* x, double* v, double* t, const double* omega, double dt,
                                           double t_end, int64_t max_steps, int64_t n);

// RK4 steps of x'' = -w2 x - c v until the counter k reaches last, one step at least. `tiles` advances groups of
// samples until the slowest is done; `refilled` puts the next sample into the place of one that is done.
REFERENCE_API double reference_rk4_tiles(double* x, double* v, double* k, const double* w2, const double* c,
                                         const double* last, double dt, int64_t n, int threads);
REFERENCE_API double reference_rk4_refilled(double* x, double* v, double* k, const double* w2, const double* c,
                                            const double* last, double dt, int64_t n, int threads);
REFERENCE_API double reference_rk4_plain(double* x, double* v, double* k, const double* w2, const double* c,
                                         const double* last, double dt, int64_t n);

// out = a x + y, as STREAM's triad: plain stores, or stores past the cache.
REFERENCE_API double reference_triad(double* out, const double* x, const double* y, double a, int64_t n, int threads,
                                     int past_cache);

#ifdef __cplusplus
}
#endif

#endif
