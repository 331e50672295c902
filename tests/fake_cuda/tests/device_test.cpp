// What the driver says of itself, its versions, and failures on request.
#include <dlfcn.h>
#include <fake_cuda/Control.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "Driver.h"

namespace driver {
namespace {

using Device = Driver;

#define CONTROL(name) reinterpret_cast<decltype(&name)>(symbol_of(#name))

TEST_F(Device, NamesItselfAsWhatItIs) {
    char name[64] = "";
    EXPECT_DONE(cuDeviceGetName(name, sizeof name, 0));
    EXPECT_STREQ(name, "fake-cuda (host memory, test only)");
}

TEST_F(Device, NothingWorksWithoutAContext) {
    EXPECT_DONE(cuCtxSetCurrent(nullptr));
    CUdeviceptr x = 0;
    EXPECT_CODE(cuMemAlloc(&x, 4), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_DONE(cuCtxSetCurrent(context));
}

TEST_F(Device, FailsTheCallThatItIsToldTo) {
    CUstream stream = nullptr;
    CONTROL(fake_cuda_fail)(2, 1, CUDA_ERROR_UNKNOWN);
    EXPECT_DONE(cuStreamSynchronize(a));
    EXPECT_CODE(cuStreamCreate(&stream, 0), CUDA_ERROR_UNKNOWN);
    EXPECT_STREQ(CONTROL(fake_cuda_failed_call)(), "cuStreamCreate");
    EXPECT_DONE(cuStreamCreate(&stream, 0));
    auto alive = CONTROL(fake_cuda_count)("stream");
    CONTROL(fake_cuda_fail)(1, 1, CUDA_ERROR_UNKNOWN);
    EXPECT_CODE(cuStreamDestroy(stream), CUDA_ERROR_UNKNOWN);  // and yet it is gone
    EXPECT_EQ(CONTROL(fake_cuda_count)("stream"), alive - 1);
}

// The settings are read once; a copy of the file is another driver.
class Version : public ::testing::Test {
  protected:
    void open(const char* variable, const char* value) {
        // A library is known by its path too, so each copy has its own.
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        auto copy = std::filesystem::path(::testing::TempDir()) /
                    ("fake_cuda_" + std::to_string(getpid()) + "_" + test->name() + ".so");
        std::filesystem::copy_file(FAKE_CUDA_DRIVER, copy, std::filesystem::copy_options::overwrite_existing);
        void* library = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
        std::filesystem::remove(copy);
        ASSERT_NE(library, nullptr) << dlerror();
        setenv(variable, value, 1);
        find_ = reinterpret_cast<PFN_cuGetProcAddress_v12000>(dlsym(library, "cuGetProcAddress_v2"));
        has("cuInit", 2000);
        unsetenv(variable);
    }
    void* address(const char* name, int version) {
        void* found = nullptr;
        find_(name, &found, version, 0, nullptr);
        return found;
    }
    bool has(const char* name, int version) { return address(name, version) != nullptr; }

  private:
    PFN_cuGetProcAddress_v12000 find_ = nullptr;
};

TEST_F(Version, OlderDriversLackWhatCameLater) {
    open("FAKE_CUDA_DRIVER_VERSION", "12020");
    EXPECT_TRUE(has("cuGraphAddNode", 12020));
    EXPECT_FALSE(has("cuGraphConditionalHandleCreate", 12030));
    EXPECT_TRUE(has("cuStreamGetCaptureInfo", 11030));
    EXPECT_FALSE(has("cuFuncGetParamInfo", 12040));
}

TEST_F(Version, NamedFunctionsAreLeftOut) {
    open("FAKE_CUDA_MISSING", "cuEventRecord,cuEventDestroy");
    EXPECT_FALSE(has("cuEventRecord", 2000));
    EXPECT_FALSE(has("cuEventDestroy", 4000));
    EXPECT_TRUE(has("cuEventQuery", 2000));
}

TEST_F(Version, NoDeviceIsAnErrorOfTheStart) {
    open("FAKE_CUDA_DEVICES", "0");
    EXPECT_CODE(reinterpret_cast<PFN_cuInit_v2000>(address("cuInit", 2000))(0), CUDA_ERROR_NO_DEVICE);
}

}  // namespace
}  // namespace driver
