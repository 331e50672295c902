// TAP and JSON.
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>
#include <sstream>

#include "Running.h"
#include "Sha256.h"

using eagle::conformance::sha256;
using running::run;

namespace {

std::string lines_of(const std::string& command) {
    std::string text;
    FILE* pipe = popen(command.c_str(), "r");
    for (int character; (character = std::fgetc(pipe)) != EOF;) text += static_cast<char>(character);
    pclose(pipe);
    return text;
}

// FIPS 180-4's examples, and lengths about a block's end by another program.
TEST(Sha256, of_known_texts) {
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    for (const std::size_t n : {54u, 55u, 56u, 57u, 63u, 64u, 65u, 119u, 120u, 128u}) {
        const std::string file = running::written("bytes", std::string(n, 'x'));
        EXPECT_EQ(sha256(std::string(n, 'x')), lines_of("sha256sum <'" + file + "'").substr(0, 64)) << n;
    }
}

// The grammar of TAP 14 as far as the program uses it.
void expect_tap(const std::string& text, int tests) {
    std::istringstream lines(text);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line) && line == "TAP version 14");
    ASSERT_TRUE(std::getline(lines, line) && line == "1.." + std::to_string(tests)) << line;
    const std::regex test("(not )?ok ([0-9]+) - ([a-z0-9-]+)( # (SKIP|TODO) [^#]+)?"), comment("#.*"), yaml("  .*");
    int seen = 0;
    while (std::getline(lines, line)) {
        std::smatch found;
        if (std::regex_match(line, found, test)) {
            EXPECT_EQ(found[2], std::to_string(++seen)) << line;
        } else {
            EXPECT_TRUE(std::regex_match(line, comment) || std::regex_match(line, yaml)) << line;
        }
    }
    EXPECT_EQ(seen, tests);
}

TEST(Tap, is_valid_for_every_outcome) {
    const auto ended = run(MISBEHAVING, "--timeout 0.5 --rows 'core-test-*' '" CPU_BACKEND "'");
    EXPECT_EQ(ended.code, 1);
    expect_tap(ended.out, 11);
    expect_tap(run(CONFORMANCE, "--rows 'core-*,stream-create' '" NULL_BACKEND "'").out, 10);
}

TEST(Json, says_what_was_judged_and_what_came_of_it) {
    const std::string path = running::place("report.json");
    const auto ended = run(MISBEHAVING, "--seed 77 --kernels '" KERNELS
                                        "' --rows 'core-test-fails,core-test-passes,exec-nothing-to-do' --json '" +
                                            path + "' '" CPU_BACKEND "'");
    EXPECT_EQ(ended.code, 1);
    const auto report = running::read_json(path);
    EXPECT_EQ(report.at("format"), "eagle-conformance/1");
    EXPECT_EQ(report.at("file").at("path"), CPU_BACKEND);
    EXPECT_EQ(report.at("file").at("sha256"), lines_of("sha256sum <'" CPU_BACKEND "'").substr(0, 64));
    EXPECT_EQ(report.at("build_info").at("backend_kind"), "cpu");
    EXPECT_EQ(report.at("build_info").at("major"), 1);
    EXPECT_EQ(report.at("build_info").at("minor"), 7);
    EXPECT_EQ(report.at("device").at("number"), 0);
    EXPECT_EQ(report.at("device").at("types"), nlohmann::json({1}));
    EXPECT_EQ(report.at("device").at("uuid").get<std::string>().size(), 32u);
    EXPECT_EQ(report.at("capabilities").at(0), "stream");
    EXPECT_EQ(report.at("symbols").at(0), "version");
    EXPECT_EQ(report.at("seed"), 77);
    EXPECT_EQ(report.at("exit_code"), 1);
    EXPECT_EQ(report.at("rows_asked"), "core-test-fails,core-test-passes,exec-nothing-to-do");
    const auto& rows = report.at("rows");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].at("name"), "core-test-fails");
    EXPECT_EQ(rows[0].at("outcome"), "failed");
    EXPECT_EQ(rows[0].at("failures")[0].at("file"), "misbehaving.cpp");
    EXPECT_EQ(rows[0].at("failures")[0].at("text"), "1 + 1: found 2, needed 3");
    EXPECT_EQ(rows[1].at("outcome"), "passed");
    EXPECT_EQ(rows[2].at("covers"), nlohmann::json({"run_device"}));
    EXPECT_EQ(rows[2].at("group"), "exec");
    EXPECT_GE(rows[2].at("seconds").get<double>(), 0);
    EXPECT_EQ(report.at("counts").at("passed"), 2);
    EXPECT_EQ(report.at("counts").at("failed"), 1);
    EXPECT_EQ(report.at("counts").at("not_run"), 0);
}

}  // namespace
