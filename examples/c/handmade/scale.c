/* out = a * x + b */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

AETHER_ENTRY(scale_step) {
    const struct vector_plane* out = params[0];
    const struct plane* x = params[1];
    const double a = *(const double*)params[2], b = *(const double*)params[3];
    double* const to = out->data;
    const double* const from = x->data;
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i)
        to[i * (int64_t)out->sample_stride] = a * from[i * (int64_t)x->stride] + b;
}
