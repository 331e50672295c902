// Names of kinds, and the kind of an array.
#include "Place.h"
#include "Refusal.h"
#include "backend/KindName.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::expect_words;

namespace {

TEST(KindName, IsLettersDigitsAndUnderscoreAndBeginsWithALetter) {
    for (const char* kind : {"cpu", "cuda", "level_zero", "k", "opencl2", "abcdefghijklmno"}) {
        EXPECT_TRUE(eagle::detail::is_kind_name(kind)) << kind;
    }
    for (const char* kind :
         {"", "CPU", "2d", "_cpu", "a-b", "a.b", "../cpu", "cpu/", "c pu", "cpu\n", "cpü", "abcdefghijklmnop"}) {
        EXPECT_FALSE(eagle::detail::is_kind_name(kind)) << kind;
    }
}

TEST(KindName, AnythingElseIsRefusedByEveryCallThatTakesOne) {
    const auto refuses = [](const auto& call) {
        try {
            call();
            ADD_FAILURE() << "the name was taken";
        } catch (const eagle::InvalidArgument& error) {
            expect_words(error.what(), {"'../cpu' is no name of a backend kind", "[a-z][a-z0-9_]*"});
        }
    };
    const std::size_t recorded = eagle::backend_report().size();
    refuses([] { (void)Backend::load("../cpu"); });
    refuses([] { (void)Backend::load("../cpu", animal("healthy")); });
    refuses([] { (void)Backend::reload("../cpu"); });
    refuses([] { (void)Backend::reload("../cpu", animal("healthy")); });
    refuses([] { eagle::register_backend_path("../cpu", "/libeagle_cpu.so"); });
    refuses([] { (void)eagle::backend_variable("../cpu"); });
    EXPECT_EQ(eagle::backend_report().size(), recorded);
}

TEST(KindName, NamesFileAndVariableBothWays) {
    EXPECT_EQ(eagle::detail::backend_file_name("level_zero"), "libeagle_level_zero.so");
    EXPECT_EQ(eagle::detail::backend_variable_name("level_zero"), "EAGLE_BACKEND_LEVEL_ZERO");
    EXPECT_EQ(eagle::backend_variable("level_zero"), "EAGLE_BACKEND_LEVEL_ZERO");
    EXPECT_EQ(eagle::detail::kind_of_file_name("libeagle_level_zero.so"), "level_zero");
    EXPECT_EQ(eagle::detail::kind_of_variable_name("EAGLE_BACKEND_LEVEL_ZERO"), "level_zero");
    for (const char* name : {"libeagle.so", "libeagle_.so", "libeagle_cpu.so.1", "libeagle_CPU.so", "eagle_cpu.so"}) {
        EXPECT_EQ(eagle::detail::kind_of_file_name(name), "") << name;
    }
    for (const char* name : {"EAGLE_BACKEND_", "EAGLE_BACKEND_cpu", "EAGLE_BACKENDS", "EAGLE_BACKEND_2D"}) {
        EXPECT_EQ(eagle::detail::kind_of_variable_name(name), "") << name;
    }
}

TEST(DeviceType, TheTableNamesTheKind) {
    constexpr std::pair<std::int32_t, const char*> rows[] = {{1, "cpu"},   {2, "cuda"}, {3, "cuda"}, {13, "cuda"},
                                                             {8, "metal"}, {10, "hip"}, {11, "hip"}};
    for (const auto& [type, kind] : rows) EXPECT_EQ(eagle::kind_of_device_type(type), kind);
}

TEST(DeviceType, HostMemoryHasAKind) { EXPECT_EQ(eagle::host_kind(), "cpu"); }

TEST(DeviceType, NobodyServesItUntilABackendThatDoesIsLoaded) {
    const auto refused = [](std::int32_t type) -> std::string {
        try {
            return "served by " + eagle::kind_of_device_type(type);
        } catch (const eagle::BackendUnavailable& error) {
            return error.what();
        }
    };
    expect_words(refused(17), {"DLPack device type 17", "served by no backend", "backend="});
    (void)Backend::load("gpuone", animal("gpu_one", "gpuone"));
    EXPECT_EQ(eagle::kind_of_device_type(17), "gpuone");
    EXPECT_EQ(eagle::kind_of_device_type(2), "cuda");
    expect_words(refused(-1), {"DLPack device type -1"});
}

TEST(RegisteredPath, IsAbsolute) {
    try {
        eagle::register_backend_path("zoo", "libeagle_zoo.so");
        FAIL() << "a relative path was taken";
    } catch (const eagle::InvalidArgument& error) {
        expect_words(error.what(), {"'zoo'", "'libeagle_zoo.so'", "needs an absolute path"});
    }
}

}  // namespace
