/* A module whose code tells which of its builds it is. */
#include <stdint.h>

int64_t which = WHICH;
const char large[1000] = {1};

void answer(void* const* params, int64_t base, int64_t count, int64_t n_samples) {
    (void)base, (void)count, (void)n_samples;
    **(int64_t* const*)params[0] = WHICH;
}
