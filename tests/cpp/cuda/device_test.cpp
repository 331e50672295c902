// What the backend says of the driver and its devices, and what it leaves as it was.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "../gpu/Client.h"

namespace {

using namespace client;

TEST(Probe, MakesNoContextAndStartsNothing) {
    expect_in_child(([] {
        std::int32_t devices = 0;
        std::uint64_t groups = 0;
        EXPECT_OK(probe());
        EXPECT_OK(sdk_device_count(&devices));
        EXPECT_OK(capabilities(&groups));
        EXPECT_EQ(devices, 2);
        EXPECT_EQ(count("context"), 0);
        EXPECT_EQ(count("memory"), 0);
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

std::int32_t devices_with(const std::string& list) {
    setenv("CUDA_VISIBLE_DEVICES", list.c_str(), 1);
    std::int32_t devices = -1;
    EXPECT_OK(sdk_device_count(&devices));
    return devices;
}

TEST(Probe, AppliesTheListOfVisibleDevicesItself) {
    expect_in_child(([] {
        EXPECT_EQ(devices_with("1"), 1);
        EXPECT_EQ(devices_with("1,0"), 2);
        EXPECT_EQ(devices_with("0,7,1"), 1);  // up to the first that names none
        EXPECT_EQ(devices_with("0,0"), 0);    // twice the same: the driver shows none
        EXPECT_EQ(devices_with("GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea01"), 1);
        EXPECT_EQ(devices_with("GPU-ea"), 0);  // begins two of them
        EXPECT_EQ(devices_with(""), 0);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "CUDA_VISIBLE_DEVICES is ''"));
        unsetenv("CUDA_VISIBLE_DEVICES");
        EXPECT_OK(probe());
    }));
}

// What the driver itself shows of a list, in a process that it starts in.
int devices_of_the_driver() {
    int devices = 0;
    auto init = reinterpret_cast<PFN_cuInit_v2000>(driver("cuInit", 2000));
    auto count_of = reinterpret_cast<PFN_cuDeviceGetCount_v2000>(driver("cuDeviceGetCount", 2000));
    return init(0) == CUDA_SUCCESS && count_of(&devices) == CUDA_SUCCESS ? devices : 0;
}

TEST(Probe, ReadsOddListsAsTheDriverDoes) {
    const std::string first = "GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea00",
                      second = "GPU-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea01";
    const std::pair<std::string, int> lists[] = {{"-1", 0},
                                                 {"0,-1,1", 1},
                                                 {"0,1,-1", 2},
                                                 {" 1", 1},
                                                 {"0 ,1", 2},
                                                 {"0, 1", 2},
                                                 {" ", 0},
                                                 {",", 0},
                                                 {",0", 0},
                                                 {"0,", 1},
                                                 {"0,,1", 1},
                                                 {"1,x,2", 1},
                                                 {"x", 0},
                                                 {"1x", 1},
                                                 {"0,1,0", 0},
                                                 {"2", 0},
                                                 {"2147483648", 0},
                                                 {"0,4294967296,1", 1},
                                                 {"99999999999999999999999", 0},
                                                 {first + "," + second, 2},
                                                 {first + "," + first, 0},
                                                 {first + "0", 0},
                                                 {"gpu-eaeaeaea", 0},
                                                 {"GPU-", 0},
                                                 {"MIG-", 0},
                                                 {"all", 0},
                                                 {std::string(100000, '9'), 0},
                                                 {std::string(100000, ','), 0}};
    for (const auto& [list, devices] : lists) {
        expect_in_child(([&, list = list, devices = devices] {
            EXPECT_EQ(devices_with(list), devices) << "'" << list.substr(0, 60) << "'";
            EXPECT_EQ(probe(), devices > 0 ? EAGLE_BACKEND_OK : EAGLE_BACKEND_UNAVAILABLE);
            EXPECT_EQ(devices_of_the_driver(), devices) << "'" << list.substr(0, 60) << "'";
        }));
    }
}

TEST(Probe, OfSlicesAProcessSeesTheFirstOfTheList) {
    expect_in_child(([] {
        setenv("FAKE_CUDA_SLICES", "2", 1);
        const std::string first = "MIG-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea00",
                          second = "MIG-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea01";
        EXPECT_EQ(devices_with(second), 1);
        EXPECT_EQ(devices_with(second + "," + first), 1);
        EXPECT_EQ(devices_with("MIG-eaeaeaea-eaea-eaea-eaea-eaeaeaeaea02"), 0);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "CUDA_VISIBLE_DEVICES is 'MIG-"));
    }));
}

TEST(Driver, WhatItsDevicesWaitForIsNamed) {
    expect_in_child(([] {
        reinterpret_cast<decltype(&fake_cuda_fail)>(fake("fake_cuda_fail"))(1, 1, CUDA_ERROR_SYSTEM_NOT_READY);
        auto desc = make<struct eagle_backend_stream_desc>();
        eagle_backend_stream stream = nullptr;
        EXPECT_TRUE(says(stream_create(&desc, &stream), EAGLE_BACKEND_UNAVAILABLE, "nvidia-fabricmanager"));
        EXPECT_OK(stream_create(&desc, &stream));  // and it may be up the next time
    }));
}

TEST(Driver, OneThatLostItsContextIsTold) {
    expect_in_child(([] {
        auto desc = make<struct eagle_backend_stream_desc>();
        eagle_backend_stream stream = nullptr;
        EXPECT_OK(stream_create(&desc, &stream));
        auto fail = reinterpret_cast<decltype(&fake_cuda_fail)>(fake("fake_cuda_fail"));
        for (int code : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_MISALIGNED_ADDRESS}) {
            fail(1, 1000, code);
            EXPECT_TRUE(says(stream_synchronize(stream), EAGLE_BACKEND_ERROR, "start it again"));
        }
        stream_release(stream);  // nobody to tell
        fail(0, 0, 0);
    }));
}

