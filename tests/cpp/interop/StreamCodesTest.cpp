// Every code on every device type, against the table of DLPack's rules written out here.
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Interop.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using eagle::checked_stream;
using eagle::StreamCode;

constexpr std::int64_t raw = 0x5500'1230;
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
const StreamCode refused = lowest;  // stands for a refusal in the table below; no code is that

struct Row {
    std::int32_t type;
    StreamCode none, zero, one, two;
};
const std::vector<Row> rows{
    {2, 1, refused, 1, 2},
    {3, 1, refused, 1, 2},
    {13, 1, refused, 1, 2},
    {10, 0, 0, refused, refused},
    {11, 0, 0, refused, refused},
    {8, std::nullopt, refused, refused, refused},
    {12, std::nullopt, refused, refused, refused},
};

void expect(std::int32_t type, StreamCode given, StreamCode wanted) {
    SCOPED_TRACE("type " + std::to_string(type) + ", code " + (given ? std::to_string(*given) : "none"));
    if (wanted == refused) {
        EXPECT_THROW(checked_stream(type, given, "stream"), eagle::InteropError);
    } else {
        EXPECT_EQ(checked_stream(type, given, "stream"), wanted);
    }
}

TEST(StreamCodes, EveryCodeOnEveryDeviceType) {
    for (const Row& row : rows) {
        expect(row.type, std::nullopt, row.none);
        expect(row.type, 0, row.zero);
        expect(row.type, 1, row.one);
        expect(row.type, 2, row.two);
        expect(row.type, -1, -1);
        expect(row.type, raw, raw);
        expect(row.type, 3, 3);
        expect(row.type, -2, refused);
        expect(row.type, lowest + 1, refused);
    }
}

TEST(StreamCodes, TheHostTakesNone) {
    EXPECT_EQ(checked_stream(1, std::nullopt, "stream"), std::nullopt);
    for (const std::int64_t code :
         {std::int64_t{-2}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, raw})
        expect(1, code, refused);
}

std::string words(std::int32_t type, std::int64_t code) {
    try {
        checked_stream(type, code, "stream");
    } catch (const eagle::InteropError& error) {
        return error.what();
    }
    return "";
}

TEST(StreamCodes, ARefusalSaysWhatTheTypeHas) {
    EXPECT_EQ(words(1, 5), "stream is 5; memory of DLPack device type 1 is on the host and takes no stream: pass None");
    EXPECT_EQ(words(2, 0),
              "stream is 0; on DLPack device type 2 it must be none or 1 (legacy default), 2 (per-thread "
              "default), -1 (unordered) or a raw stream");
    EXPECT_EQ(words(10, 2),
              "stream is 2; on DLPack device type 10 it must be none or 0 (default), -1 (unordered) or a "
              "raw stream");
    EXPECT_EQ(words(12, 1),
              "stream is 1; on DLPack device type 12 it must be none (default), -1 (unordered) or a raw "
              "stream above 2");
}

TEST(NeedsOrder, NotBetweenSpellingsOfOneStream) {
    EXPECT_FALSE(eagle::needs_order(2, std::nullopt, 1));
    EXPECT_FALSE(eagle::needs_order(2, raw, raw));
    EXPECT_FALSE(eagle::needs_order(10, std::nullopt, 0));
    EXPECT_FALSE(eagle::needs_order(12, std::nullopt, std::nullopt));
    EXPECT_FALSE(eagle::needs_order(1, std::nullopt, std::nullopt));
    EXPECT_TRUE(eagle::needs_order(2, std::nullopt, 2));
    EXPECT_TRUE(eagle::needs_order(2, raw, 1));
    EXPECT_TRUE(eagle::needs_order(12, std::nullopt, raw));
}

TEST(NeedsOrder, NotWhereOneSideIsUnordered) {
    for (const std::int32_t type : {2, 10, 12}) {
        EXPECT_FALSE(eagle::needs_order(type, -1, raw));
        EXPECT_FALSE(eagle::needs_order(type, raw, -1));
    }
}

TEST(NeedsOrder, EitherSideIsChecked) {
    EXPECT_THROW(eagle::needs_order(2, 0, -1), eagle::InteropError);
    EXPECT_THROW(eagle::needs_order(2, -1, 0), eagle::InteropError);
}

TEST(OrderStreams, NothingIsLoadedWhereNothingIsToDo) {
    eagle::order_streams(2, 0, std::nullopt, 1);
    eagle::order_streams(10, 0, -1, raw);
    eagle::order_streams(1, 0, std::nullopt, std::nullopt);
    EXPECT_TRUE(eagle::loaded_backends().empty());
}

TEST(OrderStreams, ATypeThatNobodyServesIsNamed) {
    try {
        eagle::order_streams(77, 0, std::nullopt, raw);
        FAIL() << "it was ordered";
    } catch (const eagle::BackendUnavailable& error) {
        EXPECT_NE(std::string(error.what()).find("DLPack device type 77"), std::string::npos) << error.what();
    }
}

TEST(DeviceTypeOfKind, ByTheTableOfKinds) {
    EXPECT_EQ(eagle::device_type_of_kind("cpu"), 1);
    EXPECT_EQ(eagle::device_type_of_kind("cuda"), 2);
    EXPECT_EQ(eagle::device_type_of_kind("hip"), 10);
    EXPECT_THROW(eagle::device_type_of_kind("abacus"), eagle::InvalidArgument);
}

}  // namespace
