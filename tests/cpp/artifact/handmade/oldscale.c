/* out = a * x + b with the entry of version 1: all samples in one call. */
#include "aether_abi.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char eagle_abi_tag[] = "aether-abi/1";
EXPORT const uint64_t eagle_layout_sizes[5] = {sizeof(struct vector_plane), sizeof(struct plane), sizeof(struct plane),
                                               sizeof(uint32_t), 3 * sizeof(int64_t)};

/* How often it was called, and with how many samples last. */
EXPORT int64_t scale_calls = 0, scale_samples = -1;

EXPORT void scale(void* const* params, int32_t n) {
    const struct vector_plane* out = params[0];
    const struct plane* x = params[1];
    const double a = *(const double*)params[2], b = *(const double*)params[3];
    for (int32_t i = 0; i < n; ++i)
        ((double*)out->data)[i * (int64_t)out->sample_stride] =
            a * ((const double*)x->data)[i * (int64_t)x->stride] + b;
    ++scale_calls;
    scale_samples = n;
}
