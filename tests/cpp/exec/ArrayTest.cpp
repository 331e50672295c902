// Host memory of our own.
#include <eagle/Array.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Array;
using eagle::Dtype;

std::uintptr_t address(const Array& array) { return reinterpret_cast<std::uintptr_t>(array.view().data); }
bool all_zero(const Array& array) {
    const auto bytes = array.as<double>();
    return std::all_of(bytes.begin(), bytes.end(), [](double value) { return value == 0.0; });
}

TEST(Array, IsDenseRowMajorAlignedAndZero) {
    const std::int64_t shape[] = {3, 5};
    const Array array = Array::zeros(shape, Dtype::float64);
    EXPECT_EQ(array.view().ndim, 2);
    EXPECT_EQ(array.view().shape[0], 3);
    EXPECT_EQ(array.view().strides[0], 40);
    EXPECT_EQ(array.view().strides[1], 8);
    EXPECT_EQ(array.view().device_type, 1);
    EXPECT_EQ(address(array) % 64, 0u);
    EXPECT_EQ(array.as<double>().size(), 15u);
    EXPECT_TRUE(all_zero(array));
}

TEST(Array, CopiesShareTheMemory) {
    const std::int64_t shape[] = {4};
    Array kept;
    {
        const Array made = Array::zeros(shape, Dtype::int64);
        kept = made;
        made.as<std::int64_t>()[2] = 7;
    }
    EXPECT_EQ(kept.as<std::int64_t>()[2], 7);
}

TEST(Array, EmptyAndScalarShapes) {
    const std::int64_t none[] = {0, 3};
    EXPECT_EQ(Array::zeros(none, Dtype::float32).view().size(), 0);
    EXPECT_NE(Array::zeros(none, Dtype::float32).view().data, nullptr);
    EXPECT_EQ(Array::zeros({}, Dtype::float32).view().size(), 1);
}

TEST(Array, LargeOnesLieOnHugePagesAndAreZeroAgainWhenTheyComeFromThePool) {
    const std::int64_t shape[] = {1 << 20};  // 8 MiB
    std::uintptr_t first = 0;
    {
        const Array array = Array::empty(shape, Dtype::float64);
        first = address(array);
        EXPECT_EQ(first % (2u << 20), 0u);
        std::fill(array.as<double>().begin(), array.as<double>().end(), 3.0);
    }
    const Array again = Array::zeros(shape, Dtype::float64);
    EXPECT_EQ(address(again), first);
    EXPECT_TRUE(all_zero(again));
    const Array other = Array::zeros(shape, Dtype::float64);
    EXPECT_NE(address(other), first);
    EXPECT_TRUE(all_zero(other));
}

TEST(Array, ShapesThatAreNoneAreRefused) {
    const std::int64_t negative[] = {2, -1};
    EXPECT_EQ(handmade::refusal<eagle::InvalidArgument>([&] { Array::zeros(negative, Dtype::float64); }),
              "an array extent is -1; it must be at least 0");
    const std::int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    EXPECT_NE(handmade::refusal<eagle::InvalidArgument>([&] {
                  Array::zeros(huge, Dtype::float64);
              }).find("has more bytes than int64 counts"),
              std::string::npos);
    const std::int64_t too_large[] = {INT64_C(1) << 59};
    EXPECT_NE(handmade::refusal<eagle::OutOfMemory>([&] {
                  Array::zeros(too_large, Dtype::float64);
              }).find("no memory for an array of 4611686018427387904 bytes"),
              std::string::npos);
    const std::vector<std::int64_t> deep(9, 1);
    EXPECT_NE(handmade::refusal<eagle::InvalidArgument>([&] {
                  Array::zeros(deep, Dtype::float64);
              }).find("at most 8 are supported"),
              std::string::npos);
}

}  // namespace
