// Ranges of samples.
#include <eagle/Error.h>
#include <eagle/Exec.h>
#include <gtest/gtest.h>

#include "Handmade.h"

namespace {

using eagle::Partition;

TEST(Partition, SplitsAreNeighboursThatCoverEverything) {
    for (std::int64_t n : {0, 1, 2, 7, 64, 1000, 1001})
        for (int parts : {1, 2, 3, 7, 100})
            for (std::int64_t multiple : {1, 8, 64}) {
                const auto split = Partition::split(n, parts, multiple);
                ASSERT_EQ(split.size(), static_cast<std::size_t>(parts));
                std::int64_t next = 0;
                for (const Partition& part : split) {
                    EXPECT_EQ(part.base, next);
                    EXPECT_EQ(part.n_samples, n);
                    EXPECT_TRUE(part.base % multiple == 0 || part.base == n);
                    EXPECT_NO_THROW(part.validate());
                    next = part.base + part.count;
                }
                EXPECT_EQ(next, n);
            }
}

TEST(Partition, PartsDifferByOneGroupAtMost) {
    const auto split = Partition::split(10, 4);
    EXPECT_EQ(split[0].count, 3);
    EXPECT_EQ(split[1].count, 3);
    EXPECT_EQ(split[2].count, 2);
    EXPECT_EQ(split[3].count, 2);
}

TEST(Partition, FieldsOutOfRangeAreNamed) {
    auto said = [](Partition part) { return handmade::refusal<eagle::InvalidArgument>([&] { part.validate(); }); };
    EXPECT_EQ(said({0, 10, 10}), "");
    EXPECT_EQ(said({10, 0, 10}), "");
    EXPECT_EQ(said({-1, 2, 10}),
              "Partition(base=-1, count=2, n_samples=10): base is -1; it must be from 0 to n_samples, 10");
    EXPECT_EQ(said({4, 7, 10}),
              "Partition(base=4, count=7, n_samples=10): count is 7; it must be from 0 to n_samples - base, 6");
    EXPECT_EQ(said({0, 0, -1}), "Partition(base=0, count=0, n_samples=-1): n_samples is -1; it must be at least 0");
    EXPECT_NE(said({INT64_MAX, INT64_MAX, INT64_MAX}).find("count is"), std::string::npos);
    EXPECT_NE(handmade::refusal<eagle::InvalidArgument>([] { Partition::split(5, 0); }).find("it needs at least"),
              std::string::npos);
}

}  // namespace
