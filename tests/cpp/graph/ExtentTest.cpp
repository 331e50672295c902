// Whether two strided views meet, against their bytes one by one.
#include <eagle/GraphDescription.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "Brute.h"

using namespace eagle;
using namespace eagle::graph;

namespace {

Plane random_plane(std::mt19937_64& random) {
    Plane plane;
    plane.name = "random";
    plane.device = {1, 0};
    plane.address = 100000 + random() % 64;
    const std::uint8_t bits[] = {8, 16, 32, 64};
    plane.type = {TypeCode::unsigned_integer, bits[random() % 4], 1, false};
    plane.ndim = static_cast<std::int32_t>(random() % 4);
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        plane.shape[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(1 + random() % 5);
        const std::int64_t strides[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 40, -2, -8, -16, 0};
        plane.strides[static_cast<std::size_t>(i)] = strides[random() % std::size(strides)];
    }
    return plane;
}

std::set<std::uint64_t> bytes_of(const Extent& e) {
    std::set<std::uint64_t> starts{e.begin};
    for (std::int32_t i = 0; i < e.ndim; ++i) {
        std::set<std::uint64_t> more;
        for (std::uint64_t s : starts)
            for (std::uint64_t k = 0; k < e.rows[static_cast<std::size_t>(i)].count; ++k)
                more.insert(s + k * e.rows[static_cast<std::size_t>(i)].stride);
        starts = std::move(more);
    }
    std::set<std::uint64_t> bytes;
    for (std::uint64_t s : starts)
        for (std::uint64_t b = 0; b < e.run; ++b) bytes.insert(s + b);
    return bytes;
}

TEST(Extent, is_the_bytes_of_the_view) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const Plane plane = random_plane(random);
        ASSERT_EQ(bytes_of(plane.extent()), graphtest::bytes_of(plane)) << i;
        ASSERT_EQ(plane.extent().end(), *graphtest::bytes_of(plane).rbegin() + 1) << i;
    }
}

TEST(Extent, meets_where_a_byte_is_in_both) {
    std::mt19937_64 random(2);
    int met = 0, apart = 0;
    for (int i = 0; i < 40000; ++i) {
        const Plane a = random_plane(random), b = random_plane(random);
        const auto x = graphtest::bytes_of(a), y = graphtest::bytes_of(b);
        const bool meet = std::any_of(x.begin(), x.end(), [&](auto byte) { return y.count(byte) != 0; });
        ASSERT_EQ(touches(a.extent(), b.extent()), meet) << i;
        ASSERT_EQ(touches(b.extent(), a.extent()), meet) << i;
        if (covers(a.extent(), b.extent())) {
            ASSERT_TRUE(std::includes(x.begin(), x.end(), y.begin(), y.end())) << i;
        }
        ++(meet ? met : apart);
    }
    EXPECT_GT(met, 4000);
    EXPECT_GT(apart, 4000);
}

// Long lines with strides that share nothing: the answer is arithmetic, not a search.
TEST(Extent, long_lines_are_told_apart_at_once) {
    const auto line = [](std::uint64_t begin, std::uint64_t stride, std::uint64_t count) {
        Extent e;
        e.begin = begin;
        e.run = 1;
        e.ndim = 1;
        e.rows[0] = {count, stride};
        return e;
    };
    const std::uint64_t n = 1'000'000'000;
    // 6 i + 1 is odd, 10 j is even.
    EXPECT_FALSE(touches(line(1, 6, n), line(0, 10, n)));
    EXPECT_TRUE(touches(line(4, 6, n), line(0, 10, n)));
    // They meet first where 1000003 i = 1000033 j: at their product.
    EXPECT_TRUE(touches(line(1, 1000003, 1000034), line(1 + 1000033, 1000033, 1000003)));
    EXPECT_FALSE(touches(line(1 + 1000003, 1000003, 1000032), line(1 + 1000033, 1000033, 1000002)));
}

TEST(Extent, an_empty_view_touches_nothing) {
    Plane plane;
    plane.address = 4096;
    plane.ndim = 1;
    plane.shape[0] = 0;
    EXPECT_TRUE(plane.extent().empty());
    EXPECT_FALSE(touches(plane.extent(), plane.extent()));
}

}  // namespace
