// Kernels run under the default floating-point environment, and the caller keeps its own.
#include <cfenv>
#include <cmath>
#include <limits>

#include "Client.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using client::Launch;

namespace {

// params: small, third, outs. Halves a normal number into a subnormal one, and rounds 1/3.
void sensitive(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    volatile double small = *static_cast<const double*>(params[0]), three = *static_cast<const double*>(params[1]);
    double* out = *static_cast<double* const*>(params[2]);
    for (std::int64_t i = base; i < base + count; ++i) {
        volatile double half = small / 2;
        out[2 * i] = half * 2 == small ? 1 : 0;
        out[2 * i + 1] = 1 / three;
    }
}

void run_and_check(std::uint32_t max_parallel) {
    constexpr std::int64_t n = 40000;
    double small = std::numeric_limits<double>::min(), three = 3;
    std::vector<double> out(2 * n);
    double* to = out.data();
    Launch launch(&sensitive, 0, n, 0, small, three, to);
    launch.options.max_parallel = max_parallel;
    for (int i = 0; i < 3; ++i) launch.run();
    const double third = 0x1.5555555555555p-2;  // 1/3 to nearest
    for (std::int64_t i = 0; i < n; ++i) {
        ASSERT_EQ(out[2 * i], 1) << i;
        ASSERT_EQ(out[2 * i + 1], third) << i;
    }
}

TEST(Float, rounding_of_the_caller_does_not_reach_the_kernel_and_comes_back) {
    for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        run_and_check(0);
        run_and_check(1);
        EXPECT_EQ(std::fegetround(), mode);
    }
    std::fesetround(FE_TONEAREST);
}

TEST(Float, flags_of_the_caller_come_back) {
    std::feclearexcept(FE_ALL_EXCEPT);
    run_and_check(1);
    EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
    std::feraiseexcept(FE_OVERFLOW);
    run_and_check(1);
    EXPECT_TRUE(std::fetestexcept(FE_OVERFLOW));
    std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)
TEST(Float, flush_to_zero_of_the_caller_does_not_reach_the_kernel_and_comes_back) {
    const unsigned before = _mm_getcsr(), flush = before | 0x8040u;
    _mm_setcsr(flush);
    run_and_check(0);
    run_and_check(1);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after & 0xffc0u, flush & 0xffc0u);
}

// A kernel that spoils the environment of the thread that it ran on does not harm the next.
void spoil(void* const*, std::int64_t, std::int64_t, std::int64_t) { _mm_setcsr(_mm_getcsr() | 0x8040u); }

TEST(Float, a_worker_that_was_spoilt_is_put_right) {
    int unused = 0;
    Launch launch(&spoil, 0, 64, 0, unused);
    launch.options.grid = 64;
    for (int i = 0; i < 20; ++i) launch.run();
    EXPECT_EQ(_mm_getcsr() & 0x8040u, 0u);
    run_and_check(0);
}
#endif

}  // namespace
