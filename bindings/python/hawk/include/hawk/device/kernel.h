// What every generated kernel for a card includes: one lane a thread, drivers, and the macros of its entries.
//
// The arguments come by value, in the order of arg_spec, then base, count and n_samples.
#pragma once
#define HAWK_DEVICE 1
#include "hawk/device/run.h"
#include "hawk/device/step.h"

// The variables say what a loader compares. Compilers of CUDA give variables no global symbol, and entries one: the
// empty entry says the same by its name, to a loader whose driver finds no variable.
#define HAWK_ARTIFACT                                                       \
    extern "C" {                                                            \
    extern __device__ const char eagle_abi_tag[];                           \
    extern __device__ const hawk::u64 eagle_layout_sizes[5];                \
    __device__ const char eagle_abi_tag[] = "aether-abi/2";                 \
    __device__ const hawk::u64 eagle_layout_sizes[5] = {40, 32, 32, 4, 24}; \
    __global__ void eagle_abi_2_layout_40_32_32_4_24() {}                   \
    }

// A parameter that is read where it was passed.
#define HAWK_IN const __grid_constant__
#define HAWK_BARE(...) __VA_ARGS__
#define HAWK_ENTRY(KERNEL, NAME, DRIVER, PARAMETERS, ADDRESSES)                                         \
    extern "C" __global__ void NAME(HAWK_BARE PARAMETERS, hawk::i64 base, hawk::i64 count, hawk::i64) { \
        const void* const arguments[] = {HAWK_BARE ADDRESSES};                                          \
        hawk::DRIVER<hawk::kernels::KERNEL>((void* const*)arguments, base, count);                      \
    }
#define HAWK_STEP(KERNEL, NAME, PARAMETERS, ADDRESSES) HAWK_ENTRY(KERNEL, NAME, step_entry, PARAMETERS, ADDRESSES)
#define HAWK_RUN(KERNEL, NAME, PARAMETERS, ADDRESSES) HAWK_ENTRY(KERNEL, NAME, run_entry, PARAMETERS, ADDRESSES)
