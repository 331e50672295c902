// A kernel's body on one lane of plain types: the target of devices, and an oracle. It gives what the vectors give.
#include <gtest/gtest.h>

#include "kernels/bounce.cpp"
#include "models.h"

namespace hawk_test {
namespace {

using Kernel = hawk::kernels::bounce_kernel;
using One = hawk::scalar<double>;

TEST(ScalarTarget, ABodyRunsOnPlainTypes) {
    Random g(51);
    Bounce want(500, 0, g);
    for (std::int64_t i = 0; i < want.n; i += 50) want.every[i] = 0;
    Bounce start = want;
    const Kernel::uni u{want.dt, want.g, want.most};
    run_plainly(want, 0, want.n, 2000);
    for (std::int64_t i = 0; i < want.n; i++) {
        Kernel::state<One> s{start.hits[i],    start.r.at(i, 0), start.r.at(i, 1), start.v.at(i, 0),
                             start.v.at(i, 1), start.e[i],       start.every[i]};
        std::int64_t steps = 0;
        hawk::i32 code = 0;
        for (bool done = false; !done && steps < 2000; steps++) {
            const Kernel::state<One> before = s;
            hawk::trap<One> f(&code);
            done = Kernel::step<One>(s, u, true, f);
            if (f.failed) {
                s = before;
                break;
            }
        }
        ASSERT_EQ(steps, want.steps[i]) << "sample " << i;
        ASSERT_EQ(code, i % 50 == 0 ? hawk::DivisionByZero : 0);
        ASSERT_EQ(s.hits_, want.hits[i]);
        ASSERT_EQ(s.r_0, want.r.at(i, 0));
        ASSERT_EQ(s.r_1, want.r.at(i, 1));
        ASSERT_EQ(s.v_0, want.v.at(i, 0));
        ASSERT_EQ(s.v_1, want.v.at(i, 1));
    }
}

}  // namespace
}  // namespace hawk_test
