// Time for decisions that are worth less than a system call.
#pragma once
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <ctime>
#endif

namespace eagle::host {

// Counts up at a constant rate; read it in a few nanoseconds.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::uint64_t(t.tv_sec) * 1000000000u + std::uint64_t(t.tv_nsec);
#endif
}

// Measured at first use (about a millisecond).
double ticks_per_ns();

// What a spin loop does between two looks.
inline void relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

}  // namespace eagle::host
