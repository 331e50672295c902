// The runtime that the distribution brings, a real one: the search by name finds it, and it is too old.
#include <cstdlib>

#include "../gpu/Client.h"

namespace {

using namespace client;

TEST(Runtime, OfTheDistributionIsTooOld) {
    expect_in_child(([] {
        unsetenv("EAGLE_HIP_DRIVER");
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "libamdhip64.so.5 is of HIP 5, which numbers the nodes"));
    }));
}

}  // namespace
