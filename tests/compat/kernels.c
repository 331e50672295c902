/* Kernels of kind cpu for the checks against the published core. Arguments come in the order of the parameter list. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* y[i] = 2 y[i] + add: the order of two such launches shows in the result. params: add, y. */
EXPORT void twice_and(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    int64_t add = *(const int64_t*)params[0];
    int64_t* y = *(int64_t* const*)params[1];
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) y[i] = 2 * y[i] + add;
}

/* Where each sample is, as the kernel is told it. params: index, and the triple of the last part. */
EXPORT void told(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    int64_t* index = *(int64_t* const*)params[0];
    int64_t* samples = *(int64_t* const*)params[1];
    for (int64_t i = base; i < base + count; ++i) {
        index[i] = i;
        samples[i] = n_samples;
    }
}

/* *cell = value, once. params: value, cell. */
EXPORT void set_cell(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    uint32_t* cell = *(uint32_t* const*)params[1];
    (void)base, (void)count, (void)n_samples;
    *cell = *(const uint32_t*)params[0];
}
