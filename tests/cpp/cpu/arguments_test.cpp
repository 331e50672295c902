// What every entry refuses: the status, and the words that say why.
#include "Client.h"

using client::says;

namespace {

void nothing(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

eagle_backend_status run(const struct eagle_backend_launch_desc& desc) {
    std::int32_t launched = -1;
    return client::run_device(&desc, &launched);
}

class BadLaunch : public ::testing::Test {
  protected:
    std::int64_t value = 1;
    client::Launch<std::int64_t> good{&nothing, 0, 4, 0, value};
    struct eagle_backend_launch_desc desc = good.desc;
    std::int32_t launched = -1;
};

TEST_F(BadLaunch, description) {
    EXPECT_TRUE(says(client::run_device(nullptr, &launched), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    desc.struct_size = 8;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "desc->struct_size is 8; it must be at least 12"));
    desc.struct_size = 12;  // all the rest reads as zero
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "desc->function is null"));
}

TEST_F(BadLaunch, flags_before_device_before_output) {
    desc.flags = 0x40;
    desc.device = 5;
    EXPECT_TRUE(says(client::run_device(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x40 is unknown"));
    desc.flags = 0;
    EXPECT_TRUE(says(client::run_device(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 5"));
    desc.device = -2;
    EXPECT_TRUE(says(client::run_device(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "device is -2"));
    desc.device = -1;
    EXPECT_TRUE(says(client::run_device(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "launched is null"));
}

TEST_F(BadLaunch, kernel_and_arguments) {
    desc.function = 0;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "function is null"));
    desc = good.desc;
    desc.block = 0;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "block is 0"));
    desc = good.desc;
    desc.nparams = -1;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "nparams is -1"));
    desc = good.desc;
    desc.params = nullptr;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "params is null"));
    desc = good.desc;
    const std::uint64_t holes[2] = {desc.params[0], 0};
    desc.params = holes;
    desc.nparams = 2;
    desc.param_sizes = nullptr;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "params[1] is null"));
}

TEST_F(BadLaunch, range_and_stream) {
    desc.base = -3;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "base is -3"));
    desc.base = INT64_MAX - 2;
    EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_INVALID_ARGUMENT, "beyond 2^63 - 1"));
    desc = good.desc;
    for (std::uint64_t stream : {std::uint64_t(1), reinterpret_cast<std::uint64_t>(&value), ~std::uint64_t(0)}) {
        desc.stream = stream;
        EXPECT_TRUE(says(run(desc), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    }
}

TEST_F(BadLaunch, options) {
    auto options = good.options;
    auto with = [&] { return client::sdk_launch(&desc, &options, &launched); };
    options.struct_size = 4;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "options->struct_size is 4; it must be at least 8"));
    options = good.options;
    options.flags = 2;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_UNSUPPORTED, "options has flags 0x2"));
    options = good.options;
    options.shared_bytes = 64;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_UNSUPPORTED, "shared_bytes is 64"));
    options = good.options;
    options.reserved = 1;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "reserved is 1"));
    EXPECT_EQ(client::sdk_launch(&desc, nullptr, &launched), EAGLE_BACKEND_OK);
}

