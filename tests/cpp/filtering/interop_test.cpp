// Fences between streams, the events behind them, and where memory lies.
#include <atomic>
#include <memory>
#include <thread>

#include "Gate.h"

using client::Gate;
using client::says;
using client::Stream;

namespace {

constexpr std::int32_t host = 1;
constexpr std::int64_t none = EAGLE_BACKEND_STREAM_NONE;
constexpr std::uint32_t non_blocking = EAGLE_BACKEND_STREAM_NON_BLOCKING;

std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }
std::int64_t code(const Stream& stream) { return static_cast<std::int64_t>(stream.raw()); }

void copy(int& to, const int& from, const Stream& stream) {
    ASSERT_EQ(client::memcpy_device(at(&to), at(&from), sizeof to, stream.raw()), EAGLE_BACKEND_OK);
}

std::int64_t created() {
    std::int64_t count = -1;
    EXPECT_EQ(client::event_pool_created(&count), EAGLE_BACKEND_OK);
    return count;
}

// A value set by the producer behind a gate, and read by the consumer: after it with a fence, before it without.
int read_behind(std::int64_t producer_code, std::int64_t consumer_code, const Stream& producer, const Stream& consumer,
                bool with_fence) {
    const int one = 1;
    int value = 0, seen = -1;
    {
        Gate gate(producer.raw());
        copy(value, one, producer);
        if (with_fence) {
            EXPECT_EQ(client::fence(host, 0, producer_code, consumer_code), EAGLE_BACKEND_OK) << client::last_error();
        }
        copy(seen, value, consumer);
        EXPECT_EQ(seen, with_fence ? -1 : 0);
        gate.open();
    }
    consumer.synchronize();
    producer.synchronize();
    return seen;
}

TEST(Fence, the_consumer_waits_for_what_is_on_the_producer) {
    for (std::uint32_t flags : {0u, non_blocking}) {
        Stream producer(flags), consumer(flags);
        EXPECT_EQ(read_behind(code(producer), code(consumer), producer, consumer, true), 1);
        EXPECT_EQ(read_behind(code(producer), code(consumer), producer, consumer, false), 0);
    }
}

TEST(Fence, minus_one_and_one_stream_on_both_sides_order_nothing) {
    Stream producer, consumer;
    int value = 0, seen = -1;
    const int one = 1;
    const std::int64_t before = created();
    {
        Gate gate(producer.raw());
        copy(value, one, producer);
        EXPECT_EQ(client::fence(host, 0, -1, code(consumer)), EAGLE_BACKEND_OK);
        EXPECT_EQ(client::fence(host, 0, code(producer), -1), EAGLE_BACKEND_OK);
        EXPECT_EQ(client::fence(host, 0, code(producer), code(producer)), EAGLE_BACKEND_OK);
        EXPECT_EQ(client::fence(host, 0, none, none), EAGLE_BACKEND_OK);
        copy(seen, value, consumer);
        EXPECT_EQ(seen, 0);
        gate.open();
    }
    producer.synchronize();
    EXPECT_EQ(value, 1);
    EXPECT_EQ(created(), before);
}

TEST(Fence, none_given_is_the_legacy_default_stream) {
    const int one = 1;
    {
        Stream consumer(non_blocking);  // which knows nothing of the legacy stream without a fence
        int value = 0, seen = -1;
        Gate gate(0);
        ASSERT_EQ(client::memcpy_device(at(&value), at(&one), 4, 0), EAGLE_BACKEND_OK);
        ASSERT_EQ(client::fence(host, -1, none, code(consumer)), EAGLE_BACKEND_OK) << client::last_error();
        copy(seen, value, consumer);
        EXPECT_EQ(seen, -1);
        gate.open();
        consumer.synchronize();
        EXPECT_EQ(seen, 1);
    }
    {
        Stream producer(non_blocking), blocking;
        int value = 0, seen = -1, after = -1;
        Gate gate(producer.raw());
        copy(value, one, producer);
        ASSERT_EQ(client::fence(host, 0, code(producer), none), EAGLE_BACKEND_OK) << client::last_error();
        ASSERT_EQ(client::memcpy_device(at(&seen), at(&value), 4, 0), EAGLE_BACKEND_OK);
        copy(after, seen, blocking);  // behind the legacy stream, as ever
        EXPECT_EQ(seen, -1);
        EXPECT_EQ(after, -1);
        gate.open();
        blocking.synchronize();
        EXPECT_EQ(seen, 1);
        EXPECT_EQ(after, 1);
    }
}

TEST(Fence, streams_that_wait_for_each_other_in_turn_end) {
    Stream a, b;
    const int one = 1;
    int x = 0, y = 0, z = 0, w = 0;
    {
        Gate gate(a.raw());
        copy(x, one, a);
        ASSERT_EQ(client::fence(host, 0, code(a), code(b)), EAGLE_BACKEND_OK);
        copy(y, x, b);
        ASSERT_EQ(client::fence(host, 0, code(b), code(a)), EAGLE_BACKEND_OK);
        copy(z, y, a);
        ASSERT_EQ(client::fence(host, 0, code(a), code(b)), EAGLE_BACKEND_OK);
        copy(w, z, b);
        EXPECT_EQ(w, 0);
        gate.open();
    }
    b.synchronize();
    EXPECT_EQ(w, 1);
}

