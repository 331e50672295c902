/* A damped oscillator that stops when it has come to rest: the model of the examples, written by hand. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

enum { stop = 0, max_steps = 1, total = 2, chunk = 64 };

static void* data(void* const* params, int k) { return ((const struct plane*)params[k])->data; }
static double number(void* const* params, int k) { return *(const double*)params[k]; }

/* Is it at rest? */
static int step(double omega, double zeta, double dt, double rest, double* v, double* x) {
    const double stiffness = omega * omega;
    *v = *v - dt * (2.0 * zeta * omega * *v + stiffness * *x);
    *x = *x + dt * *v;
    return *v * *v + stiffness * *x * *x <= rest * stiffness;
}

/* mutable __control __next __steps v x | per_sample omega zeta | terminated | uniform dt rest */
AETHER_ENTRY(oscillator_step) {
    int64_t* const steps = data(params, 2);
    double *const v = data(params, 3), *const x = data(params, 4);
    const double *const omega = data(params, 5), *const zeta = data(params, 6);
    uint8_t* const mask = data(params, 7);
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        if (mask[i]) continue;
        mask[i] = (uint8_t)step(omega[i], zeta[i], number(params, 8), number(params, 9), v + i, x + i);
        if (steps) steps[i] += 1;
    }
}

AETHER_ENTRY(oscillator_run) {
    int64_t *const control = data(params, 0), *const next = data(params, 1), *const steps = data(params, 2);
    double *const v = data(params, 3), *const x = data(params, 4);
    const double *const omega = data(params, 5), *const zeta = data(params, 6);
    uint8_t* const mask = data(params, 7);
    const double dt = number(params, 8), rest = number(params, 9);
    const int64_t end = base + count;
    (void)n_samples;
    for (;;) {
        const int64_t from = __atomic_fetch_add(next, chunk, __ATOMIC_RELAXED);
        if (from >= end) return;
        for (int64_t i = from; i < from + chunk && i < end; ++i) {
            if (__atomic_load_n(control + stop, __ATOMIC_RELAXED)) return;
            int64_t made = 0;
            while (!mask[i] && steps[i] < control[max_steps]) {
                if (made % 1024 == 0 && __atomic_load_n(control + stop, __ATOMIC_RELAXED)) break;
                mask[i] = (uint8_t)step(omega[i], zeta[i], dt, rest, v + i, x + i);
                steps[i] += 1;
                ++made;
            }
            __atomic_fetch_add(control + total, made, __ATOMIC_RELAXED);
        }
    }
}
