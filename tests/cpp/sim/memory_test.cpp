// Memory of the simulated devices: where it lies, who reaches it, and what a touch from outside does.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include "Device.h"

using namespace device;

namespace {

std::int32_t residency(std::int32_t seen_from, std::uint64_t address) {
    std::int32_t found = -1;
    EXPECT_EQ(client::pointer_residency(seen_from, address, &found), EAGLE_BACKEND_OK) << client::last_error();
    return found;
}

TEST(SimMemory, comes_filled_and_goes_up_and_down) {
    On stream(0);
    std::uint64_t address = 0;
    ASSERT_EQ(client::sdk_device_alloc(0, 100, stream.raw, &address), EAGLE_BACKEND_OK);
    EXPECT_EQ(address % 256, 0u);
    std::array<unsigned char, 100> found{};
    ASSERT_EQ(client::memcpy(address_of(found.data()), address, 100, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw),
              EAGLE_BACKEND_OK);
    stream.synchronize();
    EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](unsigned char c) { return c == 0xa5; }));
    ASSERT_EQ(client::memset_device(address, 100, stream.raw), EAGLE_BACKEND_OK);
    ASSERT_EQ(client::memcpy(address_of(found.data()), address, 100, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw),
              EAGLE_BACKEND_OK);
    stream.synchronize();
    EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](unsigned char c) { return c == 0; }));
    ASSERT_EQ(client::sdk_device_free(0, address, stream.raw), EAGLE_BACKEND_OK);
    stream.synchronize();
    EXPECT_TRUE(client::says(client::sdk_device_free(0, address, stream.raw), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "was not allocated on a device of this backend"));
}

