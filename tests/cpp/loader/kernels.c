/* A module of kind cpu: two kernels and a variable. */
#include <stdint.h>

const char loader_tag[] = "forty-two";

/* params: double* x. */
void twice(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    (void)n_samples;
    double* x = *(double* const*)params[0];
    for (int64_t i = base; i < base + count; ++i) x[i] *= 2.0;
}

/* params: double* x, double a. */
void add(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    (void)n_samples;
    double* x = *(double* const*)params[0];
    const double a = *(const double*)params[1];
    for (int64_t i = base; i < base + count; ++i) x[i] += a;
}
