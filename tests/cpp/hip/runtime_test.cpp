// Which runtimes the backend takes, what it says of the others, and what a runtime's functions decide.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "../gpu/Client.h"

namespace {

using namespace client;

constexpr std::uint64_t all = 0x1eff & ~std::uint64_t{EAGLE_BACKEND_CAP_CONDITIONAL},
                        with_code = EAGLE_BACKEND_CAP_FILTERING;
// Device code needs a compiler, and compaction device code.
constexpr bool has_code = std::string_view(EAGLE_HIP_ARCHS) != "no device code";
constexpr std::uint64_t built = has_code ? all : all & ~with_code;

// What probe says of a runtime.
void expect_words(const char* file, std::initializer_list<const char*> texts) {
    expect_in_child(([&] {
        file ? setenv("EAGLE_HIP_DRIVER", file, 1) : unsetenv("EAGLE_HIP_DRIVER");
        for (const char* text : texts) EXPECT_TRUE(says(probe(), EAGLE_BACKEND_UNAVAILABLE, text));
        auto desc = make<struct eagle_backend_stream_desc>();
        eagle_backend_stream stream = nullptr;
        EXPECT_TRUE(says(stream_create(&desc, &stream), EAGLE_BACKEND_UNAVAILABLE, *texts.begin()));
        std::uint64_t groups = 0;
        EXPECT_OK(capabilities(&groups));
        EXPECT_EQ(groups, built);  // what a runtime can have
        std::int32_t devices = -1;
        EXPECT_OK(sdk_device_count(&devices));
        EXPECT_EQ(devices, 0);
    }));
}

TEST(Runtime, OneThatIsNotThereIsNamed) {
    expect_words("/nowhere/libamdhip64.so.7", {"/nowhere/libamdhip64.so.7: cannot open shared object file",
                                               "install ROCm 6 or newer, which brings libamdhip64.so.6 or .so.7"});
}

TEST(Runtime, OneOfHip5IsRefusedWithItsReason) {
    expect_words(HIP_SHIM_5, {HIP_SHIM_5,
                              "is of HIP 5, which numbers the nodes of graphs and the types of memory "
                              "otherwise than HIP 6 does",
                              "install ROCm 6 or newer"});
}

TEST(Runtime, OneThatIsNewerThanAllThatAreKnownIsRefused) {
    expect_words(HIP_SHIM_8, {"is of HIP 8, whose interface this build does not know; it knows HIP 6 and 7"});
}

TEST(Runtime, AFileThatIsNoneIsRefused) {
    expect_words(FAKE_CUDA_DRIVER, {"is no runtime of HIP: it calls itself 'libcuda_fake.so'"});
}

TEST(Runtime, APipeOrAFolderInItsPlaceIsNotOpened) {
    const std::string pipe = std::filesystem::temp_directory_path() / ("eagle_runtime." + std::to_string(getpid()));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    expect_words(pipe.c_str(), {"is no file of a library but a pipe, a socket or a device", "install ROCm 6 or newer",
                                "or unset EAGLE_HIP_DRIVER, which names this file"});
    unlink(pipe.c_str());
    expect_words("/usr", {"/usr is no file of a library but a folder"});
}

TEST(Runtime, ItsFunctionsDecideTheBits) {
    EXPECT_EQ(groups_with("EAGLE_HIP_DRIVER", HIP_SHIM_7), built);
    EXPECT_EQ(groups_with("EAGLE_HIP_DRIVER", HIP_SHIM_6), built);
    EXPECT_EQ(groups_with("EAGLE_HIP_DRIVER", HIP_SHIM_6_less), built & ~std::uint64_t{EAGLE_BACKEND_CAP_LAUNCHER});
}

TEST(Runtime, ConditionalIsClearAndItsFunctionsAreNotThere) {
    EXPECT_EQ(built & EAGLE_BACKEND_CAP_CONDITIONAL, 0u);
    EXPECT_EQ(address_of("eagle_backend_conditional_create"), nullptr);
    EXPECT_EQ(address_of("eagle_backend_sdk_launcher_set_conditional"), nullptr);
}

TEST(Runtime, AFunctionThatItLacksIsNamed) {
    expect_in_child(([] {
        setenv("EAGLE_HIP_DRIVER", HIP_SHIM_6_less, 1);
        std::uint64_t address = 1;
        EXPECT_TRUE(says(sdk_device_alloc(0, 64, 0, &address), EAGLE_BACKEND_UNAVAILABLE,
                         "has no hipMallocAsync; install a newer ROCm"));
        EXPECT_TRUE(
            says(sdk_device_alloc(0, 64, 0, &address), EAGLE_BACKEND_UNAVAILABLE, "libhip_shim_6_less.so, HIP 6"));
        EXPECT_EQ(address, 0u);
    }));
}

}  // namespace
