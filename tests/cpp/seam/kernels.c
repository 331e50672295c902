/* Kernels of kind cpu that any C compiler can make. Arguments come in the order of the parameter list. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t eagle_abi_tag = 7001;
EXPORT const int32_t sizes[6] = {1, 2, 3, 5, 8, 13};

/* y[i] = a * x[i] + i, for the samples of the part. params: a (double), x, y. */
EXPORT void axpi(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    double a = *(const double*)params[0];
    const double* x = *(const double* const*)params[1];
    double* y = *(double* const*)params[2];
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) y[i] = a * x[i] + (double)i;
}

/* Draws samples of the whole range from a shared cursor until none is left, and adds 1 to each. params: cursor, seen,
 * calls. */
EXPORT void draw(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    int64_t* cursor = *(int64_t* const*)params[0];
    int32_t* seen = *(int32_t* const*)params[1];
    int64_t* calls = *(int64_t* const*)params[2];
    (void)n_samples;
    __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    for (;;) {
        int64_t i = __atomic_fetch_add(cursor, 1, __ATOMIC_RELAXED);
        if (i >= base + count) return;
        seen[i] += 1;
    }
}

/* n_samples as the kernel is told it. params: out. */
EXPORT void told(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    int64_t* out = *(int64_t* const*)params[0];
    out[0] = base;
    out[1] = count;
    out[2] = n_samples;
}
