// The `step` entry against a plain loop.
#include <gtest/gtest.h>

#include "models.h"

namespace hawk_test {
namespace {

template <class Model>
class Step : public testing::Test {};
using Models = testing::Types<Oscillator, Fall, Mixed, Whole, Bounce>;
TYPED_TEST_SUITE(Step, Models);

TYPED_TEST(Step, EqualsThePlainLoop) {
    for (const std::string& level : levels()) {
        HostEntry* step = entry<HostEntry>(TypeParam::kernel, level, std::string(TypeParam::kernel) + "_step");
        Random g(11);
        for (const std::int64_t n : {0, 1, 2, 5, 7, 8, 9, 15, 16, 17, 33, 64, 65, 100, 257, 1000, 4099})
            for (const int gap : {0, 2})
                for (const int one_in : {0, 1, 2, 9, 200}) {
                    TypeParam got(n, gap, g);
                    for (std::int64_t i = 0; i < n; i++)
                        if (one_in && g() % static_cast<std::uint64_t>(one_in) == 0)
                            got.mask[i] = static_cast<std::uint8_t>(1 + g() % 255);
                    TypeParam want = got;
                    for (int k = 0; k < 30; k++) {
                        const std::int64_t base = n > 3 ? k % 3 : 0;
                        step_plainly(want, base, n - base);
                        got.with_arguments([&](void* const* a) { step(a, base, n - base, n); });
                    }
                    ASSERT_TRUE(got.same(want)) << level << ": n " << n << ", gap " << gap << ", one in " << one_in;
                }
    }
}

struct Scale {
    std::int64_t n;
    Column<double> out, x, y;
    double a = 1.7;
    Scale(std::int64_t count, int gap, Random& g) : n(count), out(count, gap), x(count, gap), y(count, gap) {
        for (std::int64_t i = 0; i < n; i++) x[i] = uniform(g, -9, 9), y[i] = uniform(g, -9, 9);
    }
    void step(HostEntry* f, std::int64_t base, std::int64_t count, std::int64_t total) {
        VectorBlock o = out.vector();
        ScalarBlock xb = x.scalar(), yb = y.scalar();
        void* p[] = {&o, &xb, &yb, &a};
        f(p, base, count, total);
    }
};

// Every end, start and stride. A total that exceeds any cache asks for stores past it, at any alignment.
TEST(StepOut, EveryRangeStrideAndKindOfStore) {
    for (const std::string& level : levels()) {
        HostEntry* f = entry<HostEntry>("scale", level, "scale_step");
        Random g(12);
        for (const std::int64_t n : {1, 7, 8, 9, 15, 31, 63, 64, 65, 1000})
            for (const int gap : {0, 2})
                for (const std::int64_t base : {0, 1, 5, 8})
                    for (const std::int64_t total : {n, std::int64_t{1} << 40}) {
                        if (base >= n) continue;
                        Scale got(n, gap, g), want = got;
                        got.step(f, base, n - base, total);
                        for (std::int64_t i = base; i < n; i++) want.out[i] = want.a * want.x[i] + want.y[i];
                        ASSERT_TRUE(got.out == want.out && got.x == want.x && got.y == want.y)
                            << level << ": n " << n << ", gap " << gap << ", base " << base << ", total " << total;
                    }
    }
}

// An out plane of a masked sample is untouched.
TEST(StepOut, MaskedSamplesKeepTheirOutputs) {
    for (const std::string& level : levels()) {
        HostEntry* f = entry<HostEntry>("fall", level, "fall_step");
        Random g(13);
        Fall got(100, 0, g);
        for (std::int64_t i = 0; i < 100; i++) got.mask[i] = i % 3 == 0, got.out[i] = -1;
        got.with_arguments([&](void* const* a) { f(a, 0, 100, 100); });
        for (std::int64_t i = 0; i < 100; i++) ASSERT_EQ(got.out[i] == -1.0f, i % 3 == 0) << level << ": sample " << i;
    }
}

}  // namespace
}  // namespace hawk_test
