// Copies between arrays, in every direction.
#include <eagle/Error.h>
#include <eagle/Memory.h>

#include <numeric>

#include "Place.h"

namespace {

using namespace active_tests;
using eagle::Array;
using eagle::ArrayView;
using eagle::Dtype;
using handmade::refusal;

const Place host{"host"}, device{"simulated_device"};

std::vector<double> counted(std::size_t n) {
    std::vector<double> out(n);
    std::iota(out.begin(), out.end(), 1.0);
    return out;
}

TEST(Copy, EveryDirection) {
    for (const Place& from : {host, device})
        for (const Place& to : {host, device})
            for (const std::size_t n : {0, 1, 1000}) {
                const Array source = from.up(counted(n)), target = to.up(std::vector<double>(n));
                eagle::copy(source, target);
                EXPECT_EQ(down<double>(target), counted(n)) << from << " to " << to << ", " << n;
            }
}

TEST(Copy, HostArraysMayBeStrided) {
    std::vector<double> from = counted(12), to(24);
    ArrayView source = ArrayView::host(from.data(), Dtype::float64, {3, 4}), target = source;
    source.shape = {4, 3};  // turned
    source.strides = {8, 32};
    target.data = to.data();
    target.shape = {4, 3};
    target.strides = {48, 16};
    eagle::copy(source, target);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(to[6 * i + 2 * k], from[4 * k + i]);
    for (std::size_t i = 1; i < 24; i += 2) EXPECT_EQ(to[i], 0);
    ArrayView backwards = ArrayView::host(from.data() + 11, Dtype::float64, {12});
    backwards.strides[0] = -8;
    std::vector<double> turned(12);
    eagle::copy(backwards, handmade::view(turned));
    EXPECT_EQ(turned, std::vector<double>(from.rbegin(), from.rend()));
    eagle::copy(source, source);  // onto itself: nothing happens
    EXPECT_EQ(from, counted(12));
}

TEST(Copy, WhatDoesNotFitIsRefused) {
    std::vector<double> x(4), y(5);
    std::vector<float> z(4);
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { eagle::copy(handmade::view(x), handmade::view(y)); }),
              "the source has shape (4,) and the destination (5,); a copy needs the same: reshape one of them");
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { eagle::copy(handmade::view(x), handmade::view(z)); }),
              "the source has dtype float64 and the destination float32; a copy converts nothing: convert one of them "
              "first");
    const std::vector<double> fixed(4);
    EXPECT_EQ(refusal<eagle::BufferRefused>(
                  [&] { eagle::copy(handmade::view(x), ArrayView::of(std::span(fixed.data(), 4))); }),
              "the destination is read-only; a copy needs one that may be written");
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] {
                  eagle::copy(ArrayView::host(y.data(), Dtype::float64, {4}),
                              ArrayView::host(y.data() + 1, Dtype::float64, {4}));
              }),
              "the source and the destination share memory; copy the source aside first");
    const Array there = device.up(counted(4)), elsewhere = Array::zeros({4}, Dtype::float64, simulated::backend(), 1);
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  eagle::copy(there, elsewhere);
              }).find("copy to an array of the host first, and from there"),
              std::string::npos);
    ArrayView strided = ArrayView::host(x.data(), Dtype::float64, {2});
    strided.strides[0] = 16;
    ArrayView two = there.view();
    two.shape[0] = 2;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { eagle::copy(strided, two); }),
              "the source of shape (2,) is not dense and row-major, as a copy to or from a device needs it: give a "
              "dense copy");
    EXPECT_EQ(down<double>(there), counted(4));
}

ArrayView window(std::vector<double>& of, std::int64_t rows, std::int64_t columns, std::int64_t row,
                 std::int64_t column) {
    ArrayView view = ArrayView::host(of.data(), Dtype::float64, {rows, columns});
    view.strides = {row, column};
    return view;
}

TEST(Copy, ADestinationWhoseElementsShareMemoryIsRefused) {
    std::vector<double> from(6, 1.0), to(12);
    const ArrayView source = ArrayView::host(from.data(), Dtype::float64, {2, 3});
    EXPECT_EQ(
        refusal<eagle::LayoutError>([&] { eagle::copy(source, window(to, 2, 3, 0, 8)); }),
        "the destination of shape (2, 3) has elements that share memory (strides of (0, 8) bytes); a copy needs a "
        "place for each: give an array that is no broadcast or window of another");
    for (const auto& [row, column] : {std::pair{8, 8}, {24, 4}, {-8, 8}, {16, 8}})
        EXPECT_NE(refusal<eagle::LayoutError>([&, r = row, c = column] {
                      eagle::copy(source, window(to, 2, 3, r, c));
                  }).find("elements that share memory"),
                  std::string::npos)
            << row << ' ' << column;
    EXPECT_EQ(to, std::vector<double>(12)) << "nothing was written";
    const ArrayView wide = ArrayView::host(from.data(), Dtype::float64, {3, 2});
    // Elements 0 1 3 4, then 0 3 2 5 4 7: lines that lie in each other's gaps.
    eagle::copy(ArrayView::host(from.data(), Dtype::float64, {2, 2}), window(to, 2, 2, 24, 8));
    eagle::copy(wide, window(to, 3, 2, 16, 24));
    EXPECT_EQ(to, (std::vector<double>{1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0}));
}

TEST(Copy, WithinADeviceItGoesInOrder) {
    const Array a = device.up(counted(1000)), b = device.up(std::vector<double>(1000)),
                c = device.up(std::vector<double>(1000));
    for (int i = 0; i < 16; ++i) {
        std::vector<double> now(1000, i);
        eagle::copy(handmade::view(now), a);
        eagle::copy(a, b);
        eagle::copy(b, c);
        std::vector<double> back(1000);
        eagle::copy(c, handmade::view(back));
        ASSERT_EQ(back, now);
    }
}

}  // namespace
