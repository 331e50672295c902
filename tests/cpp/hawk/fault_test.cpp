// Divisions that fail: what is reported, what is stored, who goes on.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <thread>

#include "models.h"

namespace hawk_test {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

struct Divide {
    std::int64_t n;
    Column<std::int64_t> quotient, rest, a, b;
    Column<std::uint8_t> mask;
    Control control;
    Divide(std::int64_t count, int gap)
        : n(count), quotient(count, gap), rest(count, gap), a(count, gap), b(count, gap), mask(count, gap) {
        Random g(21);
        for (std::int64_t i = 0; i < n; i++) {
            a[i] = static_cast<std::int64_t>(g()) >> (g() % 64), b[i] = static_cast<std::int64_t>(g()) >> (g() % 62);
            if (b[i] == 0 || b[i] == -1) b[i] = 3;
            quotient[i] = rest[i] = 5;
        }
    }
    void step(HostEntry* f, std::int64_t base, std::int64_t count) {
        VectorBlock q = quotient.vector(), r = rest.vector();
        ScalarBlock c{control.word, 8, 1, 1, 0}, x = a.scalar(), y = b.scalar(), m = mask.scalar();
        void* p[] = {&c, &q, &r, &x, &y, &m};
        f(p, base, count, n);
    }
};

// Python's division, by another road: 128 bits and a correction by the sign of the rest.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    __extension__ typedef __int128 Wide;
    const Wide q = static_cast<Wide>(a) / b;
    return static_cast<std::int64_t>(q * b != a && (a < 0) != (b < 0) ? q - 1 : q);
}

TEST(StepFault, OnlyTheFaultySamplesAreLeftOut) {
    for (const std::string& level : levels()) {
        HostEntry* f = entry<HostEntry>("divide", level, "divide_step");
        for (const int gap : {0, 1})
            for (const std::int64_t n : {1, 8, 23, 500}) {
                Divide d(n, gap);
                const std::int64_t zero = n / 2, over = n - 1, masked = n / 3;
                d.a[over] = least, d.b[over] = -1;
                d.b[zero] = 0;
                if (n > 8) d.b[masked] = 0, d.mask[masked] = 7;
                d.step(f, 0, n);
                for (std::int64_t i = 0; i < n; i++) {
                    const bool stored = i != zero && i != over && !d.mask[i];
                    const std::int64_t q = stored ? floor_quotient(d.a[i], d.b[i]) : 5;
                    ASSERT_EQ(d.quotient[i], q) << level << ": sample " << i << " of " << n;
                    ASSERT_EQ(d.rest[i], stored ? d.a[i] - q * d.b[i] : 5);
                }
                EXPECT_EQ(d.control.word[3], -1) << level << ": code of a zero divisor";
                EXPECT_EQ(d.control.word[4], 0);
                EXPECT_EQ(d.control.word[5], zero) << "the lowest faulty sample";
                EXPECT_EQ(d.control.word[7], 0) << "the lock is free again";
                if (n > 8) {
                    EXPECT_EQ(d.mask[masked], 7);
                }
            }
    }
}

TEST(StepFault, TheOverflowingQuotientHasItsOwnCode) {
    for (const std::string& level : levels()) {
        HostEntry* f = entry<HostEntry>("divide", level, "divide_step");
        Divide d(40, 0);
        d.a[17] = least, d.b[17] = -1;
        d.step(f, 0, 40);
        EXPECT_EQ(d.control.word[3], -2) << level;
        EXPECT_EQ(d.control.word[5], 17);
        EXPECT_EQ(d.quotient[17], 5);
        d.a[17] = least + 1;
        d.control = {};
        d.step(f, 0, 40);
        EXPECT_EQ(d.control.word[3], 0);
        EXPECT_EQ(d.quotient[17], std::numeric_limits<std::int64_t>::max());
        EXPECT_EQ(d.rest[17], 0);
    }
}

// Two calls report into one control block: the lower sample stays, in either order.
TEST(StepFault, TheLowestSampleWinsOverCalls) {
    for (const std::string& level : levels()) {
        HostEntry* f = entry<HostEntry>("divide", level, "divide_step");
        for (const bool upwards : {true, false}) {
            Divide d(64, 0);
            d.b[9] = 0;
            d.a[50] = least, d.b[50] = -1;
            d.step(f, upwards ? 0 : 32, 32);
            d.step(f, upwards ? 32 : 0, 32);
            EXPECT_EQ(d.control.word[3], -1) << level;
            EXPECT_EQ(d.control.word[5], 9);
        }
    }
}

TEST(RunFault, AFaultySampleStaysAtItsLastWholeStep) {
    for (const std::string& level : levels()) {
        HostEntry* run = entry<HostEntry>("bounce", level, "bounce_run");
        for (const int gap : {0, 1})
            for (const int workers : {1, 3})
                for (const std::int64_t n : {1, 9, 64, 333, 2000}) {
                    Random g(22);
                    Bounce got(n, gap, g);
                    for (std::int64_t i = n / 2; i < n; i += 7) got.every[i] = 0;
                    Bounce want = got;
                    const Totals totals = run_plainly(want, 0, n, 100000);
                    ASSERT_GE(totals.faulty, 0);
                    got.control.word[1] = 100000;
                    got.with_arguments([&](void* const* a) {
                        std::vector<std::thread> threads;
                        for (int k = 1; k < workers; k++) threads.emplace_back([&] { run(a, 0, n, n); });
                        run(a, 0, n, n);
                        for (auto& t : threads) t.join();
                    });
                    ASSERT_TRUE(got.same(want)) << level << ": n " << n << ", workers " << workers;
                    EXPECT_EQ(got.control.word[2], totals.steps);
                    EXPECT_EQ(got.control.word[3], -1);
                    EXPECT_EQ(got.control.word[5], totals.faulty);
                    EXPECT_EQ(got.control.word[7], 0);
                }
    }
}

TEST(StepFaultOfAFinishingKernel, ItsMaskAndStepsStay) {
    for (const std::string& level : levels()) {
        HostEntry* step = entry<HostEntry>("bounce", level, "bounce_step");
        Random g(23);
        Bounce got(200, 0, g);
        for (std::int64_t i = 3; i < 200; i += 11) got.every[i] = 0;
        Bounce want = got;
        std::int64_t lowest = -1;
        for (int k = 0; k < 200; k++) {
            const Totals t = step_plainly(want, 0, 200);
            if (t.faulty >= 0 && (lowest < 0 || t.faulty < lowest)) lowest = t.faulty;
            got.with_arguments([&](void* const* a) { step(a, 0, 200, 200); });
        }
        ASSERT_TRUE(got.same(want)) << level;
        EXPECT_EQ(got.control.word[3], -1);
        EXPECT_EQ(got.control.word[5], lowest);
        EXPECT_EQ(got.control.word[5], 3);
    }
}

}  // namespace
}  // namespace hawk_test
