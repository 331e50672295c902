// The backend's own list of what it does not pass.
#include <gtest/gtest.h>

#include "Running.h"

using running::Ended;
using running::run;

namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

Ended with(const std::string& exclusions, const std::string& rows, const std::string& backend = CPU_BACKEND) {
    const std::string file = running::written("exclusions.json", exclusions);
    return run(MISBEHAVING, "--exclusions '" + file + "' --rows '" + rows + "' '" + backend + "'");
}

TEST(Exclusions, an_expected_failure_is_no_failure) {
    const Ended ended =
        with(R"({"expected_failure": {"core-test-fails": "to be repaired", "core-test-crashes": "so is this"}})",
             "core-test-fails,core-test-crashes,core-test-passes");
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, "not ok 2 - core-test-fails # TODO to be repaired\n"));
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-crashes # TODO so is this\n"));
    EXPECT_TRUE(has(ended.out, "outcome: expected_failure"));
    EXPECT_TRUE(has(ended.out, "ok 3 - core-test-passes\n"));
}

TEST(Exclusions, an_unexpected_pass_is_one) {
    const Ended ended = with(R"({"expected_failure": {"core-test-pass*": "was so once"}})", "core-test-passes");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(has(ended.out, "not ok 1 - core-test-passes\n"));
    EXPECT_TRUE(has(ended.out, "outcome: unexpected_pass"));
    EXPECT_TRUE(has(ended.out, "the exclusions expect a failure: was so once"));
}

TEST(Exclusions, unsupported_holds_where_the_backend_does_not_provide_it) {
    const Ended ended = with(R"({"unsupported": {"stream-*": "no streams here"}})", "stream-create", NULL_BACKEND);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(has(ended.out, "# SKIP eagle_backend_stream_create is not exported: no streams here")) << ended.out;
}

TEST(Exclusions, unsupported_hides_nothing_that_is_provided) {
    const Ended ended = with(R"({"unsupported": {"stream-create": "too hard"}})", "stream-create");
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(
        has(ended.err, "unsupported: 'stream-create' cannot be excluded, since the backend provides all it needs"))
        << ended.err;
}

TEST(Exclusions, bad_entries_are_refused_by_name) {
    const std::pair<std::string, std::string> wrongs[] = {
        {"[]", "is no JSON object"},
        {"{", "is no JSON object"},
        {"{\n \"unsupported\": {},\n}", "is no JSON object: parse error at line 3, column 1"},
        {R"({"skipped": {}})", "'skipped' is no section; there are 'unsupported' and 'expected_failure'"},
        {R"({"expected_failure": []})", "expected_failure must be an object of row: reason"},
        {R"({"expected_failure": {"core-nothing": "x"}})", "no row is named 'core-nothing'"},
        {R"({"expected_failure": {"core-free": ""}})", "'core-free' has no reason"},
        {R"({"expected_failure": {"core-free": " "}})", "'core-free' has no reason"},
        {R"({"expected_failure": {"core-free": 3}})", "'core-free' has no reason"},
        {R"({"expected_failure": {"core-free": "a", "core-fre*": "b"}})",
         "'core-free' names core-free, which another entry names too"},
        {R"({"expected_failure": {"core-free": "a", "core-free": "b"}})", "'core-free' stands twice in one object"},
        {R"({"unsupported": {}, "expected_failure": {}, "unsupported": {"core-free": "b"}})",
         "'unsupported' stands twice in one object"},
        {R"({"expected_failure": {"core-free": "a"}, "unsupported": {"core-free": "b"}})",
         "core-free stands in both sections"},
    };
    for (const auto& [text, words] : wrongs) {
        const Ended ended = with(text, "core-test-passes");
        EXPECT_EQ(ended.code, 2) << text;
        EXPECT_TRUE(has(ended.err, words)) << text << "\n" << ended.err;
    }
    const Ended ended = run(CONFORMANCE, "--exclusions /nowhere/e.json '" CPU_BACKEND "'");
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(has(ended.err, "--exclusions: cannot read '/nowhere/e.json'"));
}

}  // namespace
