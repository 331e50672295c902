/* Two kernels that make one step together: `drift` moves x, `check` counts and finishes at x >= limit. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

static void* data(void* const* params, int k) { return ((const struct plane*)params[k])->data; }

/* mutable x | per_sample v | terminated | uniform dt */
AETHER_ENTRY(drift_step) {
    double* const x = data(params, 0);
    const double* const v = data(params, 1);
    const uint8_t* const mask = data(params, 2);
    const double dt = *(const double*)params[3];
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i)
        if (!mask[i]) x[i] += dt * v[i];
}

/* mutable __control __next __steps | per_sample limit x | terminated */
AETHER_ENTRY(check_step) {
    int64_t* const steps = data(params, 2);
    const double *const limit = data(params, 3), *const x = data(params, 4);
    uint8_t* const mask = data(params, 5);
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        if (mask[i]) continue;
        if (steps) steps[i] += 1;
        mask[i] = x[i] >= limit[i];
    }
}
