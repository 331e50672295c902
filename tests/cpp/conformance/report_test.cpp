// TAP and JSON.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
    for (const std::size_t n : {54u, 55u, 56u, 57u, 63u, 64u, 65u, 119u, 120u, 128u, 1048575u, 1048576u, 1048632u}) {
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
    expect_tap(ended.out, 14);
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

// The whole file, so that a test sees whether it was touched.
std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Json, has_a_place_before_anything_runs) {
    const std::string backend = running::place("judged.so"), link = running::place("link.so");
    std::filesystem::copy_file(NULL_BACKEND, backend, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(link);
    std::filesystem::create_symlink(backend, link);
    const std::string before = bytes_of(backend);
    const std::string list = running::written("list.json", "{}");
    const std::pair<std::string, std::string> wrongs[] = {
        {backend, "is the file to judge, which the report would overwrite"},
        {link, "is the file to judge, which the report would overwrite"},
        {list, "is the exclusions, which the report would overwrite"},
        {"/nowhere/report.json", "cannot write '/nowhere/report.json'"}};
    for (const auto& [path, words] : wrongs) {
        const auto ended = run(CONFORMANCE, "--exclusions '" + list + "' --json '" + path + "' '" + backend + "'");
        EXPECT_EQ(ended.code, 2) << path;
        EXPECT_EQ(ended.out, "") << path;
        EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    }
    EXPECT_EQ(bytes_of(backend), before);
    EXPECT_EQ(bytes_of(list), "{}");
}

TEST(Json, a_run_that_cannot_begin_leaves_its_place_as_it_was) {
    const std::string text = running::written("text", "no library"), old = running::written("old.json", "old");
    const std::string fresh = running::place("fresh.json");
    EXPECT_EQ(run(CONFORMANCE, "--json '" + old + "' '" + text + "'").code, 2);
    EXPECT_EQ(bytes_of(old), "old");
    EXPECT_EQ(run(CONFORMANCE, "--json '" + fresh + "' '" + text + "'").code, 2);
    EXPECT_FALSE(std::filesystem::exists(fresh));
}

// A pipe that nobody reads or writes: to open it would wait for ever.
struct NamedPipe {
    std::string path = running::place("pipe");
    NamedPipe() { EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0); }
    ~NamedPipe() { ::unlink(path.c_str()); }
};

running::Ended in_time(const std::string& arguments) {
    return run("/usr/bin/timeout", "30 '" CONFORMANCE "' " + arguments + " '" CPU_BACKEND "'");
}

TEST(Json, a_pipe_that_may_never_be_read_is_refused) {
    const NamedPipe pipe;
    const auto ended = in_time("--rows core-free --json '" + pipe.path + "'");
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_NE(ended.err.find("--json: cannot write '" + pipe.path +
                             "', which is a pipe that may never be read; name a file, or /dev/stdout"),
              std::string::npos)
        << ended.err;
}

TEST(Json, goes_to_a_device_and_to_standard_output) {
    EXPECT_EQ(in_time("--rows core-free --json /dev/null").code, 0);
    const std::string both =
        lines_of("timeout 30 '" CONFORMANCE "' --rows core-free --json /dev/stdout '" CPU_BACKEND "' | cat");
    const std::size_t begin = both.find("\n{");
    ASSERT_NE(begin, std::string::npos) << both;
    EXPECT_NE(both.find("ok 1 - core-free"), std::string::npos) << both;
    EXPECT_EQ(nlohmann::json::parse(both.substr(begin)).at("format"), "eagle-conformance/1");
}

TEST(Exclusions, what_is_no_file_is_refused) {
    const NamedPipe pipe;
    for (const std::string& path : {pipe.path, std::string("/dev/null")}) {
        const auto ended = in_time("--rows core-free --exclusions '" + path + "'");
        EXPECT_EQ(ended.code, 2);
        EXPECT_NE(ended.err.find("--exclusions: cannot read '" + path + "', which is a pipe or a device; name a file"),
                  std::string::npos)
            << ended.err;
    }
}

struct Lost {
    int code = -1;
    std::string err;
};

// In the shell's language, with standard output as `to` says.
Lost lost(const std::string& arguments, const std::string& to) {
    const std::string err = running::place("lost");
    const int status = std::system(("'" CONFORMANCE "' " + arguments + " 2>'" + err + "' " + to).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(err)};
}

TEST(StandardOutput, a_report_that_is_lost_is_no_success) {
    for (const std::string arguments :
         {"--rows core-free '" CPU_BACKEND "'", "--list", "--version", "--help", "--random 3 '" CPU_BACKEND "'"}) {
        const Lost full = lost(arguments, ">/dev/full"), closed = lost(arguments, ">&-");
        EXPECT_EQ(full.code, 2) << arguments;
        EXPECT_NE(full.err.find("standard output takes no more"), std::string::npos) << full.err;
        EXPECT_EQ(closed.code, 2) << arguments;
        EXPECT_NE(closed.err.find("standard output is closed"), std::string::npos) << closed.err;
    }
}

TEST(StandardOutput, closed_input_and_error_do_not_matter) {
    for (const std::string arguments :
         {"--rows 'core-free,core-probe*' '" CPU_BACKEND "'", "--random 3 '" CPU_BACKEND "'"}) {
        EXPECT_EQ(lost(arguments, ">/dev/null <&-").code, 0) << arguments;
        EXPECT_EQ(lost(arguments, ">/dev/null 2>&-").code, 0) << arguments;
        EXPECT_EQ(lost(arguments, ">/dev/null <&- 2>&-").code, 0) << arguments;
    }
}

}  // namespace
