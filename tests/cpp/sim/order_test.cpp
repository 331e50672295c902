// What the rules order holds under every seed; what they do not order shows.
#include <atomic>
#include <chrono>
#include <thread>

#include "Device.h"

using namespace device;

namespace {

constexpr int tries = 64;

void fence(const On& producer, const On& consumer) {
    ASSERT_EQ(client::fence(12, 0, static_cast<std::int64_t>(producer.raw), static_cast<std::int64_t>(consumer.raw)),
              EAGLE_BACKEND_OK)
        << client::last_error();
}

// One stream writes a number, another copies it: how many of the tries saw the number.
int seen(bool with_fence) {
    On writer(0), reader(0);
    int hits = 0;
    for (int i = 1; i <= tries; ++i) {
        Numbers zero(0, {0}), cell(0, {0}), result(0, {-1});
        put_add(writer.raw, cell.data(), zero.data(), i, 1);
        if (with_fence) fence(writer, reader);
        put_add(reader.raw, result.data(), cell.data(), 0, 1);
        reader.synchronize();
        writer.synchronize();
        if (result.get()[0] == i) ++hits;
    }
    return hits;
}

TEST(SimOrder, a_fence_that_is_missing_shows) {
    const int hits = seen(false);
    EXPECT_GT(hits, 0);
    EXPECT_LT(hits, tries);
}

TEST(SimOrder, a_fence_orders) { EXPECT_EQ(seen(true), tries); }

// The legacy stream has no work of its own: it stands for what the blocking streams were given.
TEST(SimOrder, a_fence_of_the_legacy_stream_waits_for_blocking_streams) {
    On writer(0), reader(0);
    for (int i = 1; i <= tries; ++i) {
        Numbers zero(0, {0}), cell(0, {0}), result(0, {-1});
        put_add(writer.raw, cell.data(), zero.data(), i, 1);
        ASSERT_EQ(client::fence(12, 0, EAGLE_BACKEND_STREAM_NONE, static_cast<std::int64_t>(reader.raw)),
                  EAGLE_BACKEND_OK)
            << client::last_error();
        put_add(reader.raw, result.data(), cell.data(), 0, 1);
        reader.synchronize();
        EXPECT_EQ(result.get()[0], i);
    }
}

TEST(SimOrder, one_stream_is_in_order) {
    On stream(1);
    Numbers cell(1, {0});
    for (int i = 0; i < 50; ++i) put_add(stream.raw, cell.data(), cell.data(), 1, 1);
    stream.synchronize();
    EXPECT_EQ(cell.get()[0], 50);
}

// Work of two blocking streams on both sides of work on the legacy stream.
TEST(SimOrder, the_legacy_stream_comes_after_what_was_before_it_and_before_what_comes_after) {
    On one(0), two(0);
    for (int i = 0; i < tries; ++i) {
        Numbers cell(0, {0}), copy(0, {0}), result(0, {0});
        put_add(one.raw, cell.data(), cell.data(), 1, 1);
        put_add(0, copy.data(), cell.data(), 10, 1);
        put_add(two.raw, result.data(), copy.data(), 100, 1);
        two.synchronize();
        EXPECT_EQ(result.get()[0], 111);
    }
}

TEST(SimOrder, streams_run_at_the_same_time) {
    On one(0), two(0);
    std::atomic<int> inside{0};
    auto meet = [](void* raw) {
        auto& count = *static_cast<std::atomic<int>*>(raw);
        count.fetch_add(1);
        while (count.load() < 2) std::this_thread::yield();
    };
    ASSERT_EQ(client::host_func(one.raw, +meet, &inside), EAGLE_BACKEND_OK);
    ASSERT_EQ(client::host_func(two.raw, +meet, &inside), EAGLE_BACKEND_OK);
    one.synchronize();
    two.synchronize();
    EXPECT_EQ(inside.load(), 2);
}

TEST(SimOrder, work_runs_although_nobody_waits) {
    On stream(0);
    std::atomic<bool> ran{false};
    auto note = [](void* raw) { static_cast<std::atomic<bool>*>(raw)->store(true); };
    ASSERT_EQ(client::host_func(stream.raw, +note, &ran), EAGLE_BACKEND_OK);
    const auto begin = std::chrono::steady_clock::now();
    while (!ran && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) std::this_thread::yield();
    EXPECT_TRUE(ran);
}

TEST(SimOrder, a_fence_takes_its_own_device_and_streams_of_it) {
    On here(0), there(1);
    auto raw = [](const On& stream) { return static_cast<std::int64_t>(stream.raw); };
    EXPECT_TRUE(client::says(client::fence(12, 0, raw(here), raw(there)), EAGLE_BACKEND_INVALID_ARGUMENT,
                             "the stream belongs to device 1 and the call is for device 0"));
    EXPECT_TRUE(client::says(client::fence(1, 0, raw(here), raw(here)), EAGLE_BACKEND_UNSUPPORTED,
                             "dl_device_type is 1; kind sim serves DLPack type 12 alone"));
    EXPECT_EQ(client::fence(12, 1, -1, raw(there)), EAGLE_BACKEND_OK);
    EXPECT_EQ(client::fence(12, 1, EAGLE_BACKEND_STREAM_NONE, raw(there)), EAGLE_BACKEND_OK);
}

}  // namespace
