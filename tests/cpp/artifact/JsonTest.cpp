// What is refused before a document is understood. The words are those a user sees.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <string>

#include "Handmade.h"

namespace {

std::string said(const std::string& text) {
    return handmade::refusal<eagle::InvalidArgument>([&] { eagle::Manifest::parse(text, "m.json"); });
}

// A good manifest with `value` under a key that readers ignore.
std::string with(const std::string& value) {
    return R"({"schema_version": 2, "pattern": "vector", "aether_abi": "aether-abi/2", "exec_targets": ["host"],
"exec_access": "sample_local", "plugins": [], "note": )" +
           value + "}";
}

TEST(Json, GoodDocumentIsRead) {
    EXPECT_EQ(said(with("\"\xC3\xA9 \\ud83d\\ude00\"")), "");
    EXPECT_EQ(said(with("[1, -2, 2.5e3, true, null, 9223372036854775807, -9223372036854775808]")), "");
}

TEST(Json, NotUtf8IsRefusedWithItsByte) {
    const std::string text = with("\"\xC3\"");
    EXPECT_EQ(said(text), "m.json: not UTF-8 at byte " + std::to_string(text.find('\xC3')) + " (line 2, column 56)");
    EXPECT_NE(said(with("\"\xC0\x80\"")).find("not UTF-8"), std::string::npos);          // overlong
    EXPECT_NE(said(with("\"\xED\xA0\x80\"")).find("not UTF-8"), std::string::npos);      // an encoded surrogate
    EXPECT_NE(said(with("\"\xF4\x90\x80\x80\"")).find("not UTF-8"), std::string::npos);  // past U+10FFFF
}

TEST(Json, ByteOrderMarkIsRefused) {
    EXPECT_EQ(said("\xEF\xBB\xBF" + with("1")), "m.json: begins with a byte order mark; write UTF-8 without one");
}

TEST(Json, AZeroByteIsNotTheEnd) {
    const std::string text = with("1");
    EXPECT_EQ(said(text + std::string("\0 more", 6)),
              "m.json: not JSON at line 2, column " + std::to_string(text.size() - text.find('\n')) + ": a zero byte");
}

TEST(Json, NotANumberIsRefusedByName) {
    EXPECT_NE(said(with("NaN")).find("NaN is no JSON number"), std::string::npos) << said(with("NaN"));
    EXPECT_NE(said(with("Infinity")).find("Infinity is no JSON number"), std::string::npos) << said(with("Infinity"));
    EXPECT_NE(said(with("-Infinity")).find("-Infinity is no JSON number"), std::string::npos)
        << said(with("-Infinity"));
}

TEST(Json, DuplicateKeysAreRefused) {
    EXPECT_EQ(said(R"({"pattern": "pure", "pattern": "vector"})"),
              "m.json: the key 'pattern' stands twice in one object");
    EXPECT_EQ(said(with(R"([{"deep": 1, "deep": 1}])")), "m.json: the key 'deep' stands twice in one object");
    EXPECT_EQ(said(with(R"([{"same": 1}, {"same": 1}])")), "");
}

TEST(Json, LoneSurrogatesAreRefused) {
    for (const char* text : {R"("\ud83d")", R"("\ude00")", R"("\ud83d\u0041")", R"("\ud83dx")"})
        EXPECT_NE(said(with(text)).find("a lone surrogate"), std::string::npos) << text << said(with(text));
}

TEST(Json, IntegersOutsideInt64AreRefused) {
    EXPECT_EQ(said(with("9223372036854775808")), "m.json: the integer 9223372036854775808 does not fit in int64");
    EXPECT_EQ(said(with("-9223372036854775809")), "m.json: the integer -9223372036854775809 does not fit in int64");
    EXPECT_EQ(said(with("123456789012345678901234567890")),
              "m.json: the integer 123456789012345678901234567890 does not fit in int64");
}

TEST(Json, OverflowingNumbersAreRefused) {
    EXPECT_NE(said(with("1e400")).find("the number 1e400 overflows a double"), std::string::npos)
        << said(with("1e400"));
    EXPECT_EQ(said(with("1e-400")), "");
}

TEST(Json, DepthIsRefusedWhileParsing) {
    // The document itself is the first level.
    EXPECT_EQ(said(with(std::string(63, '[') + std::string(63, ']'))), "");
    EXPECT_EQ(said(with(std::string(64, '[') + std::string(64, ']'))), "m.json: nested deeper than 64 levels");
    // Ten million levels, never closed: refused at the 65th, without a stack that grows.
    EXPECT_EQ(said(std::string(10'000'000, '[')), "m.json: nested deeper than 64 levels");
}

TEST(Json, TooLongIsRefused) {
    std::string text = with("1");
    text.append((64u << 20) - text.size(), ' ');
    EXPECT_EQ(said(text), "");
    text += ' ';
    EXPECT_EQ(said(text), "m.json: 67108865 bytes; at most 64 MiB (67108864 bytes) are read");
}

TEST(Json, ALongValueIsCutBetweenCharacters) {
    // Of 'ab' and two-byte characters the 57th byte is the middle of one.
    std::string many = "ab";
    for (int k = 0; k < 40; ++k) many += "\xC3\xA9";
    const std::string shown = "\"ab" + many.substr(2, 54) + "...";
    EXPECT_EQ(said(R"({"schema_version": ")" + many + "\"}"),
              "m.json: 'schema_version' is " + shown + " (a string); it must be an int");
    const std::string twice = said("{\"" + many + "\": 1, \"" + many + "\": 1}");
    EXPECT_EQ(twice, "m.json: the key 'ab" + many.substr(2, 54) + "...' stands twice in one object");
}

TEST(Json, WhatTheParserLastReadIsCutBetweenCharacters) {
    const std::string text = said("{\"a\": \"\xC3\xA9");  // not closed: the last read byte is the character's
    EXPECT_NE(text.find("not JSON at line 1"), std::string::npos);
    const std::string other = said("[\xC3\xA9]");
    EXPECT_EQ(other.find('\xC3') == std::string::npos, other.find('\xA9') == std::string::npos) << other;
}

TEST(Json, BrokenTextIsRefusedWithItsPlace) {
    EXPECT_NE(said("{\"pattern\":\n  \"vector\"").find("m.json: not JSON at line 2, column"), std::string::npos);
    EXPECT_NE(said("").find("m.json: not JSON at line 1, column"), std::string::npos);
    EXPECT_NE(said(with("1") + "x").find("not JSON"), std::string::npos);
    EXPECT_NE(said(with("'a'")).find("not JSON"), std::string::npos);
    EXPECT_EQ(said("[1]"), "m.json: holds [1] (a list); it must hold an object");
}

}  // namespace
