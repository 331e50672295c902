// Fences by DLPack's codes, modules, and refusals that only a device kind has.
#include "../gpu/Client.h"

namespace {

using namespace client;

struct Stream {
    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;
    explicit Stream(std::uint32_t flags = EAGLE_BACKEND_STREAM_NON_BLOCKING) {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.flags = flags;
        EXPECT_OK(stream_create(&desc, &handle));
        EXPECT_OK(stream_ptr(handle, &raw));
    }
    ~Stream() { stream_release(handle); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    std::int64_t code() const { return static_cast<std::int64_t>(raw); }
};

TEST(Fence, TakesTheCodesOfCudaAndNoOthers) {
    const Stream stream;
    std::int64_t before = 0, after = 0;
    EXPECT_OK(fence(2, 0, stream.code(), 1));
    EXPECT_OK(event_pool_created(&before));
    for (std::int64_t code : {std::int64_t{1}, std::int64_t{2}, std::int64_t{-1}, EAGLE_BACKEND_STREAM_NONE}) {
        for (std::int32_t type : {2, 3, 13}) EXPECT_OK(fence(type, 0, stream.code(), code));
        EXPECT_OK(fence(2, 0, code, stream.code()));
    }
    EXPECT_OK(event_pool_created(&after));
    EXPECT_EQ(before, after);  // one event serves them all
    EXPECT_TRUE(says(fence(2, 0, 0, stream.code()), EAGLE_BACKEND_INTEROP, "producer is 0"));
    EXPECT_TRUE(says(fence(2, 0, stream.code(), -2), EAGLE_BACKEND_INTEROP, "consumer is -2"));
    EXPECT_TRUE(says(fence(10, 0, 1, 1), EAGLE_BACKEND_UNSUPPORTED, "serves the DLPack types 2, 3, 13"));
}

TEST(Launch, ArgumentsAreCountedBeforeTheDriverReadsThem) {
    const Stream stream;
    const std::uint64_t module = load_kernels();
    std::uint64_t plane = 0;
    std::int64_t value = 1;
    EXPECT_OK(sdk_device_alloc(0, 64, stream.raw, &plane));
    std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&value), reinterpret_cast<std::uint64_t>(&plane)};
    std::uint64_t sizes[2] = {8, 4};
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.function = kernel(module, "conformance_add");
    desc.block = 32;
    desc.params = params;
    desc.nparams = 1;
    desc.count = desc.n_samples = 8;
    desc.stream = stream.raw;
    std::int32_t launched = -1;
    EXPECT_TRUE(says(run_device(&desc, &launched), EAGLE_BACKEND_INVALID_ARGUMENT, "the kernel has 5 parameters"));
    desc.nparams = 2;
    desc.param_sizes = sizes;
    EXPECT_TRUE(says(run_device(&desc, &launched), EAGLE_BACKEND_INVALID_ARGUMENT, "param_sizes[1] is 4"));
    desc.param_sizes = nullptr;
    desc.count = std::int64_t{1} << 40;
    EXPECT_TRUE(says(run_device(&desc, &launched), EAGLE_BACKEND_UNSUPPORTED, "a grid has at most"));
    EXPECT_EQ(launched, 0);
    EXPECT_OK(sdk_device_free(0, plane, stream.raw));
    EXPECT_TRUE(says(sdk_device_free(0, plane, stream.raw), EAGLE_BACKEND_INVALID_ARGUMENT, "or was freed before"));
    EXPECT_OK(sdk_module_unload(module));
}

TEST(Module, WhatIsNoDeviceCodeIsRefused) {
    auto desc = make<struct eagle_backend_sdk_module_desc>();
    std::uint64_t module = 0;
    const char words[] = "not device code";
    desc.image = words;
    desc.image_bytes = sizeof words;
    EXPECT_TRUE(says(sdk_module_load(&desc, &module), EAGLE_BACKEND_ERROR, "must be PTX, a cubin or a fat binary"));
    const char of_tomorrow[] = "//\n.version 99.0\n.target sm_75\n";
    desc.image = of_tomorrow;
    desc.image_bytes = sizeof of_tomorrow;
    EXPECT_TRUE(
        says(sdk_module_load(&desc, &module), EAGLE_BACKEND_ERROR,
             "(code 222); it is PTX of a toolkit newer than the driver; compile it for the card itself (such as "
             "sm_90), or install a newer driver"));
    desc.path = "/nowhere";
    EXPECT_TRUE(says(sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT, "are both set"));
    desc.image = nullptr;
    EXPECT_TRUE(says(sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT, "cannot read device code"));
}

TEST(Capture, TheDefaultStreamDoesNotEndIt) {
    const Stream blocking(0);
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.stream = blocking.raw;
    eagle_backend_capturer capturer = nullptr;
    eagle_backend_captured captured = nullptr;
    std::uint64_t plane = 0;
    EXPECT_OK(sdk_device_alloc(0, 64, 0, &plane));
    EXPECT_OK(capturer_create(&desc, &capturer));
    EXPECT_OK(capturer_begin(capturer));
    EXPECT_TRUE(
        says(memset_device(plane, 64, 0), EAGLE_BACKEND_ERROR, "the default stream waits for blocking streams"));
    EXPECT_OK(memset_device(plane, 64, blocking.raw));
    EXPECT_OK(capturer_end(capturer, &captured));
    captured_release(captured);
    capturer_release(capturer);
    EXPECT_OK(sdk_device_free(0, plane, 0));
}

}  // namespace