TEST(Fence, a_released_stream_still_keeps_its_place) {
    auto producer = std::make_unique<Stream>();
    auto consumer = std::make_unique<Stream>();
    const int one = 1;
    int value = 0, seen = -1;
    Stream last;
    {
        Gate gate(producer->raw());
        copy(value, one, *producer);
        ASSERT_EQ(client::fence(host, 0, code(*producer), code(*consumer)), EAGLE_BACKEND_OK);
        copy(seen, value, *consumer);
        ASSERT_EQ(client::fence(host, 0, code(*consumer), code(last)), EAGLE_BACKEND_OK);
        producer.reset();
        consumer.reset();
        gate.open();
    }
    last.synchronize();
    EXPECT_EQ(seen, 1);
}

TEST(Fence, events_are_reused) {
    Stream producer, consumer;
    ASSERT_EQ(client::fence(host, 0, code(producer), code(consumer)), EAGLE_BACKEND_OK);
    EXPECT_GT(created(), 0);
    auto three_at_once = [&] {
        Gate gate(producer.raw());
        for (int i = 0; i < 3; ++i) {
            ASSERT_EQ(client::fence(host, 0, code(producer), code(consumer)), EAGLE_BACKEND_OK);
        }
        gate.open();
    };
    three_at_once();
    consumer.synchronize();
    const std::int64_t after_three = created();
    EXPECT_GE(after_three, 3);
    for (int i = 0; i < 50; ++i) {
        three_at_once();
        consumer.synchronize();
    }
    EXPECT_EQ(created(), after_three);
}

TEST(Fence, a_chain_across_threads_loses_no_step) {
    constexpr int rounds = 300;
    Stream a(non_blocking), b(non_blocking);
    std::int64_t value = 0;
    auto add = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        ++**static_cast<std::int64_t* const*>(params[0]);
    };
    std::atomic<int> turn{0};
    auto side = [&](int me, Stream& mine, Stream& other) {
        std::int64_t* address = &value;
        for (int i = me; i < rounds; i += 2) {
            while (turn.load() != i) std::this_thread::yield();
            client::Launch(add, 0, 1, mine.raw(), address).run();
            ASSERT_EQ(client::fence(host, 0, code(mine), code(other)), EAGLE_BACKEND_OK) << client::last_error();
            turn.store(i + 1);
        }
    };
    std::thread second([&] { side(1, b, a); });
    side(0, a, b);
    second.join();
    a.synchronize();
    b.synchronize();
    EXPECT_EQ(value, rounds);
}

TEST(Fence, refusals) {
    Stream stream;
    const std::int64_t good = code(stream);
    EXPECT_TRUE(says(client::fence(2, 7, 0, 0), EAGLE_BACKEND_UNSUPPORTED,
                     "dl_device_type is 2; kind cpu serves DLPack type 1"));
    EXPECT_TRUE(says(client::fence(host, 1, 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 1"));
    for (std::int64_t wrong : {0, 1, 2, -2, -1000}) {
        EXPECT_TRUE(says(client::fence(host, 0, wrong, good), EAGLE_BACKEND_INTEROP,
                         "producer is " + std::to_string(wrong) + "; for kind cpu"));
        EXPECT_TRUE(says(client::fence(host, 0, -1, wrong), EAGLE_BACKEND_INTEROP,
                         "consumer is " + std::to_string(wrong) + "; for kind cpu"));
    }
    EXPECT_TRUE(says(client::fence(host, 0, 12345, good), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_TRUE(says(client::fence(host, 0, good, 12345), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    EXPECT_TRUE(says(client::event_pool_created(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "count is null"));
}

TEST(Residency, all_memory_is_the_host_s) {
    std::uint64_t device = 0, pinned = 0;
    ASSERT_EQ(client::sdk_device_alloc(0, 64, 0, &device), EAGLE_BACKEND_OK);
    ASSERT_EQ(client::host_alloc(64, &pinned), EAGLE_BACKEND_OK);
    int local = 0;
    for (std::uint64_t address : {device, pinned, at(&local)}) {
        std::int32_t cls = -1;
        ASSERT_EQ(client::pointer_residency(0, address, &cls), EAGLE_BACKEND_OK);
        EXPECT_EQ(cls, EAGLE_BACKEND_RESIDENCY_HOST);
    }
    std::int32_t cls = -1;
    EXPECT_TRUE(says(client::pointer_residency(4, device, &cls), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 4"));
    EXPECT_TRUE(says(client::pointer_residency(0, device, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "cls is null"));
    EXPECT_TRUE(says(client::pointer_residency(0, 0, &cls), EAGLE_BACKEND_INVALID_ARGUMENT, "ptr is null"));
    EXPECT_EQ(cls, -1);
    EXPECT_EQ(client::sdk_device_free(0, device, 0), EAGLE_BACKEND_OK);
    EXPECT_EQ(client::host_free(pinned), EAGLE_BACKEND_OK);
}

}  // namespace
