// Arrays in memory of a (simulated) device.
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "Handmade.h"
#include "Simulated.h"

namespace {

using eagle::Array;
using eagle::ArrayView;
using eagle::Backend;
using eagle::BufferRefused;
using eagle::Dtype;
using handmade::refusal;
using simulated::down;
using simulated::up;

constexpr std::int64_t shape[] = {2, 3};

TEST(SimulatedArray, LiesOnItsDeviceWithTheTypeOfTheKind) {
    const Array array = Array::zeros(shape, Dtype::float64, simulated::backend(), 1);
    EXPECT_EQ(array.view().device_type, 12);
    EXPECT_EQ(array.view().device_id, 1);
    EXPECT_EQ(array.view().ndim, 2);
    EXPECT_EQ(array.view().strides[0], 24);
    EXPECT_FALSE(array.on_host());
    EXPECT_EQ(down<double>(array), std::vector<double>(6));
}

TEST(SimulatedArray, GoesUpAndComesDown) {
    std::vector<std::int32_t> values{1, -2, 3, 4, 5, 6};
    const Array array = Array::upload(ArrayView::host(values.data(), Dtype::int32, shape), simulated::backend());
    const std::vector<std::int32_t> before = std::exchange(values, std::vector<std::int32_t>(6));
    EXPECT_EQ(down<std::int32_t>(array), before);
    std::vector<std::int32_t> other{9, 8, 7, 6, 5, 4};
    array.assign(handmade::view(other));
    EXPECT_EQ(down<std::int32_t>(array), other);
}

TEST(SimulatedArray, EmptyOnesHaveNoMemory) {
    constexpr std::int64_t none[] = {0, 4};
    const Array array = Array::zeros(none, Dtype::float32, simulated::backend());
    EXPECT_EQ(array.view().data, nullptr);
    EXPECT_EQ(array.download().view().shape[1], 4);
}

TEST(SimulatedArray, HostsAreRefused) {
    const Array array = up<double>({1});
    EXPECT_EQ(refusal<BufferRefused>([&] { array.as<double>(); }),
              "the array is on sim:0, which the host cannot touch; make a copy on the host "
              "with download()");
}

TEST(SimulatedArray, AKindOfHostMemoryGivesHostMemory) {
    const Array array = Array::zeros(shape, Dtype::int64, Backend::load("cpu"));
    EXPECT_TRUE(array.on_host());
    EXPECT_EQ(array.as<std::int64_t>().size(), 6u);
}

TEST(SimulatedArray, WhatDoesNotFitIsRefused) {
    std::vector<double> values(6);
    ArrayView strided = handmade::view(values);
    strided.strides[0] = 16;
    strided.shape[0] = 3;
    EXPECT_NE(refusal<BufferRefused>([&] { Array::upload(strided, simulated::backend()); }).find("is not dense"),
              std::string::npos);
    const Array array = up<double>({1, 2});
    EXPECT_NE(refusal<BufferRefused>([&] {
                  Array::upload(array.view(), simulated::backend());
              }).find("is on sim:0; a copy to a device needs an array of the host"),
              std::string::npos);
    EXPECT_EQ(
        refusal<BufferRefused>([&] { array.assign(handmade::view(values)); }),
        "the array has 6 elements of float64; the one that it goes into has 2 of float64: give as many of the same "
        "type");
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  Array::zeros(shape, Dtype::float64, simulated::backend(), 2);
              }).find("device is 2; kind sim has devices 0 to 1"),
              std::string::npos);
}

// The kind is told by what it says it runs, and no name of a kind stands anywhere.
TEST(SimulatedKernel, IsLoadedFromTheHostFile) {
    EXPECT_TRUE(simulated::backend().takes_host_files());
    const eagle::Kernel kernel = eagle::Artifact::load(handmade::example()).kernel("scale", "sim");
    EXPECT_EQ(kernel.backend().kind(), "sim");
    EXPECT_NE(kernel.step_entry(), 0u);
}

}  // namespace
