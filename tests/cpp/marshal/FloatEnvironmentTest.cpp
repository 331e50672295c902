#include <eagle/marshal/FloatEnvironment.h>

#include <cfenv>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

double third() {
    volatile double one = 1.0, three = 3.0;
    return one / three;
}

TEST(FloatEnvironment, RoundsToNearestWhateverIsSetAndPutsItBack) {
    double nearest = third();
    std::fesetround(FE_UPWARD);
    double upward = third(), inside = 0;
    {
        FloatEnvironment environment;
        inside = third();
        EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    EXPECT_NE(upward, nearest);
    EXPECT_EQ(inside, nearest);
}

TEST(FloatEnvironment, ExceptionFlagsOfTheInsideStayInside) {
    std::feclearexcept(FE_ALL_EXCEPT);
    {
        FloatEnvironment environment;
        volatile double zero = 0.0;
        volatile double infinite = 1.0 / zero;
        EXPECT_GT(infinite, 0);
        EXPECT_TRUE(std::fetestexcept(FE_DIVBYZERO));
    }
    EXPECT_FALSE(std::fetestexcept(FE_DIVBYZERO));
}

TEST(FloatEnvironment, TrapsAreOffInside) {
    std::fenv_t before;
    std::fegetenv(&before);
#if defined(__GLIBC__)
    feenableexcept(FE_DIVBYZERO);
#endif
    {
        FloatEnvironment environment;
        volatile double zero = 0.0;
        volatile double infinite = 1.0 / zero;
        EXPECT_GT(infinite, 0);
    }
    std::fesetenv(&before);
}

}  // namespace
}  // namespace eagle::marshal
