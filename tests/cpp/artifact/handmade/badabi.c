/* Builds of a kernel for another interface: another tag, other sizes, no exports. */
#include "aether_abi.h"

#define EXPORT __attribute__((visibility("default")))

#if defined(WRONG_TAG)
EXPORT const char eagle_abi_tag[] = "aether-abi/9";
#elif !defined(NO_EXPORTS)
EXPORT const char eagle_abi_tag[] = "aether-abi/2";
#endif
#if defined(WRONG_SIZES)
EXPORT const uint64_t eagle_layout_sizes[5] = {40, 48, 32, 4, 24};
#elif defined(SHORT_SIZES)
EXPORT const uint64_t eagle_layout_sizes[3] = {40, 32, 32};
#elif !defined(NO_EXPORTS)
EXPORT const uint64_t eagle_layout_sizes[5] = {40, 32, 32, 4, 24};
#endif

AETHER_ENTRY(scale_step) {
    (void)params;
    (void)base;
    (void)count;
    (void)n_samples;
}
