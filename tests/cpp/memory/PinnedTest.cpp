// Page-locked arrays, and what devices say of themselves. One process has loaded one device kind: the simulated one.
#include <eagle/DeviceProps.h>
#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Pinned.h>

#include "Place.h"

namespace {

using namespace active_tests;
using eagle::Dtype;
using handmade::refusal;

const std::int64_t shape[] = {3, 4};

TEST(Pinned, OfTheOneDeviceKindThatIsLoaded) {
    const eagle::Backend sim = simulated::backend();
    const eagle::PinnedArray made = eagle::pinned(shape, Dtype::float32);
    EXPECT_EQ(made.kind, "sim");
    EXPECT_TRUE(made.array.on_host());
    EXPECT_EQ(made.array.as<float>().size(), 12u);
    EXPECT_EQ(made.array.view().ndim, 2);
    made.array.as<float>()[11] = 7;
    const eagle::Array there = eagle::Array::upload(made.array, sim);
    EXPECT_EQ(down<float>(there)[11], 7);
}

TEST(Pinned, OfTheKindThatIsNamed) {
    EXPECT_EQ(eagle::pinned(shape, Dtype::boolean, "cpu").kind, "cpu");
    EXPECT_NE(
        refusal<eagle::BackendUnavailable>([] { eagle::pinned(shape, Dtype::boolean, "nowhere"); }).find("nowhere"),
        std::string::npos);
    const std::int64_t wrong[] = {3, -1};
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { eagle::pinned(wrong, Dtype::boolean, "nowhere"); }),
              "an array extent is -1; it must be at least 0");
    const std::int64_t none[] = {0};
    EXPECT_EQ(eagle::pinned(none, Dtype::float64, "cpu").array.view().size(), 0);
}

TEST(DeviceProps, OfEachKind) {
    const eagle::DeviceProps host = eagle::device_props(eagle::Backend::load(eagle::host_kind()));
    EXPECT_EQ(host.kind, "cpu");
    EXPECT_FALSE(host.name.empty());
    EXPECT_GE(host.sm_count, 1);
    const eagle::DeviceProps device = eagle::device_props(simulated::backend(), 1);
    EXPECT_EQ(device.kind, "sim");
    EXPECT_EQ(device.device, 1);
    EXPECT_NE(refusal<eagle::InvalidArgument>([] { eagle::device_props(simulated::backend(), 2); }), "");
}

}  // namespace
