// What compaction, reorder and reset refuse: the status, the words that say why, and that nothing was touched.
#include <limits>

#include "Masks.h"

using client::says;
using namespace filtering;

namespace {

class BadCompact : public ::testing::Test {
  protected:
    std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(64, 1), scratch = std::vector<std::uint8_t>(8192);
    std::vector<std::int32_t> map = std::vector<std::int32_t>(64, -1);
    std::uint32_t count = 7, span = 64, fire = 7;
    struct eagle_backend_compact_desc good = client::make<struct eagle_backend_compact_desc>(), desc;

    BadCompact() {
        good.mask = at(mask.data());
        good.index_map = at(map.data());
        good.count = at(&count);
        good.scratch = at(scratch.data());
        good.n = 64;
        good.span = at(&span);
        good.fire = at(&fire);
        good.theta = 0.5f;
        desc = good;
    }
    ~BadCompact() override {
        EXPECT_EQ(map, std::vector<std::int32_t>(64, -1));
        EXPECT_EQ(count, 7u);
        EXPECT_EQ(fire, 7u);
    }
    ::testing::AssertionResult refused(const std::string& words,
                                       eagle_backend_status status = EAGLE_BACKEND_INVALID_ARGUMENT) {
        auto found = says(client::compact_device(&desc), status, words);
        desc = good;
        return found;
    }
};

TEST_F(BadCompact, description_then_flags_then_device) {
    EXPECT_TRUE(says(client::compact_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    desc.struct_size = 71;
    desc.flags = 6;
    EXPECT_TRUE(refused("desc->struct_size is 71; it must be at least 72"));
    desc.flags = 7;
    desc.device = 3;
    EXPECT_TRUE(refused("0x6 is unknown here", EAGLE_BACKEND_UNSUPPORTED));
    desc.device = 3;
    desc.n = -1;
    EXPECT_TRUE(refused("device is 3"));
}

TEST_F(BadCompact, fields) {
    desc.reserved = 4;
    EXPECT_TRUE(refused("desc->reserved is 4; it must be 0"));
    desc.reserved2 = 5;
    EXPECT_TRUE(refused("desc->reserved2 is 5; it must be 0"));
    desc.n = -1;
    desc.scratch = 0;
    EXPECT_TRUE(refused("desc->n is -1; it must be 0 or more"));
    desc.n = std::int64_t(1) << 31;
    EXPECT_TRUE(refused("desc->n is 2147483648", EAGLE_BACKEND_UNSUPPORTED));
    desc.stream = 5;
    EXPECT_TRUE(refused("none of this backend's", EAGLE_BACKEND_BAD_HANDLE));
}

TEST_F(BadCompact, arrays) {
    desc.mask = 0;
    EXPECT_TRUE(refused("desc->mask is null"));
    desc.index_map = 0;
    EXPECT_TRUE(refused("desc->index_map is null"));
    desc.index_map += 2;
    EXPECT_TRUE(refused("desc->index_map lies 2 bytes past a multiple of 4"));
    desc.count = 0;
    EXPECT_TRUE(refused("desc->count is null"));
    desc.live32 = at(&span) + 1;
    EXPECT_TRUE(refused("desc->live32 lies 1 bytes past a multiple of 4"));
}

TEST_F(BadCompact, trigger) {
    desc.span = 0;
    EXPECT_TRUE(refused("desc->fire is set and desc->span is null"));
    for (float theta : {0.0f, 1.0f, -0.5f, 2.0f, std::numeric_limits<float>::quiet_NaN()}) {
        desc.theta = theta;
        EXPECT_TRUE(refused("desc->theta is " + std::to_string(theta) + "; it must lie between 0 and 1"));
    }
}

class BadReorder : public ::testing::Test {
  protected:
    std::vector<std::uint8_t> mask = std::vector<std::uint8_t>(64, 0), scratch = std::vector<std::uint8_t>(8192);
    std::vector<double> reals = std::vector<double>(65, 1.5);
    std::vector<std::int32_t> perm = std::vector<std::int32_t>(64, 3), inv = perm, map = perm;
    std::uint32_t count = 7, span = 64, fire = 1;
    struct eagle_backend_reorder_plane rows[2] = {{at(mask.data()), 1, 0}, {at(reals.data()), 8, 0}};
    struct eagle_backend_reorder_desc good = client::make<struct eagle_backend_reorder_desc>(), desc;

    BadReorder() {
        good.n_planes = 2;
        good.planes = at(rows);
        good.mask = at(mask.data());
        good.perm = at(perm.data());
        good.inv = at(inv.data());
        good.index_map = at(map.data());
        good.count = at(&count);
        good.span = at(&span);
        good.fire = at(&fire);
        good.scratch = at(scratch.data());
        good.n = 64;
        desc = good;
    }
    ~BadReorder() override {
        EXPECT_EQ(perm, std::vector<std::int32_t>(64, 3));
        EXPECT_EQ(inv, perm);
        EXPECT_EQ(map, perm);
        EXPECT_EQ(count, 7u);
        EXPECT_EQ(span, 64u);
        EXPECT_EQ(fire, 1u);
    }
    ::testing::AssertionResult refused(const std::string& words,
                                       eagle_backend_status status = EAGLE_BACKEND_INVALID_ARGUMENT) {
        auto found = says(client::reorder_device(&desc), status, words);
        desc = good;
        rows[0] = {at(mask.data()), 1, 0};
        rows[1] = {at(reals.data()), 8, 0};
        return found;
    }
};

TEST_F(BadReorder, description_then_flags_then_device) {
    EXPECT_TRUE(says(client::reorder_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    desc.struct_size = 111;
    EXPECT_TRUE(refused("desc->struct_size is 111; it must be at least 112"));
    desc.flags = 2;
    desc.device = 3;
    EXPECT_TRUE(refused("0x2 is unknown here", EAGLE_BACKEND_UNSUPPORTED));
    desc.device = -4;
    EXPECT_TRUE(refused("device is -4"));
    desc.n = -1;
    EXPECT_TRUE(refused("desc->n is -1"));
    desc.n = std::int64_t(1) << 31;
    EXPECT_TRUE(refused("desc->n is 2147483648", EAGLE_BACKEND_UNSUPPORTED));
    desc.stream = 5;
    EXPECT_TRUE(refused("none of this backend's", EAGLE_BACKEND_BAD_HANDLE));
}

TEST_F(BadReorder, planes) {
    desc.n_planes = 0;
    EXPECT_TRUE(refused("desc->n_planes is 0"));
    desc.planes = 0;
    EXPECT_TRUE(refused("desc->planes is null"));
    rows[1].elem_bytes = 3;
    desc.scratch = 0;  // a query looks at the widths too
    EXPECT_TRUE(refused("desc->planes[1].elem_bytes is 3; it must be 1, 2, 4, 8 or 16"));
    rows[1].reserved = 9;
    EXPECT_TRUE(refused("desc->planes[1].reserved is 9; it must be 0"));
    rows[1].data = 0;
    EXPECT_TRUE(refused("desc->planes[1].data is null"));
    rows[1].data += 4;
    EXPECT_TRUE(refused("desc->planes[1].data lies 4 bytes past a multiple of 8"));
    desc.mask = at(scratch.data());
    EXPECT_TRUE(refused("desc->mask is none of the 2 planes"));
    rows[0].elem_bytes = 2;
    EXPECT_TRUE(refused("desc->mask is none of the 2 planes; it must be one of them, of 1 byte a sample"));
}

TEST_F(BadReorder, overlap) {
    rows[1].data = at(mask.data());
    EXPECT_TRUE(refused("overlap by 64 bytes"));
    desc.inv = desc.perm;
    EXPECT_TRUE(refused("overlap by 256 bytes"));
    desc.index_map = at(reals.data()) + 508;
    EXPECT_TRUE(refused("desc->planes[1] and desc->index_map overlap by 4 bytes"));
    desc.scratch = at(reals.data());
    EXPECT_TRUE(refused("overlap by 512 bytes"));
}

TEST_F(BadReorder, arrays) {
    desc.perm = 0;
    EXPECT_TRUE(refused("desc->perm is null"));
    desc.inv += 1;
    EXPECT_TRUE(refused("desc->inv lies 1 bytes past a multiple of 4"));
    desc.index_map = 0;
    EXPECT_TRUE(refused("desc->index_map is null"));
    desc.count = 0;
    EXPECT_TRUE(refused("desc->count is null"));
    desc.span = 0;
    EXPECT_TRUE(refused("desc->span is null"));
    desc.fire += 2;
    EXPECT_TRUE(refused("desc->fire lies 2 bytes past a multiple of 4"));
}

TEST_F(BadReorder, reset) {
    auto reset_refused = [&](const std::string& words, eagle_backend_status status = EAGLE_BACKEND_INVALID_ARGUMENT) {
        auto found = says(client::reset_device(&desc), status, words);
        desc = good;
        return found;
    };
    EXPECT_TRUE(says(client::reset_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    desc.struct_size = 12;
    EXPECT_TRUE(reset_refused("desc->count is null"));  // n is 0 there, and nothing else is known
    desc.flags = 1;
    EXPECT_TRUE(reset_refused("0x1 is unknown here", EAGLE_BACKEND_UNSUPPORTED));
    desc.device = 2;
    EXPECT_TRUE(reset_refused("device is 2"));
    desc.n = -1;
    EXPECT_TRUE(reset_refused("desc->n is -1"));
    desc.perm = 0;
    EXPECT_TRUE(reset_refused("desc->perm is null"));
    desc.inv = desc.perm;
    EXPECT_TRUE(reset_refused("overlap by 256 bytes"));
    desc.stream = 5;
    EXPECT_TRUE(reset_refused("none of this backend's", EAGLE_BACKEND_BAD_HANDLE));
}

}  // namespace
