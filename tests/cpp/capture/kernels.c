/* A module of kind cpu whose kernels show in which order they ran. */
#include <stdint.h>

/* params: int64_t* y, int64_t add. y = 2 y + add. */
void twice_and(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    (void)n_samples;
    int64_t* y = *(int64_t* const*)params[0];
    const int64_t add = *(const int64_t*)params[1];
    for (int64_t i = base; i < base + count; ++i) y[i] = 2 * y[i] + add;
}

/* params: int64_t* y, const uint32_t* cell. y += *cell. */
void add_cell(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    (void)n_samples;
    int64_t* y = *(int64_t* const*)params[0];
    const uint32_t* cell = *(const uint32_t* const*)params[1];
    for (int64_t i = base; i < base + count; ++i) y[i] += *cell;
}
