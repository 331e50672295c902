#include "Clock.h"

#include <ctime>

#include "FloatEnvironment.h"
#include "ProcessWide.h"

namespace eagle::host {
namespace {

std::uint64_t monotonic_ns() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::uint64_t(t.tv_sec) * 1000000000u + std::uint64_t(t.tv_nsec);
}

double measure() {
    FloatEnvironment plain;  // the caller keeps its flags
#if defined(__x86_64__)
    // The shortest of five windows is the least disturbed.
    double rate = 1;
    std::uint64_t shortest = ~std::uint64_t(0);
    for (int i = 0; i < 5; ++i) {
        std::uint64_t n0 = monotonic_ns(), t0 = ticks();
        while (monotonic_ns() - n0 < 200000) relax();
        std::uint64_t n1 = monotonic_ns(), t1 = ticks();
        if (n1 - n0 >= shortest) continue;
        shortest = n1 - n0;
        rate = double(t1 - t0) / double(n1 - n0);
    }
    return rate;
#else
    return 1;
#endif
}

struct Rate {
    double ticks_per_ns = measure();
};

}  // namespace

double ticks_per_ns() { return process_wide<Rate>().ticks_per_ns; }

}  // namespace eagle::host
