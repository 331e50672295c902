// What every generated kernel includes: packs, drivers, and the macros of its entries.
#pragma once
#include "hawk/run.h"
#include "hawk/step.h"

#define HAWK_EXPORT extern "C" __attribute__((visibility("default"), used))

#define HAWK_ARTIFACT                                        \
    HAWK_EXPORT const char eagle_abi_tag[] = "aether-abi/2"; \
    HAWK_EXPORT const hawk::u64 eagle_layout_sizes[5] = {40, 32, 32, 4, 24};

namespace hawk {

// At the end of every entry: code that knows no wide registers pays for what is left in their upper halves (tens of
// nanoseconds, twice a call, on some processors). GCC clears them by itself at -O2 alone, and not in the parts that a
// driver compiles with less.
HAWK_FN void clear_upper_halves() {
#if defined(__AVX__)
    __builtin_ia32_vzeroupper();
#endif
}

}  // namespace hawk

#define HAWK_STEP(KERNEL, NAME)                                                                           \
    HAWK_EXPORT void NAME(void* const* arguments, hawk::i64 base, hawk::i64 count, hawk::i64 n_samples) { \
        hawk::step_entry<hawk::kernels::KERNEL>(arguments, base, count, n_samples);                       \
        hawk::clear_upper_halves();                                                                       \
    }

#define HAWK_RUN(KERNEL, NAME)                                                                  \
    HAWK_EXPORT void NAME(void* const* arguments, hawk::i64 base, hawk::i64 count, hawk::i64) { \
        hawk::run_entry<hawk::kernels::KERNEL>(arguments, base, count);                         \
        hawk::clear_upper_halves();                                                             \
    }