TEST(Driver, OneThatIsNotThereIsNamed) {
    expect_in_child(([] {
        setenv("EAGLE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "/nowhere/libcuda.so.1"));
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "install NVIDIA's driver, 580 or newer"));
        auto desc = make<struct eagle_backend_stream_desc>();
        eagle_backend_stream stream = nullptr;
        EXPECT_TRUE(says(stream_create(&desc, &stream), EAGLE_BACKEND_UNAVAILABLE, "libcuda.so.1"));
        std::uint64_t groups = 0;
        EXPECT_OK(capabilities(&groups));
        EXPECT_EQ(groups, 0x1effu);  // what a driver can have
        std::int32_t devices = -1;
        EXPECT_OK(sdk_device_count(&devices));
        EXPECT_EQ(devices, 0);
    }));
}

TEST(Driver, AFileThatIsNoDriverIsRefused) {
    expect_in_child(([] {
        setenv("EAGLE_CUDA_DRIVER", EAGLE_GPU_BACKEND, 1);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "has no cuGetProcAddress_v2"));
    }));
}

TEST(Driver, APipeInItsPlaceIsNotWaitedFor) {
    const std::string pipe = std::filesystem::temp_directory_path() / ("eagle_driver." + std::to_string(getpid()));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const char* variable : {"EAGLE_CUDA_DRIVER", "EAGLE_CUDA_NVML"}) {
        expect_in_child(([&] {
            setenv(variable, pipe.c_str(), 1);
            const std::string words = pipe + " is no file of a library but a pipe, a socket or a device";
            EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, words.c_str()));
            const std::string advice = std::string("or unset ") + variable + ", which names this file";
            EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, advice.c_str()));
        }));
    }
    unlink(pipe.c_str());
}

TEST(Driver, ALibraryThatIsNoNvmlIsNamed) {
    expect_in_child(([] {
        setenv("EAGLE_CUDA_NVML", "libm.so.6", 1);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "libm.so.6 has no nvmlInit_v2, so it is no NVML"));
    }));
}

TEST(Driver, ItsVersionAndFunctionsDecideTheBits) {
    constexpr std::uint64_t all = 0x1eff, conditional = EAGLE_BACKEND_CAP_CONDITIONAL,
                            options = EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE | EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH;
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "13000"), all | options);
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "12080"), all | options);
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "12070"), all);
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "12040"), all);
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "12030"), all & ~conditional);
    EXPECT_EQ(groups_with("FAKE_CUDA_DRIVER_VERSION", "12010"), all & ~conditional);
    EXPECT_EQ(groups_with("FAKE_CUDA_MISSING", "cuGraphNodeSetEnabled"), (all | options) & ~EAGLE_BACKEND_CAP_LAUNCHER);
    EXPECT_EQ(groups_with("FAKE_CUDA_MISSING", "cuGraphConditionalHandleCreate"), all & ~conditional);
    EXPECT_EQ(groups_with("FAKE_CUDA_MISSING", "cuFuncGetParamInfo,cuGraphExecUpdate"), all | options);
}

