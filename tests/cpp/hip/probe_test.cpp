// How the backend finds out what there is: from the kernel's files, and without starting anything.
#include <cstdlib>
#include <string>
#include <vector>

#include "../gpu/Client.h"

namespace {

using namespace client;

std::int32_t devices_with(const char* variable, const char* value) {
    std::int32_t devices = -1;
    setenv(variable, value, 1);
    EXPECT_OK(sdk_device_count(&devices));
    unsetenv(variable);
    return devices;
}

TEST(Probe, StartsNothing) {
    expect_in_child(([] {
        std::int32_t devices = 0;
        std::uint64_t groups = 0;
        EXPECT_OK(probe());
        EXPECT_OK(sdk_device_count(&devices));
        EXPECT_OK(capabilities(&groups));
        EXPECT_EQ(devices, 2);
        EXPECT_EQ(count("context"), 0);
        auto current_of = reinterpret_cast<PFN_cuCtxGetCurrent_v4000>(driver("cuCtxGetCurrent", 4000));
        CUcontext context = nullptr;
        EXPECT_EQ(current_of(&context), CUDA_ERROR_NOT_INITIALIZED);
    }));
}

TEST(Probe, AChildForkedAfterItUsesTheDevice) {
    expect_in_child(([] {
        EXPECT_OK(probe());
        expect_in_child(([] { use_a_device(); }));
    }));
}

TEST(Probe, AChildForkedAfterUseIsToldSo) {
    expect_in_child(([] {
        use_a_device();
        expect_in_child(([] {
            auto desc = make<struct eagle_backend_stream_desc>();
            eagle_backend_stream stream = nullptr;
            EXPECT_TRUE(says(stream_create(&desc, &stream), EAGLE_BACKEND_UNAVAILABLE, "forked"));
        }));
    }));
}

TEST(Probe, AppliesTheListsOfVisibleDevicesItself) {
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", "1"), 1);
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", "1,0"), 2);
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", "0,7,1"), 1);  // up to the first that names none
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", ""), 2);
    EXPECT_EQ(devices_with("CUDA_VISIBLE_DEVICES", "1"), 1);
    EXPECT_EQ(devices_with("ROCR_VISIBLE_DEVICES", "GPU-123456789abcdef1"), 1);
    EXPECT_EQ(devices_with("ROCR_VISIBLE_DEVICES", "GPU-1234"), 0);  // begins two of them
}

struct OddList {
    std::string list;
    std::int32_t devices;
};

void expect_devices(const char* variable, const std::vector<OddList>& lists) {
    for (const OddList& odd : lists) {
        EXPECT_EQ(devices_with(variable, odd.list.c_str()), odd.devices)
            << variable << " '" << odd.list.substr(0, 60) << "'";
        setenv(variable, odd.list.c_str(), 1);
        if (odd.devices > 0) {
            EXPECT_OK(probe());
        } else {
            EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, std::string(variable) + " is '" + odd.list + "'"));
        }
        unsetenv(variable);
    }
}

// AMD's runtime takes a number that is written as it is printed and the beginning of a name, skips a device that it has
// already, and stops at what names none.
TEST(Probe, ReadsOddListsOfHipAsItsRuntimeDoes) {
    const std::vector<OddList> lists = {{"-1", 0},
                                        {"0,-1,1", 1},
                                        {" 1", 0},
                                        {"0, 1", 1},
                                        {"0 ,1", 0},
                                        {" ", 0},
                                        {",", 0},
                                        {",0", 0},
                                        {"0,", 1},
                                        {"0,,1", 1},
                                        {"1,x,2", 1},
                                        {"x", 0},
                                        {"1x", 0},
                                        {"01", 0},
                                        {"+1", 0},
                                        {"0x1", 0},
                                        {"2", 0},
                                        {"0,0,1", 2},
                                        {"0,0", 1},
                                        {"2147483648", 0},
                                        {"0,4294967296,1", 1},
                                        {"99999999999999999999999", 0},
                                        {"GPU-", 1},
                                        {"GPU-1234", 1},
                                        {"GPU-123456789abcdef1,0", 2},
                                        {"GPU-123456789abcdef1,1", 1},
                                        {"GPU-123456789ABCDEF1", 0},
                                        {"GPU-XX", 0},
                                        {"GPU-123456789abcdef01", 0},
                                        {std::string(100000, '9'), 0},
                                        {std::string(100000, ','), 0}};
    expect_devices("HIP_VISIBLE_DEVICES", lists);
    expect_devices("CUDA_VISIBLE_DEVICES", lists);
}

