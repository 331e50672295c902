/* Values that are folded: of a sample that is not done, `count` is 1, `moment` is (x, x * x). */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

/* out count (int64) | out moment (2) | per_sample x | terminated done */
AETHER_ENTRY(moments_step) {
    const struct vector_plane *const count_plane = params[0], *const moment = params[1];
    const struct plane *const x = params[2], *const done = params[3];
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        if (((const uint8_t*)done->data)[i * (int64_t)done->stride]) continue;
        const double value = ((const double*)x->data)[i * (int64_t)x->stride];
        double* const to = (double*)moment->data + i * (int64_t)moment->sample_stride;
        ((int64_t*)count_plane->data)[i * (int64_t)count_plane->sample_stride] = 1;
        to[0] = value;
        to[moment->comp_stride] = value * value;
    }
}
