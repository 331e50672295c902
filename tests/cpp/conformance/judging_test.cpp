// What becomes of rows, and of the program's exit status.
#include <gtest/gtest.h>

#include <filesystem>

#include "Running.h"

using running::Ended;
using running::run;
using ::testing::Test;

namespace {

const std::string cpu = "'" CPU_BACKEND "'";

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Rows of the misbehaving program on kind cpu.
Ended misbehaving(const std::string& rows, const std::string& more = "") {
    return run(MISBEHAVING, "--rows '" + rows + "' " + more + " " + cpu);
}

TEST(Judging, kind_null_passes_with_no_group) {
    const Ended ended = run(CONFORMANCE, "'" NULL_BACKEND "'");
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, " - stream-create # SKIP eagle_backend_stream_create is not exported"));
    EXPECT_TRUE(has(ended.out, "ok 1 - core-build-info\n"));
    EXPECT_FALSE(has(ended.out, "not ok"));
}

TEST(Judging, a_file_of_another_kind_than_its_name_fails) {
    const std::string file = running::place("libeagle_zzz.so");
    std::filesystem::copy_file(NULL_BACKEND, file, std::filesystem::copy_options::overwrite_existing);
    const Ended ended = run(CONFORMANCE, "--rows core-build-info '" + file + "'");
    EXPECT_EQ(ended.code, 1) << ended.out;
    EXPECT_TRUE(has(ended.out,
                    "build_info names kind 'null', and the file is of kind 'zzz' by its name, so that libeagle "
                    "refuses it: name it libeagle_null.so or correct the kind (EBP-16)"))
        << ended.out;
}

TEST(Judging, passes) {
    const Ended ended = misbehaving("core-test-passes");
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(has(ended.out, "1..1\n"));
    EXPECT_TRUE(has(ended.out, "ok 1 - core-test-passes\n"));
    EXPECT_FALSE(has(ended.out, "a backend that prints"));  // the report alone is on standard output
    EXPECT_TRUE(has(ended.err, "a backend that prints"));
}

TEST(Judging, a_failure_says_where_what_was_found_and_what_is_needed) {
    const Ended ended = misbehaving("core-test-fails");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-fails\n"));
    EXPECT_TRUE(has(ended.out, "misbehaving.cpp:23: 1 + 1: found 2, needed 3")) << ended.out;
    EXPECT_TRUE(has(ended.out, "found 3 at [2], needed 4 (of 3)")) << ended.out;
    EXPECT_TRUE(has(ended.out, "not so: c.device < 0"));
    EXPECT_FALSE(has(ended.out, "c.device < -1"));
}

TEST(Judging, a_wrong_status_shows_the_words_of_the_backend) {
    const Ended ended = misbehaving("core-test-wrong-status");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "found status 2 (eagle_backend_capabilities: groups is null")) << ended.out;
    EXPECT_TRUE(has(ended.out, "needed 3"));
}

TEST(Judging, a_crash_is_the_row_s_and_the_rest_is_still_judged) {
    const Ended ended = misbehaving("core-test-crashes,core-test-passes,core-test-zzz-is-last");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-crashes\n"));
    EXPECT_TRUE(has(ended.out, "its process ended in the middle of it: signal 11 (Segmentation fault)")) << ended.out;
    EXPECT_TRUE(has(ended.out, "ok 2 - core-test-passes\n"));
    EXPECT_TRUE(has(ended.out, "ok 3 - core-test-zzz-is-last\n"));
}

TEST(Judging, a_row_that_hangs_is_ended) {
    const Ended ended = misbehaving("core-test-hangs,core-test-passes", "--timeout 0.5");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-hangs\n"));
    EXPECT_TRUE(has(ended.out, "it did not end within 0.5 seconds")) << ended.out;
    EXPECT_TRUE(has(ended.out, "ok 2 - core-test-passes\n"));
}

