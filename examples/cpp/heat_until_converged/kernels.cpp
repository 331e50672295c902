// The kernels of the example, as an executor of the host calls them: params[i] is the address of argument i, and one
// call does the samples [base, base + count).
#include <cstdint>

#define KERNEL extern "C" __attribute__((visibility("default"))) void

namespace {

template <class T>
T& argument(void* const* params, int i) {
    return *static_cast<T*>(params[i]);
}

}  // namespace

// params: const double* u, double* next, double* change, double rate. One explicit step of the heat equation on a rod
// whose ends keep their temperature, and how much each point changed.
KERNEL relax(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n) {
    const double* const u = argument<const double*>(params, 0);
    double* const next = argument<double*>(params, 1);
    double* const change = argument<double*>(params, 2);
    const double rate = argument<double>(params, 3);
    for (std::int64_t i = base; i < base + count; ++i) {
        const bool inside = i > 0 && i + 1 < n;
        next[i] = inside ? u[i] + rate * (u[i - 1] - 2.0 * u[i] + u[i + 1]) : u[i];
        change[i] = next[i] < u[i] ? u[i] - next[i] : next[i] - u[i];
    }
}

// params: const double* worst, uint32_t* going, uint32_t* phase, double tolerance. Whether to go on, and how far it is.
KERNEL judge(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    const double worst = *argument<const double*>(params, 0), tolerance = argument<double>(params, 3);
    *argument<std::uint32_t*>(params, 1) = worst > tolerance ? 1 : 0;
    *argument<std::uint32_t*>(params, 2) = worst > 100.0 * tolerance ? 0 : worst > 10.0 * tolerance ? 1 : 2;
}

// params: uint32_t* steps.
KERNEL count_step(void* const* params, std::int64_t, std::int64_t, std::int64_t) {
    ++*argument<std::uint32_t*>(params, 0);
}
