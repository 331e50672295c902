// Memory and copies, in stream order.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "Gate.h"

using client::Gate;
using client::Stream;

namespace {

std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

TEST(Memory, allocations_are_aligned_whatever_their_size) {
    for (std::uint64_t bytes : {1u, 255u, 4097u, 300000u, 5000000u}) {
        std::uint64_t device = 0, host = 0;
        ASSERT_EQ(client::sdk_device_alloc(0, bytes, 0, &device), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::host_alloc(bytes, &host), EAGLE_BACKEND_OK);
        EXPECT_EQ(device % 256, 0u);
        EXPECT_EQ(host % 4096, 0u);
        std::memset(reinterpret_cast<void*>(device), 1, bytes);
        std::memset(reinterpret_cast<void*>(host), 1, bytes);
        EXPECT_EQ(client::sdk_device_free(0, device, 0), EAGLE_BACKEND_OK);
        EXPECT_EQ(client::host_free(host), EAGLE_BACKEND_OK);
    }
}

TEST(Memory, every_kind_of_copy_copies) {
    std::vector<int> from(1000), to(1000);
    std::iota(from.begin(), from.end(), 3);
    for (std::int32_t kind : {0, 1, 2, 3}) {
        std::fill(to.begin(), to.end(), 0);
        ASSERT_EQ(client::memcpy(at(to.data()), at(from.data()), 4000, kind, 0), EAGLE_BACKEND_OK);
        EXPECT_EQ(from, to);
        ASSERT_EQ(client::memcpy(at(to.data()), at(to.data()), 4000, kind, 0), EAGLE_BACKEND_OK);
        EXPECT_EQ(from, to);
    }
}

TEST(Memory, copies_and_fills_wait_for_the_work_before_them) {
    Stream stream;
    std::vector<int> a(100, 1), b(100, 2), c(100, 3);
    {
        Gate gate(stream.raw());
        ASSERT_EQ(client::memcpy_device(at(b.data()), at(a.data()), 400, stream.raw()), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::memset_device(at(a.data()), 400, stream.raw()), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::memcpy(at(c.data()), at(a.data()), 400, 2, stream.raw()), EAGLE_BACKEND_OK);
        EXPECT_EQ(b[0], 2);
        EXPECT_EQ(a[0], 1);
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(b, std::vector<int>(100, 1));
    EXPECT_EQ(a, std::vector<int>(100, 0));
    EXPECT_EQ(c, std::vector<int>(100, 0));
}

// Into the middle of a larger array whose every byte differs from what is written, and its neighbours from both.
TEST(Memory, copies_and_fills_write_every_byte_and_none_beside_them) {
    Stream stream;
    constexpr std::size_t room = 160, begin = 16;
    const std::vector<unsigned char> source(room, 0x5A);
    for (std::size_t bytes : {1u, 2u, 3u, 7u, 8u, 9u, 63u, 64u, 65u, 127u}) {
        for (bool is_fill : {false, true}) {
            std::vector<unsigned char> found(room, 0xFF), wanted = found;
            std::fill_n(wanted.begin() + begin, bytes, static_cast<unsigned char>(is_fill ? 0 : 0x5A));
            const std::uint64_t to = at(found.data() + begin);
            const auto status = is_fill ? client::memset_device(to, bytes, stream.raw())
                                        : client::memcpy_device(to, at(source.data()), bytes, stream.raw());
            ASSERT_EQ(status, EAGLE_BACKEND_OK) << client::last_error();
            stream.synchronize();
            EXPECT_EQ(found, wanted) << bytes << (is_fill ? " bytes filled" : " bytes copied");
        }
    }
}

TEST(Memory, a_free_waits_for_the_work_before_it) {
    Stream stream;
    std::uint64_t memory = 0;
    int out = 0;
    ASSERT_EQ(client::sdk_device_alloc(0, 64, stream.raw(), &memory), EAGLE_BACKEND_OK);
    *reinterpret_cast<int*>(memory) = 77;
    {
        Gate gate(stream.raw());
        ASSERT_EQ(client::memcpy(at(&out), memory, 4, 1, stream.raw()), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::sdk_device_free(0, memory, stream.raw()), EAGLE_BACKEND_OK);
        gate.open();
    }
    stream.synchronize();
    EXPECT_EQ(out, 77);
    EXPECT_EQ(client::host_free(memory), EAGLE_BACKEND_INVALID_ARGUMENT);
}

}  // namespace