TEST(Judging, a_row_that_throws_or_ends_the_process_failed) {
    const Ended ended = misbehaving("core-test-throws,core-test-exits");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-exits\n"));
    EXPECT_TRUE(has(ended.out, "its process ended in the middle of it: exit status 0")) << ended.out;
    EXPECT_TRUE(has(ended.out, "not ok 2 - core-test-throws\n"));
    EXPECT_TRUE(has(ended.out, "the row threw: thrown by a row"));
}

TEST(Judging, a_process_that_does_not_end_well_is_no_pass) {
    const Ended ended = misbehaving("core-test-leaves-a-trap");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "it passed, and then: signal 6 (Aborted)")) << ended.out;
}

TEST(Judging, a_process_that_does_not_end_is_told_what_to_look_at) {
    const Ended ended = misbehaving("core-test-never-ends", "--timeout 0.5");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out,
                    "it passed, and then: its process did not end by itself, and was ended; destructors and "
                    "threads of the backend must not wait for each other when the process ends"))
        << ended.out;
}

TEST(Judging, a_line_of_another_where_reports_are_read_is_the_row_s) {
    for (const std::string row : {"core-test-writes-a-report", "core-test-writes-half-a-report"}) {
        const Ended ended = misbehaving("core-test-passes," + row + ",core-test-zzz-is-last");
        EXPECT_EQ(ended.code, 1);
        EXPECT_TRUE(has(ended.out, "ok 1 - core-test-passes\nnot ok 2 - " + row + "\n")) << ended.out;
        EXPECT_TRUE(has(ended.out, "where the judge reads reports: write to no descriptor that is not yours")) << row;
        EXPECT_TRUE(has(ended.out, "ok 3 - core-test-zzz-is-last\n")) << ended.out;
        EXPECT_EQ(ended.err.find("json.exception"), std::string::npos) << ended.err;
    }
}

TEST(Judging, toothless_is_neither_green_nor_red_unless_asked) {
    Ended ended = misbehaving("core-test-toothless");
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-toothless # TODO toothless: nothing could go wrong\n"));
    ended = misbehaving("core-test-toothless", "--require-teeth");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-toothless\n"));
}

TEST(Judging, what_needs_more_devices_is_unsupported) {
    const Ended ended = misbehaving("core-test-with-two-devices");
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(has(ended.out, "# SKIP it has 1 device(s), and the row needs 2")) << ended.out;
}

TEST(Judging, a_demanded_row_that_cannot_run_is_not_green) {
    const std::string text = running::written("kernels", "this is no device code");
    const Ended ended = run(CONFORMANCE, "--rows 'exec-nothing-to-do,core-free' --kernels '" + text + "' " + cpu);
    EXPECT_EQ(ended.code, 3) << ended.err;
    EXPECT_TRUE(has(ended.out, "ok 1 - core-free\n"));
    EXPECT_TRUE(has(ended.out, "not ok 2 - exec-nothing-to-do\n"));
    EXPECT_TRUE(has(ended.out, "outcome: not_run"));
    EXPECT_TRUE(has(ended.out, "no test kernels: eagle_backend_sdk_module_load of")) << ended.out;
    EXPECT_TRUE(has(ended.out, "with --kernels"));
}

TEST(Judging, a_failure_counts_more_than_what_did_not_run) {
    const std::string text = running::written("kernels", "this is no device code");
    const Ended ended = misbehaving("core-test-fails,exec-nothing-to-do", "--kernels '" + text + "'");
    EXPECT_EQ(ended.code, 1);
}

TEST(Judging, kernels_may_be_named) {
    const Ended ended = run(CONFORMANCE, "--rows 'exec-nothing-to-do' --kernels '" KERNELS "' " + cpu);
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
}

struct Wrong {
    std::string arguments, words;
};

