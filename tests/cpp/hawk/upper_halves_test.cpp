// What an entry leaves in the upper halves of the wide registers: nothing. Code that knows no wide registers would pay
// for it, in the caller and in whatever the process runs next.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models.h"

#if defined(__x86_64__)
namespace hawk_test {
namespace {

// The 16 bytes above the lowest 16 of a register.
using Upper = std::array<std::uint8_t, 16>;

// Calls and reads ymm0 to ymm15 as it left them.
template <class Call>
std::array<Upper, 16> after(const Call& call) {
    alignas(32) std::array<std::array<std::uint8_t, 32>, 16> found{};
    call();
    asm volatile(
        "vmovdqu %%ymm0, 0(%0)\n\tvmovdqu %%ymm1, 32(%0)\n\tvmovdqu %%ymm2, 64(%0)\n\tvmovdqu %%ymm3, 96(%0)\n\t"
        "vmovdqu %%ymm4, 128(%0)\n\tvmovdqu %%ymm5, 160(%0)\n\tvmovdqu %%ymm6, 192(%0)\n\tvmovdqu %%ymm7, 224(%0)\n\t"
        "vmovdqu %%ymm8, 256(%0)\n\tvmovdqu %%ymm9, 288(%0)\n\tvmovdqu %%ymm10, 320(%0)\n\tvmovdqu %%ymm11, 352(%0)\n\t"
        "vmovdqu %%ymm12, 384(%0)\n\tvmovdqu %%ymm13, 416(%0)\n\tvmovdqu %%ymm14, 448(%0)\n\tvmovdqu %%ymm15, 480(%0)"
        :
        : "r"(found.data())
        : "memory");
    std::array<Upper, 16> upper{};
    for (std::size_t i = 0; i < 16; i++) std::copy_n(found[i].begin() + 16, 16, upper[i].begin());
    return upper;
}

const std::array<Upper, 16> clean{};

// The levels whose kernels use those registers.
std::vector<std::string> wide_levels() {
    std::vector<std::string> found = levels();
    std::erase_if(found, [](const std::string& level) { return level == "x86-64" || level == "x86-64-v2"; });
    return found;
}

// Whole vectors, and ends of ranges, which pass through code that is compiled with less.
TEST(UpperHalves, AreClearAfterAStep) {
    for (const std::string& level : wide_levels()) {
        HostEntry* step = entry<HostEntry>("oscillator", level, "oscillator_step");
        Random g(21);
        for (const std::int64_t n : {1, 7, 8, 64, 65}) {
            Oscillator batch(n, 0, g);
            batch.with_arguments(
                [&](void* const* a) { EXPECT_EQ(after([&] { step(a, 0, n, n); }), clean) << level << ": n " << n; });
        }
    }
}

TEST(UpperHalves, AreClearAfterARun) {
    for (const std::string& level : wide_levels()) {
        HostEntry* run = entry<HostEntry>("oscillator", level, "oscillator_run");
        Random g(22);
        for (const std::int64_t n : {1, 7, 64, 65}) {
            Oscillator batch(n, 0, g);
            batch.control.word[1] = 100;
            batch.with_arguments(
                [&](void* const* a) { EXPECT_EQ(after([&] { run(a, 0, n, n); }), clean) << level << ": n " << n; });
        }
    }
}

}  // namespace
}  // namespace hawk_test
#endif