TEST(Driver, AFunctionThatItLacksIsNamedWithItsVersion) {
    expect_in_child(([] {
        setenv("FAKE_CUDA_MISSING", "cuMemAllocAsync", 1);
        std::uint64_t address = 1;
        EXPECT_TRUE(says(sdk_device_alloc(0, 64, 0, &address), EAGLE_BACKEND_UNAVAILABLE,
                         "has no cuMemAllocAsync of CUDA 11.2"));
        EXPECT_EQ(address, 0u);
    }));
}

TEST(Driver, TooOldOnesAreRefusedByNumber) {
    expect_in_child(([] {
        setenv("FAKE_CUDA_DRIVER_VERSION", "12000", 1);
        EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, "is of CUDA 12.0; at least 12.1 is needed"));
    }));
}

TEST(Context, IsTheCallersAgainAndMadeOnNoOtherDevice) {
    expect_in_child(([] {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.device = 1;
        eagle_backend_stream stream = nullptr;
        EXPECT_OK(stream_create(&desc, &stream));
        EXPECT_EQ(current(), nullptr);
        EXPECT_EQ(count("context"), 1);  // device 0 has none
        const CUcontext outer = primary(0);
        make_current(outer);
        std::uint64_t raw = 0, address = 0;
        EXPECT_OK(stream_ptr(stream, &raw));
        EXPECT_OK(sdk_device_alloc(-1, 64, raw, &address));  // of the stream's device
        EXPECT_EQ(current(), outer);
        std::int32_t where = -1;
        EXPECT_OK(pointer_residency(1, address, &where));
        EXPECT_EQ(where, EAGLE_BACKEND_RESIDENCY_DEVICE);
        EXPECT_OK(pointer_residency(0, address, &where));
        EXPECT_EQ(where, EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE);
        EXPECT_TRUE(says(sdk_device_alloc(0, 64, raw, &address), EAGLE_BACKEND_INVALID_ARGUMENT,
                         "the stream belongs to device 1"));
        EXPECT_EQ(current(), outer);
    }));
}

TEST(Device, IsNamedAsTheFakeThatItIs) {
    expect_in_child(([] {
        auto props = make<struct eagle_backend_device_props>();
        EXPECT_OK(device_props(0, &props));
        EXPECT_STREQ(props.name, "fake-cuda (host memory, test only)");
        EXPECT_EQ(props.warp_size, 32);
        EXPECT_DOUBLE_EQ(props.peak_bytes_per_s, 2.0 * 2e9 * 256 / 8);
        EXPECT_DOUBLE_EQ(props.peak_flops_sp, 2.0 * 128 * 2 * 1e9);
        EXPECT_DOUBLE_EQ(props.fp64_ratio, 0.5);
        auto identity = make<struct eagle_backend_sdk_device_identity>();
        EXPECT_OK(sdk_device_identity(1, &identity));
        EXPECT_STREQ(identity.pci_bus_id, "0000:f1:00.0");
        EXPECT_EQ(identity.uuid[0], 0xEA);
        EXPECT_EQ(identity.uuid[15], 1);
    }));
}

TEST(BuildInfo, SaysWhatTheFileCarries) {
    auto info = make<struct eagle_backend_build_info>();
    EXPECT_OK(build_info(&info));
    EXPECT_STREQ(info.backend_kind, "cuda");
    EXPECT_STREQ(info.archs, EAGLE_CUDA_ARCHS);
    EXPECT_EQ(info.cudart_version, 0);
    std::int32_t types[4] = {}, number = 0;
    EXPECT_OK(device_types(types, 4, &number));
    ASSERT_EQ(number, 3);
    EXPECT_EQ(types[0], 2);
    EXPECT_EQ(types[1], 3);
    EXPECT_EQ(types[2], 13);
}

}  // namespace