TEST(SimMemory, residency_tells_the_five_apart) {
    Numbers here(0, {1}), there(1, {1});
    std::int64_t pageable = 0;
    std::uint64_t pinned = 0;
    ASSERT_EQ(client::host_alloc(300'000, &pinned), EAGLE_BACKEND_OK);
    EXPECT_EQ(residency(0, here.address), EAGLE_BACKEND_RESIDENCY_DEVICE);
    EXPECT_EQ(residency(1, here.address), EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE);
    EXPECT_EQ(residency(1, there.address), EAGLE_BACKEND_RESIDENCY_DEVICE);
    EXPECT_EQ(residency(0, there.address + 7), EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE);
    EXPECT_EQ(residency(0, there.address + 8), EAGLE_BACKEND_RESIDENCY_PAGEABLE);
    EXPECT_EQ(residency(0, address_of(&pageable)), EAGLE_BACKEND_RESIDENCY_PAGEABLE);
    EXPECT_EQ(residency(0, pinned + 299'999), EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED);
    reinterpret_cast<char*>(pinned)[7] = 1;
    ASSERT_EQ(client::host_free(pinned), EAGLE_BACKEND_OK);
    EXPECT_EQ(residency(0, pinned), EAGLE_BACKEND_RESIDENCY_PAGEABLE);
}

TEST(SimMemory, kernels_reach_page_locked_memory_of_the_host) {
    std::uint64_t pinned = 0;
    ASSERT_EQ(client::host_alloc(8, &pinned), EAGLE_BACKEND_OK);
    Numbers in(0, {41});
    On stream(0);
    auto* out = reinterpret_cast<std::int64_t*>(pinned);
    put_add(stream.raw, out, in.data(), 1, 1);
    stream.synchronize();
    EXPECT_EQ(*out, 42);
    ASSERT_EQ(client::host_free(pinned), EAGLE_BACKEND_OK);
}

TEST(SimMemory, copies_refuse_what_their_kind_does_not_say) {
    Numbers here(0, {1}), there(1, {1});
    std::int64_t host = 0;
    On stream(0);
    auto copy = [&](std::uint64_t dst, std::uint64_t src, std::int32_t kind, std::uint64_t bytes = 8) {
        return client::memcpy(dst, src, bytes, kind, stream.raw);
    };
    const std::int32_t refused = EAGLE_BACKEND_INVALID_ARGUMENT;
    EXPECT_TRUE(client::says(copy(here.address, here.address, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE), refused,
                             "src lies in memory of device 0, and the kind of the copy says that it is of the host"));
    EXPECT_TRUE(client::says(copy(here.address, address_of(&host), EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST), refused,
                             "dst lies in memory of device 0"));
    EXPECT_TRUE(client::says(copy(address_of(&host), address_of(&host), EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST), refused,
                             "src is pageable memory of the host, which device 0 does not reach"));
    EXPECT_TRUE(
        client::says(copy(here.address, there.address, EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE), refused,
                     "src lies in memory of device 1, which device 0 does not reach; copy it through the host"));
    EXPECT_TRUE(client::says(copy(here.address, address_of(&host), EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, 9), refused,
                             "dst has 9 bytes, of which 1 lie past the end of its allocation of 8 bytes"));
    EXPECT_TRUE(client::says(client::memset_device(address_of(&host), 8, stream.raw), refused,
                             "dst is pageable memory of the host"));
}

TEST(SimMemory, launches_refuse_memory_of_the_other_device) {
    Numbers here(0, {1}), there(1, {1});
    On stream(0);
    std::int64_t *out = here.data(), number = 0;
    const std::int64_t* in = there.data();
    Launch launch(&add, 0, 1, stream.raw, out, in, number);
    std::int32_t launched = -1;
    EXPECT_TRUE(client::says(client::sdk_launch(&launch.desc, &launch.options, &launched),
                             EAGLE_BACKEND_INVALID_ARGUMENT,
                             "argument 1 points into memory of device 1, and the launch is on device 0"));
    launch.desc.device = 1;
    EXPECT_TRUE(client::says(client::sdk_launch(&launch.desc, &launch.options, &launched),
                             EAGLE_BACKEND_INVALID_ARGUMENT,
                             "the stream belongs to device 0 and the call is for device 1"));
    launch.desc.device = 2;
    EXPECT_TRUE(client::says(client::sdk_launch(&launch.desc, &launch.options, &launched),
                             EAGLE_BACKEND_INVALID_ARGUMENT, "device is 2; kind sim has devices 0 to 1"));
}

TEST(SimMemory, filtering_and_guards_refuse_memory_of_the_host) {
    On stream(0);
    std::vector<std::uint8_t> mask(64);
    std::vector<std::int32_t> map(64);
    std::uint32_t count = 0;
    auto compact = client::make<struct eagle_backend_compact_desc>();
    compact.n = 64;
    compact.stream = stream.raw;
    ASSERT_EQ(client::compact_device(&compact), EAGLE_BACKEND_OK);
    std::vector<char> scratch(static_cast<std::size_t>(compact.scratch_bytes));
    compact.scratch = address_of(scratch.data());
    compact.mask = address_of(mask.data());
    compact.index_map = address_of(map.data());
    compact.count = address_of(&count);
    EXPECT_TRUE(client::says(client::compact_device(&compact), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "desc->mask is pageable memory of the host"));

    auto guard = client::make<struct eagle_backend_conditional_desc>();
    guard.origin = stream.raw;
    guard.count_ptr = address_of(&count);
    eagle_backend_conditional made = nullptr;
    EXPECT_TRUE(client::says(client::conditional_create(&guard, &made), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "desc->count_ptr is pageable memory of the host"));
}

// What follows dies of a fault of the system, in a process of its own; a sanitizer turns that into an exit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EXPECT_FAULT(statement) EXPECT_DEATH(statement, "")
#else
#define EXPECT_FAULT(statement) EXPECT_EXIT(statement, testing::KilledBySignal(SIGSEGV), "")
#endif

TEST(SimDeathTest, right_work_in_such_a_process_does_not) {
    EXPECT_EXIT(
        {
            Numbers here(0, {1});
            On stream(0);
            put_add(stream.raw, here.data(), here.data(), 1, 1);
            stream.synchronize();
            std::_Exit(here.get()[0] == 2 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(SimDeathTest, the_host_touches_memory_of_a_device) {
    Numbers here(0, {1});
    EXPECT_FAULT({
        volatile std::int64_t seen = *here.data();
        static_cast<void>(seen);
    });
    EXPECT_FAULT(*here.data() = 1);
}

TEST(SimDeathTest, the_host_touches_it_after_work_that_used_it) {
    Numbers here(0, {1});
    On stream(0);
    put_add(stream.raw, here.data(), here.data(), 1, 1);
    stream.synchronize();
    EXPECT_FAULT(*here.data() = 1);
    EXPECT_EQ(here.get(), std::vector<std::int64_t>{2});
}

TEST(SimDeathTest, a_kernel_writes_past_a_whole_page) {
    Numbers here(0, std::vector<std::int64_t>(512));
    EXPECT_FAULT({
        On stream(0);
        put_add(stream.raw, here.data() + 1, here.data(), 1, 512);
        stream.synchronize();
    });
}

TEST(SimDeathTest, a_kernel_reads_memory_that_was_freed) {
    EXPECT_FAULT({
        On stream(0);
        std::int64_t* gone = nullptr;
        {
            Numbers here(0, {1});
            gone = here.data();
        }
        put_add(stream.raw, gone, gone, 1, 1);
        stream.synchronize();
    });
}

TEST(SimDeathTest, a_kernel_reads_memory_of_the_other_device_behind_a_pointer) {
    Numbers there(1, {1});
    auto follow = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        auto* where = *static_cast<std::int64_t** const*>(params[0]);
        **where = 1;
    };
    EXPECT_FAULT({
        On stream(0);
        std::int64_t* target = there.data();
        std::int64_t** where = &target;
        Launch launch(+follow, 0, 1, stream.raw, where);
        launch.run();
        stream.synchronize();
    });
}

TEST(SimDeathTest, a_host_function_touches_memory_of_its_device) {
    Numbers here(0, {1});
    EXPECT_FAULT({
        On stream(0);
        client::host_func(stream.raw, [](void* at) { *static_cast<std::int64_t*>(at) = 1; }, here.data());
        stream.synchronize();
    });
}

}  // namespace