// ROCr, below it, reads numbers as C does, names in either case and spaces around both; a device that is named again
// ends its list, and an empty list hides every device.
TEST(Probe, ReadsOddListsOfRocrAsItDoes) {
    expect_devices("ROCR_VISIBLE_DEVICES", {{"", 0},
                                            {"-1", 0},
                                            {"0,-1,1", 1},
                                            {" 1", 1},
                                            {"0 , 1", 2},
                                            {" ", 0},
                                            {",", 0},
                                            {"0,", 1},
                                            {"1,x,2", 1},
                                            {"x", 0},
                                            {"1x", 0},
                                            {"0x1", 1},
                                            {"01", 1},
                                            {"08", 0},
                                            {"2", 0},
                                            {"0,0,1", 1},
                                            {"0,4294967296,1", 1},
                                            {"99999999999999999999", 0},
                                            {"GPU-", 0},
                                            {"G", 0},
                                            {"GPU-XX", 0},
                                            {"gpu-123456789ABCDEF1", 1},
                                            {"GPU-123456789abcdef1,GPU-123456789abcdef0", 2},
                                            {"GPU-123456789abcdef01", 0},
                                            {std::string(100000, '9'), 0},
                                            {std::string(100000, ','), 0}});
}

TEST(Probe, AnEmptyListOfHipLeavesItToTheListOfCuda) {
    setenv("HIP_VISIBLE_DEVICES", "", 1);
    EXPECT_EQ(devices_with("CUDA_VISIBLE_DEVICES", "1"), 1);
    EXPECT_EQ(devices_with("CUDA_VISIBLE_DEVICES", ""), 2);
    setenv("HIP_VISIBLE_DEVICES", "0,1", 1);
    EXPECT_EQ(devices_with("CUDA_VISIBLE_DEVICES", "5"), 2);
    unsetenv("HIP_VISIBLE_DEVICES");
}

TEST(Probe, TheListOfHipIsOfWhatTheOtherLeaves) {
    setenv("ROCR_VISIBLE_DEVICES", "1", 1);
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", "0"), 1);
    EXPECT_EQ(devices_with("HIP_VISIBLE_DEVICES", "1"), 0);
    setenv("HIP_VISIBLE_DEVICES", "1", 1);
    EXPECT_TRUE(
        says(probe(), EAGLE_BACKEND_UNAVAILABLE, "HIP_VISIBLE_DEVICES is '1', which leaves none of the 1 devices"));
    unsetenv("HIP_VISIBLE_DEVICES");
    unsetenv("ROCR_VISIBLE_DEVICES");
}

TEST(Probe, ListsOfTheKernelWithoutADeviceAreTold) {
    setenv("EAGLE_HIP_KFD", "/nowhere", 1);
    EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "/nowhere is not there"));
    EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "load its module amdgpu"));
    setenv("EAGLE_HIP_KFD", KFD_OF_CPUS, 1);
    EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "lists no AMD device that this process may use"));
    std::int32_t devices = -1;
    EXPECT_OK(sdk_device_count(&devices));
    EXPECT_EQ(devices, 0);
    setenv("EAGLE_HIP_KFD", KFD, 1);
    EXPECT_OK(probe());
}

}  // namespace
