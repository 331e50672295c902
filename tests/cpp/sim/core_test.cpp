// What the simulated device says of itself.
#include <cstring>
#include <string>

#include "Device.h"

namespace {

TEST(SimCore, says_what_it_is) {
    auto info = client::make<struct eagle_backend_build_info>();
    ASSERT_EQ(client::build_info(&info), EAGLE_BACKEND_OK);
    EXPECT_STREQ(info.backend_kind, "sim");
    EXPECT_NE(std::string(info.archs).find("simulated"), std::string::npos);
    EXPECT_EQ(info.cudart_version, 0);
    std::int32_t types[4] = {}, count = 0;
    ASSERT_EQ(client::device_types(types, 4, &count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(types[0], 12);
    ASSERT_EQ(client::sdk_device_count(&count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 2);
}

TEST(SimCore, names_each_device_simulated) {
    for (std::int32_t device : {0, 1}) {
        auto props = client::make<struct eagle_backend_device_props>();
        ASSERT_EQ(client::device_props(device, &props), EAGLE_BACKEND_OK);
        EXPECT_EQ(props.device, device);
        EXPECT_EQ(std::string(props.name).find("simulated device " + std::to_string(device)), 0u);
        EXPECT_EQ(props.peak_bytes_per_s, 0);
        auto identity = client::make<struct eagle_backend_sdk_device_identity>();
        ASSERT_EQ(client::sdk_device_identity(device, &identity), EAGLE_BACKEND_OK);
        EXPECT_EQ(identity.device, device);
    }
    auto props = client::make<struct eagle_backend_device_props>();
    EXPECT_TRUE(client::says(client::device_props(2, &props), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "device is 2; kind sim has devices 0 to 1 (and -1 is the current one)"));
}

TEST(SimCore, every_symbol_is_there) {
#define EAGLE_SYMBOL(group, name, since, bound) EXPECT_NE(client::address_of("eagle_backend_" #name), nullptr) << #name;
#include <eagle/seam/symbols.def>
}

}  // namespace
