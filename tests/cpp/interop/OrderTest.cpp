// Order between two streams of the simulated device.
#include <eagle/Backend.h>
#include <eagle/Fence.h>
#include <eagle/Interop.h>
#include <eagle/Stream.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr std::int32_t simulated_type = 12;

std::int64_t code(const eagle::Stream& stream) { return static_cast<std::int64_t>(stream.native()); }

class SimulatedOrder : public testing::Test {
  protected:
    eagle::Backend backend = eagle::Backend::load("sim");
    std::int64_t made() const { return eagle::fence_events_made(backend); }
};

TEST_F(SimulatedOrder, OneEventOrdersTwoStreams) {
    const eagle::Stream producer(backend, 1), consumer(backend, 1);
    const std::int64_t before = made();
    eagle::order_streams(simulated_type, 1, code(producer), code(consumer));
    EXPECT_LE(made(), before + 1);
    const std::int64_t after = made();
    EXPECT_GE(after, 1);
    for (int i = 0; i < 100; ++i) eagle::order_streams(simulated_type, 1, code(producer), code(consumer));
    EXPECT_EQ(made(), after) << "events are used again";
}

TEST_F(SimulatedOrder, TheDefaultStreamIsNone) {
    const eagle::Stream consumer(backend, 0);
    EXPECT_NO_THROW(eagle::order_streams(simulated_type, 0, std::nullopt, code(consumer)));
    EXPECT_NO_THROW(eagle::order_streams(simulated_type, 0, code(consumer), std::nullopt));
}

TEST_F(SimulatedOrder, ItsDeviceTypeIsKnownOnceItIsLoaded) {
    EXPECT_EQ(eagle::device_type_of_kind("sim"), simulated_type);
}

}  // namespace
