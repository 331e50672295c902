// What libeagle_cpu says of itself, and which symbols it has.
#include <cstring>
#include <set>
#include <thread>

#include "Client.h"

namespace {

TEST(Core, version_and_kind) {
    EXPECT_EQ(client::version(), 0x10007u);
    EXPECT_EQ(client::sdk_version(), 1u);
    auto info = client::make<struct eagle_backend_build_info>();
    ASSERT_EQ(client::build_info(&info), EAGLE_BACKEND_OK);
    EXPECT_STREQ(info.backend_kind, "cpu");
    EXPECT_STREQ(info.eagle_version, EAGLE_RELEASE);
    EXPECT_EQ(info.abi_version, 0x10007u);
    EXPECT_EQ(info.cudart_version, 0);
    EXPECT_NE(info.archs[0], '\0');
}

TEST(Core, exports_the_groups_it_promises_and_no_call_that_only_refuses) {
    std::uint64_t bits = 0;
    ASSERT_EQ(client::capabilities(&bits), EAGLE_BACKEND_OK);
    EXPECT_EQ(bits, EAGLE_BACKEND_CAP_STREAM | EAGLE_BACKEND_CAP_CAPTURER | EAGLE_BACKEND_CAP_CAPTURED |
                        EAGLE_BACKEND_CAP_FORK | EAGLE_BACKEND_CAP_CONDITIONAL | EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE |
                        EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH | EAGLE_BACKEND_CAP_ATTRIBUTION | EAGLE_BACKEND_CAP_GRAPH |
                        EAGLE_BACKEND_CAP_LAUNCHER | EAGLE_BACKEND_CAP_EXEC | EAGLE_BACKEND_CAP_DEVICE |
                        EAGLE_BACKEND_CAP_INTEROP | EAGLE_BACKEND_CAP_FILTERING);
    const std::set<std::string> groups{"core",        "stream",      "capturer",  "captured", "fork",
                                       "conditional", "attribution", "graph",     "launcher", "exec",
                                       "device",      "interop",     "filtering", "sdk"},
        alone{"memcpy",    "memset_device",  "memcpy_device", "host_alloc",       "host_free",
              "host_func", "reorder_device", "reset_device",  "pointer_residency"};
#define EAGLE_SYMBOL(group, name, since, bound) \
    EXPECT_EQ(client::name != nullptr, groups.count(#group) != 0 || alone.count(#name) != 0) << #name;
#include <eagle/seam/symbols.def>
}

TEST(Core, one_device_without_an_identity_of_its_own) {
    std::int32_t count = -1;
    ASSERT_EQ(client::sdk_device_count(&count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 1);
    auto identity = client::make<struct eagle_backend_sdk_device_identity>();
    std::memset(identity.uuid, 7, sizeof identity.uuid);
    ASSERT_EQ(client::sdk_device_identity(0, &identity), EAGLE_BACKEND_OK);
    EXPECT_EQ(identity.device, 0);
    for (auto byte : identity.uuid) EXPECT_EQ(byte, 0);
    EXPECT_STREQ(identity.pci_bus_id, "");
    EXPECT_TRUE(client::says(client::sdk_device_identity(1, &identity), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 1"));
    EXPECT_TRUE(client::says(client::sdk_device_identity(0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_TRUE(client::says(client::sdk_device_count(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "count is null"));
}

TEST(Core, a_short_output_struct_is_filled_as_far_as_it_goes) {
    struct eagle_backend_sdk_device_identity identity{};
    identity.struct_size = 8;
    identity.pci_bus_id[0] = 'x';
    ASSERT_EQ(client::sdk_device_identity(-1, &identity), EAGLE_BACKEND_OK);
    EXPECT_EQ(identity.struct_size, 8u);
    EXPECT_EQ(identity.pci_bus_id[0], 'x');
    identity.struct_size = 3;
    EXPECT_TRUE(
        client::says(client::sdk_device_identity(0, &identity), EAGLE_BACKEND_INVALID_ARGUMENT, "struct_size is 3"));
}

TEST(Core, the_last_error_is_of_the_thread_and_names_the_call) {
    EXPECT_TRUE(client::says(client::build_info(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "eagle_backend_build_info: info is null"));
    std::thread([] { EXPECT_STREQ(client::last_error(), ""); }).join();
    EXPECT_STRNE(client::last_error(), "");
    EXPECT_EQ(client::probe(), EAGLE_BACKEND_OK);
    EXPECT_STREQ(client::last_error(), "");
}

}  // namespace
