// Host memory of our own.
#include <eagle/Array.h>
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Array;
using eagle::ArrayView;
using eagle::BufferRefused;
using eagle::Dtype;
using handmade::refusal;

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

// The C++ types that as() takes, and the elements that they see.
template <class T>
void expect_elements(Dtype dtype) {
    const Array array = Array::zeros({2, 2}, dtype);
    array.as<T>()[3] = T{1};
    const std::span<const T> seen = array.as<const T>();
    EXPECT_EQ(std::vector<T>(seen.begin(), seen.end()), (std::vector<T>{T{0}, T{0}, T{0}, T{1}}));
    EXPECT_EQ(static_cast<const void*>(seen.data()), array.view().data);
}

TEST(ArrayElements, OfTheTypeOfEachDtype) {
    expect_elements<double>(Dtype::float64);
    expect_elements<float>(Dtype::float32);
    expect_elements<std::int64_t>(Dtype::int64);
    expect_elements<std::int32_t>(Dtype::int32);
    expect_elements<std::uint32_t>(Dtype::uint32);
    expect_elements<std::uint8_t>(Dtype::boolean);
    expect_elements<bool>(Dtype::boolean);
}

Array over(const ArrayView& view) { return Array::over(view, nullptr, eagle::Backend::load("cpu")); }

TEST(ArrayElements, OfAnotherDtypeAreRefused) {
    EXPECT_EQ(
        refusal<BufferRefused>([] { Array::zeros({3}, Dtype::float64).as<float>(); }),
        "the array has dtype float64; as<float>() needs float32: use as<double>(), or make the array of that dtype");
    EXPECT_EQ(
        refusal<BufferRefused>([] { Array::zeros({3}, Dtype::int32).as<const std::uint32_t>(); }),
        "the array has dtype int32; as<std::uint32_t>() needs uint32: use as<std::int32_t>(), or make the array of "
        "that dtype");
    for (const auto& text : {refusal<BufferRefused>([] { Array::zeros({3}, Dtype::int64).as<bool>(); }),
                             refusal<BufferRefused>([] { Array::zeros({3}, Dtype::int64).as<std::uint8_t>(); })})
        EXPECT_EQ(text,
                  "the array has dtype int64; as<std::uint8_t>() and as<bool>() need bool: use as<std::int64_t>(), or "
                  "make the array of that dtype");
    EXPECT_EQ(refusal<BufferRefused>([] { Array::zeros({3}, Dtype::boolean).as<double>(); }),
              "the array has dtype bool; as<double>() needs float64: use as<std::uint8_t>(), or make the array of that "
              "dtype");
}

TEST(ArrayElements, OfADtypeThatEagleHasNotAreRefused) {
    double memory[2] = {};
    ArrayView view = ArrayView::of(std::span(memory));
    view.type.swapped = true;
    EXPECT_EQ(
        refusal<BufferRefused>([&] { over(view).as<double>(); }),
        "the array has dtype big-endian float64; as<double>() needs float64: convert it with the library that made "
        "it, or make the array of that dtype");
    view.type = {eagle::TypeCode::complex, 64, 1, false};
    EXPECT_EQ(refusal<BufferRefused>([&] { over(view).as<float>(); }),
              "the array has dtype complex64; as<float>() needs float32: convert it with the library that made it, or "
              "make the array of that dtype");
}

TEST(ArrayElements, ThatDoNotLieDenseAreRefused) {
    double memory[12] = {};
    ArrayView view = ArrayView::host(memory, Dtype::float64, {3, 2});
    view.strides[0] = 32;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { over(view).as<const double>(); }),
              "the array of shape (3, 2) has strides of (32, 8) bytes; as<T>() needs it dense and row-major: "
              "eagle::copy() it into one that Array::empty() makes, or go by the strides of view()");
    view.strides = {8, 24};
    EXPECT_NE(refusal<eagle::LayoutError>([&] { over(view).as<double>(); }), "");
    view.shape = {1, 1};
    EXPECT_EQ(over(view).as<double>().size(), 1u);
}

TEST(ArrayElements, ThatMayNotBeWrittenAreReadAlone) {
    const std::vector<double> memory{1.0, 2.0};
    const Array array = over(ArrayView::of(std::span(memory)));
    EXPECT_EQ(refusal<BufferRefused>([&] { array.as<double>(); }),
              "the array is read-only; a span that may be written needs one that may: use as<const double>()");
    EXPECT_EQ(array.as<const double>()[1], 2.0);
}

TEST(ArrayElements, WithoutMemoryAreRefused) {
    EXPECT_EQ(refusal<BufferRefused>([] { Array().as<double>(); }),
              "the array has shape () and no memory; as<T>() needs some: make it with Array::zeros() or "
              "Array::empty()");
    EXPECT_TRUE(over(ArrayView::host(nullptr, Dtype::float64, {0, 2})).as<double>().empty());
}

TEST(ArrayElements, ThatAreNotAlignedAreRefused) {
    alignas(8) std::byte memory[24] = {};
    EXPECT_EQ(refusal<BufferRefused>([&] { over(ArrayView::host(memory + 4, Dtype::float64, {2})).as<double>(); }),
              "the array begins 4 bytes behind a multiple of the 8 bytes of its elements; as<T>() needs it aligned to "
              "them: eagle::copy() it into one that Array::empty() makes");
    EXPECT_EQ(over(ArrayView::host(memory + 4, Dtype::float32, {2})).as<float>().size(), 2u);
}

}  // namespace
