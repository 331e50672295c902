/* cross_sample_write: x[i] += x[i - 1], so that it is a running sum only when samples come in ascending order. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

AETHER_ENTRY(prefix_step) {
    double* const x = ((const struct plane*)params[0])->data;
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i)
        if (i > 0) x[i] += x[i - 1];
}
