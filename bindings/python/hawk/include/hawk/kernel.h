// What every generated kernel includes: packs, drivers, and the macros of its entries.
#pragma once
#include "hawk/run.h"
#include "hawk/step.h"

#define HAWK_EXPORT extern "C" __attribute__((visibility("default"), used))

#define HAWK_ARTIFACT                                        \
    HAWK_EXPORT const char eagle_abi_tag[] = "aether-abi/2"; \
    HAWK_EXPORT const hawk::u64 eagle_layout_sizes[5] = {40, 32, 32, 4, 24};

#define HAWK_STEP(KERNEL, NAME)                                                                           \
    HAWK_EXPORT void NAME(void* const* arguments, hawk::i64 base, hawk::i64 count, hawk::i64 n_samples) { \
        hawk::step_entry<hawk::kernels::KERNEL>(arguments, base, count, n_samples);                       \
    }

#define HAWK_RUN(KERNEL, NAME)                                                                  \
    HAWK_EXPORT void NAME(void* const* arguments, hawk::i64 base, hawk::i64 count, hawk::i64) { \
        hawk::run_entry<hawk::kernels::KERNEL>(arguments, base, count);                         \
    }
