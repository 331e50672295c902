/* out = x after 1000 times x = a * x + b, each waiting for the last: some microseconds a sample. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

AETHER_ENTRY(slow_step) {
    const struct vector_plane* out = params[0];
    const struct plane* x = params[1];
    const double a = *(const double*)params[2], b = *(const double*)params[3];
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        double value = ((const double*)x->data)[i];
        for (int k = 0; k < 1000; ++k) value = a * value + b;
        ((double*)out->data)[i] = value;
    }
}