TEST(Usage, is_refused_by_words) {
    const Wrong wrongs[] = {
        {"", "found 0 files to judge, needed one"},
        {cpu + " " + cpu, "found 2 files to judge, needed one"},
        {"--nonsense " + cpu, "there is no option '--nonsense'"},
        {cpu + " --rows", "the option '--rows' needs a value"},
        {"--rows 'fork-nothing-like-it' " + cpu, "--rows: no row is named 'fork-nothing-like-it'"},
        {"--rows 'core-*,nope-*' " + cpu, "--rows: no row is named 'nope-*'"},
        {"--rows '' " + cpu, "--rows: no row is named ''"},
        {"--device -1 " + cpu, "--device is '-1'; it must be an ordinal, 0 or more"},
        {"--device x " + cpu, "--device is 'x'"},
        {"--device 3 " + cpu, "there is no device 3; the backend has 1, counted from 0"},
        {"--seed 1.5 " + cpu, "--seed is '1.5'; it must be a whole number, 0 or more"},
        {"--timeout 0 " + cpu, "--timeout is '0'; it must be a number of seconds, 0.001 to 1000000"},
        {"--timeout 4294967.5 " + cpu, "--timeout is '4294967.5'; it must be a number of seconds, 0.001 to 1000000"},
        {"--timeout inf " + cpu, "--timeout is 'inf'; it must be"},
        {"--timeout nan " + cpu, "--timeout is 'nan'; it must be"},
        {"--random 1 --seconds 1e300 " + cpu, "--seconds is '1e300'; it must be"},
        {"''", "file to judge is ''; it must be the name of a file"},
        {"--json '' " + cpu, "--json is ''; it must be the name of a file"},
        {"--kernels '' " + cpu, "--kernels is ''; it must be the name of a file"},
        {"--exclusions '' " + cpu, "--exclusions is ''; it must be the name of a file"},
        {"--exclusions / " + cpu, "--exclusions: cannot read '/', which is a folder"},
        {"--json / " + cpu, "--json: cannot write '/', which is a folder"},
        {"--kernels /nowhere/k " + cpu, "--kernels: there is no file '/nowhere/k'"},
        {"--json /nowhere/report.json --rows core-free " + cpu, "--json: cannot write '/nowhere/report.json'"},
        {"/nowhere/libeagle_x.so", "there is no file '/nowhere/libeagle_x.so'"},
        {"--list " + cpu, "is one too many"},
    };
    for (const Wrong& wrong : wrongs) {
        const Ended ended = run(CONFORMANCE, wrong.arguments);
        EXPECT_EQ(ended.code, 2) << wrong.arguments;
        EXPECT_TRUE(has(ended.err, wrong.words)) << wrong.arguments << "\n" << ended.err;
        EXPECT_TRUE(has(ended.err, "eagle-conformance: ")) << ended.err;
        EXPECT_EQ(ended.out, "") << wrong.arguments;  // nothing ran
    }
}

TEST(Usage, a_file_that_is_no_backend_is_told) {
    const std::string text = running::written("text", "no library");
    Ended ended = run(CONFORMANCE, "'" + text + "'");
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(has(ended.err, "does not load")) << ended.err;
    ended = run(CONFORMANCE, "'" KERNELS "'");
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(has(ended.err, "is no backend: it does not export eagle_backend_version (EBP-9)")) << ended.err;
}

TEST(Usage, help_version_and_list_answer) {
    EXPECT_TRUE(has(run(CONFORMANCE, "--help").out, "usage: eagle-conformance"));
    EXPECT_EQ(run(CONFORMANCE, "--help").code, 0);
    EXPECT_TRUE(has(run(CONFORMANCE, "--version").out, "eagle-conformance "));
    const Ended list = run(CONFORMANCE, "--list --rows 'core-*'");
    EXPECT_EQ(list.code, 0);
    EXPECT_TRUE(has(list.out, "core-free"));
    EXPECT_FALSE(has(list.out, "stream-create"));
}

}  // namespace
