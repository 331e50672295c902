// What cannot be given back when it is asked to be: in captures, and in functions of the host, where the driver may not
// be called.
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "../gpu/Client.h"

namespace {

using namespace client;

constexpr std::uint64_t bytes = 64;

// Holds a stream until it is open.
struct Gate {
    std::atomic<bool> is_open{false}, is_reached{false};
    static void wait(void* self) {
        Gate& gate = *static_cast<Gate*>(self);
        gate.is_reached = true;
        while (!gate.is_open) std::this_thread::yield();
    }
};

struct Stream {
    explicit Stream(int device, std::uint32_t flags = EAGLE_BACKEND_STREAM_NON_BLOCKING) {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.flags = flags;
        desc.device = device;
        EXPECT_OK(stream_create(&desc, &handle));
        EXPECT_OK(stream_ptr(handle, &raw));
    }
    ~Stream() { stream_release(handle); }
    void synchronize() const { EXPECT_OK(stream_synchronize(handle)); }
    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;
};

struct Capture {
    explicit Capture(std::uint64_t stream) {
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.device = -1;
        desc.stream = stream;
        EXPECT_OK(capturer_create(&desc, &capturer));
        EXPECT_OK(capturer_begin(capturer));
    }
    void end() {
        eagle_backend_captured captured = nullptr;
        EXPECT_OK(capturer_end(capturer, &captured));
        captured_release(captured);
    }
    ~Capture() { capturer_release(capturer); }
    eagle_backend_capturer capturer = nullptr;
};

// What the device was given is done. Without the backend, whose next call gives back what it keeps.
void settle(int device) {
    make_current(primary(device));
    EXPECT_EQ(reinterpret_cast<PFN_cuCtxSynchronize_v2000>(driver("cuCtxSynchronize", 2000))(), CUDA_SUCCESS);
}

TEST(Late, MemoryOfAnotherDeviceIsFreedInThatDevicesOrder) {
    const Stream captured(0), blocking(1, 0);
    Gate gate;
    std::uint64_t there = 0;
    ASSERT_OK(sdk_device_alloc(1, bytes, 0, &there));
    const long long before = count("memory");
    ASSERT_OK(host_func(blocking.raw, &Gate::wait, &gate));
    Capture capture(captured.raw);
    ASSERT_OK(sdk_device_free(1, there, 0));
    EXPECT_EQ(count("memory"), before);
    capture.end();
    settle(0);
    EXPECT_EQ(count("memory"), before) << "the default stream of device 1 waits for the gate";
    gate.is_open = true;
    blocking.synchronize();
    settle(1);
    EXPECT_EQ(count("memory"), before - 1);
}

// A driver waits for its work before it frees page-locked memory, and here that work comes back into the backend.
TEST(Late, TheEndOfACaptureKeepsNobodyOutWhileItWaits) {
    const Stream captured(0), busy(0);
    static std::uint64_t there, pinned;
    static Gate gate;
    ASSERT_OK(sdk_device_alloc(0, bytes, 0, &there));
    ASSERT_OK(host_alloc(bytes, &pinned));
    const long long memory = count("memory"), pages = count("pinned");
    ASSERT_OK(host_func(
        busy.raw,
        [](void*) {
            Gate::wait(&gate);
            EXPECT_OK(sdk_device_free(0, there, 0));
        },
        nullptr));
    Capture capture(captured.raw);
    ASSERT_OK(host_free(pinned));
    std::thread opens([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        gate.is_open = true;
    });
    capture.end();
    opens.join();
    busy.synchronize();
    settle(0);
    EXPECT_EQ(count("pinned"), pages - 1);
    EXPECT_EQ(count("memory"), memory - 1);
}

TEST(Late, WhatAHostFunctionLetsGoOfGoesWithTheNextCall) {
    const Stream on(0);
    // Lets go when no call of the backend is under way, which would give back what it finds at its end.
    struct Owned {
        Gate gate;
        std::uint64_t there = 0, ordered = 0, pinned = 0, module = 0;
        eagle_backend_stream stream = nullptr;
    } owned;
    ASSERT_OK(sdk_device_alloc(0, bytes, 0, &owned.there));
    ASSERT_OK(host_alloc(bytes, &owned.pinned));
    auto desc = make<struct eagle_backend_stream_desc>();
    desc.flags = EAGLE_BACKEND_STREAM_NON_BLOCKING;
    ASSERT_OK(stream_create(&desc, &owned.stream));
    std::uint64_t raw = 0;
    ASSERT_OK(stream_ptr(owned.stream, &raw));
    ASSERT_OK(sdk_device_alloc(0, bytes, raw, &owned.ordered));
    owned.module = load_kernels();
    const auto alive = [] { return std::array{count("memory"), count("pinned"), count("module"), count("stream")}; };
    const auto before = alive();
    ASSERT_OK(host_func(
        on.raw,
        [](void* context) {
            Owned& of = *static_cast<Owned*>(context);
            Gate::wait(&of.gate);
            EXPECT_OK(sdk_device_free(0, of.there, 0));
            EXPECT_OK(sdk_device_free(0, of.ordered, 0));
            EXPECT_OK(host_free(of.pinned));
            EXPECT_OK(sdk_module_unload(of.module));
            stream_release(of.stream);
        },
        &owned));
    owned.gate.is_open = true;
    settle(0);
    EXPECT_EQ(alive(), before) << "nothing goes in a host function";
    std::int32_t devices = 0;
    ASSERT_OK(sdk_device_count(&devices));
    settle(0);
    EXPECT_EQ(alive(), (std::array{before[0] - 2, before[1] - 1, before[2] - 1, before[3] - 1}));
}

// It would be named to a driver that no longer knows it, and to which a dead handle is anything.
TEST(Late, AStreamThatWentMeanwhileIsNotNamed) {
    const Stream captured(0);
    auto there = std::make_unique<Stream>(0);
    std::uint64_t memory = 0;
    ASSERT_OK(sdk_device_alloc(0, bytes, there->raw, &memory));
    const long long before = count("memory"), refused = count("streams that are none");
    Capture capture(captured.raw);
    const std::uint64_t raw = there->raw;
    there.reset();
    ASSERT_OK(sdk_device_free(-1, memory, raw));
    capture.end();
    settle(0);
    EXPECT_EQ(count("memory"), before - 1);
    EXPECT_EQ(count("streams that are none"), refused);
}

// A child's driver is its parent's.
TEST(Late, AForkedChildGivesNothingBack) {
    const Stream captured(0);
    std::uint64_t there = 0;
    ASSERT_OK(sdk_device_alloc(0, bytes, 0, &there));
    static std::uint64_t freed;
    static Gate gate;
    freed = there;
    const long long before = count("memory");
    ASSERT_OK(host_func(
        captured.raw,
        [](void*) {
            Gate::wait(&gate);
            EXPECT_OK(sdk_device_free(0, freed, 0));
        },
        nullptr));
    gate.is_open = true;
    settle(0);
    EXPECT_EQ(count("memory"), before);
    const auto calls = reinterpret_cast<unsigned long long (*)()>(fake("fake_cuda_calls"));
    expect_in_child([&] {
        const unsigned long long called = calls();
        std::uint64_t groups = 0;
        EXPECT_OK(capabilities(&groups));
        EXPECT_EQ(calls(), called);
        EXPECT_EQ(count("memory"), before);
    });
    std::uint64_t groups = 0;
    EXPECT_OK(capabilities(&groups));
    settle(0);
    EXPECT_EQ(count("memory"), before - 1);
}

}  // namespace