TEST(BadStream, create) {
    auto desc = client::make<struct eagle_backend_stream_desc>();
    eagle_backend_stream out = nullptr;
    EXPECT_TRUE(says(client::stream_create(nullptr, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    desc.flags = 6;
    EXPECT_TRUE(
        says(client::stream_create(&desc, &out), EAGLE_BACKEND_UNSUPPORTED, "0x6 is unknown here; known bits are 0x1"));
    desc.flags = 3;
    EXPECT_TRUE(says(client::stream_create(&desc, &out), EAGLE_BACKEND_UNSUPPORTED, "of which 0x2 is unknown"));
    desc.flags = 0;
    desc.device = 1;
    EXPECT_TRUE(says(client::stream_create(&desc, &out), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 1"));
    desc.device = 0;
    EXPECT_TRUE(says(client::stream_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "out is null"));
    EXPECT_EQ(out, nullptr);
}

TEST(BadStream, handles) {
    std::uint64_t raw = 0;
    int local = 0;
    auto foreign = reinterpret_cast<eagle_backend_stream>(&local);
    EXPECT_TRUE(says(client::stream_ptr(nullptr, &raw), EAGLE_BACKEND_BAD_HANDLE, "the stream is null"));
    EXPECT_TRUE(says(client::stream_ptr(foreign, &raw), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_TRUE(says(client::stream_synchronize(foreign), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    client::stream_release(foreign);
    EXPECT_NE(std::string(client::last_error()).find("none of this backend's"), std::string::npos);
    client::stream_release(nullptr);
    EXPECT_STREQ(client::last_error(), "");
    client::Stream stream;
    EXPECT_TRUE(says(client::stream_ptr(stream.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "stream is null"));
}

TEST(BadMemory, copies_and_fills) {
    std::uint64_t a = 1, b = 2, to = reinterpret_cast<std::uint64_t>(&a), from = reinterpret_cast<std::uint64_t>(&b);
    EXPECT_TRUE(says(client::memcpy(to, from, 8, 4, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "kind is 4"));
    EXPECT_TRUE(says(client::memcpy(0, from, 8, 3, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "dst is null with 8 bytes"));
    EXPECT_TRUE(says(client::memcpy(to, 0, 8, 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "src is null with 8 bytes"));
    EXPECT_TRUE(says(client::memcpy(to, from, 8, 3, 77), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_TRUE(says(client::memcpy_device(to, 0, 8, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "src is null"));
    EXPECT_TRUE(says(client::memcpy_device(to, from, 8, 77), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_TRUE(says(client::memset_device(0, 8, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "dst is null"));
    EXPECT_TRUE(says(client::memset_device(to, 8, 77), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_EQ(a, 1u);
}

TEST(BadMemory, host_functions) {
    EXPECT_TRUE(says(client::host_func(0, nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "fn is null"));
    EXPECT_TRUE(says(client::host_func(77, [](void*) {}, nullptr), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
}

TEST(BadMemory, allocations) {
    std::uint64_t at = 9;
    EXPECT_TRUE(says(client::host_alloc(8, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "address is null"));
    EXPECT_TRUE(says(client::host_alloc(~std::uint64_t(0), &at), EAGLE_BACKEND_ERROR,
                     "cannot allocate 18446744073709551615 bytes"));
    EXPECT_EQ(at, 0u);
    at = 9;
    EXPECT_TRUE(says(client::sdk_device_alloc(0, std::uint64_t(1) << 60, 0, &at), EAGLE_BACKEND_SDK_OUT_OF_MEMORY,
                     "cannot allocate 1152921504606846976 bytes"));
    EXPECT_EQ(at, 0u);
    EXPECT_TRUE(says(client::sdk_device_alloc(0, 8, 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "address is null"));
    EXPECT_TRUE(says(client::sdk_device_alloc(3, 8, 0, &at), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 3"));
    EXPECT_TRUE(says(client::sdk_device_alloc(0, 8, 77, &at), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
}

TEST(BadMemory, foreign_addresses_are_not_freed) {
    std::uint64_t local = 0, at = 0;
    EXPECT_TRUE(says(client::host_free(reinterpret_cast<std::uint64_t>(&local)), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "was not allocated by this backend"));
    EXPECT_TRUE(says(client::sdk_device_free(0, reinterpret_cast<std::uint64_t>(&local), 0),
                     EAGLE_BACKEND_INVALID_ARGUMENT, "was not allocated by this backend"));
    ASSERT_EQ(client::host_alloc(100, &at), EAGLE_BACKEND_OK);
    EXPECT_EQ(client::host_free(at), EAGLE_BACKEND_OK);
    EXPECT_TRUE(says(client::host_free(at), EAGLE_BACKEND_INVALID_ARGUMENT, "was freed before"));
    EXPECT_TRUE(says(client::sdk_device_free(2, 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 2"));
    EXPECT_TRUE(says(client::sdk_device_free(0, 0, 77), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
}

}  // namespace
