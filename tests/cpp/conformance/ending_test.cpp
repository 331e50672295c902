// Backends that end the process in a call: the report survives them, with the exit status that is documented.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "Running.h"

using running::Ended;
using running::run;

namespace {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// `set` is the environment, "NAME=value".
Ended with(const std::string& set, const std::string& arguments) {
    return run("/usr/bin/env", set + " '" CONFORMANCE "' " + arguments + " '" ENDING_BACKEND "'");
}

// Five times: what two threads do first is chance, and a row that leaves it to chance passes one of them.
TEST(RowsApart, fences_that_order_nothing_fail_every_row_of_orders_every_time) {
    for (const std::string row :
         {"interop-fence-orders", "interop-fence-default-stream", "interop-fence-of-released-streams",
          "interop-order-of-kernels-and-copies", "interop-order-of-host-functions"}) {
        for (int turn = 0; turn < 5; ++turn) {
            const Ended ended = with("ENDING_FENCES=none EAGLE_CPU_THREADS=4", "--rows " + row);
            EXPECT_EQ(ended.code, 1) << row << ", turn " << turn << ended.out << ended.err;
            EXPECT_TRUE(has(ended.out, "not ok 1 - " + row + "\n")) << ended.out;
        }
    }
}

TEST(RandomApart, a_backend_that_comes_back_agrees) {
    const Ended ended = with("ENDING_STREAM_CREATE=not", "--random 5 --seed 3 --threads 2");
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, "ok 1 - random programs\n# 5 programs from seed 3 on")) << ended.out;
}

TEST(RandomApart, a_process_that_ends_in_a_program_is_a_failure_with_its_text) {
    const std::pair<std::string, std::string> ways[] = {
        {"exit", "exit status 0"}, {"_exit", "exit status 0"}, {"abort", "signal 6 (Aborted)"}};
    for (const auto& [way, words] : ways) {
        const Ended ended = with("ENDING_STREAM_CREATE=" + way, "--random 5 --seed 3");
        EXPECT_EQ(ended.code, 1) << way << ended.out << ended.err;
        EXPECT_TRUE(has(ended.out, "not ok 1 - random programs: their process ended in the middle: " + words))
            << ended.out;
        EXPECT_TRUE(has(ended.out, "# program of seed ")) << ended.out;
        EXPECT_TRUE(has(ended.out, "planes p0.. of")) << ended.out;
    }
}

TEST(RandomApart, a_program_that_does_not_end_is_a_failure_with_its_text) {
    const Ended ended = with("ENDING_STREAM_CREATE=hang", "--random 5 --seed 3 --timeout 0.5");
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_TRUE(has(ended.out, "# this program does not come to an end:\n# program of seed 3:")) << ended.out;
    EXPECT_TRUE(has(ended.out, "not ok 1 - random programs: one takes longer than --timeout\n")) << ended.out;
}

TEST(RandomApart, what_a_backend_does_at_the_end_is_its_own) {
    const Ended ended = with("ENDING_STREAM_CREATE=trap", "--random 5 --seed 3");
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_TRUE(has(ended.out, "the process did not end well: exit status 7")) << ended.out;
    const Ended lingering = with("ENDING_STREAM_CREATE=linger", "--random 5 --seed 3 --timeout 0.5");
    EXPECT_EQ(lingering.code, 1) << lingering.err;
    EXPECT_TRUE(has(lingering.out,
                    "the process did not end well: it did not end within 0.5 seconds and was killed; look "
                    "at what the backend does when its process exits, or give it more time with "
                    "--timeout\n"))
        << lingering.out;
}

TEST(RandomApart, a_file_that_ends_the_process_that_opens_it_does_not_load) {
    for (const std::string way : {"exit", "_exit", "abort"}) {
        const Ended ended = with("ENDING_LOAD=" + way, "--random 5");
        EXPECT_EQ(ended.code, 2) << way << ended.out;
        EXPECT_TRUE(has(ended.err, "the process that opened it gave no answer: ")) << ended.err;
    }
}

constexpr const char* loading_hint =
    "look at what the backend does in its constructors and its first calls, or give it more time with --timeout";

TEST(RandomApart, a_file_whose_loading_does_not_end_does_not_load) {
    const Ended ended = with("ENDING_LOAD=hang", "--random 5 --timeout 0.5");
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_TRUE(has(ended.err,
                    "ending_backend.so: the process that opened it gave no answer: its loading did not end "
                    "within 0.5 seconds and was killed; "))
        << ended.err;
    EXPECT_TRUE(has(ended.err, loading_hint)) << ended.err;
}

TEST(RowsApart, a_file_whose_loading_does_not_end_does_not_load) {
    const Ended ended = with("ENDING_LOAD=hang", "--rows core-free --timeout 0.5");
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_EQ(ended.out, "");
    EXPECT_TRUE(has(
        ended.err,
        std::string("ending_backend.so: its loading did not end within 0.5 seconds and was ended; ") + loading_hint))
        << ended.err;
}

TEST(RandomApart, an_interrupt_reaches_the_programs_and_then_ends_the_judge) {
    const Ended ended =
        run("/usr/bin/timeout", "--foreground -s INT 1 /usr/bin/env ENDING_STREAM_CREATE=hang '" CONFORMANCE
                                "' --random 5 --seed 3 '" ENDING_BACKEND "'");
    EXPECT_EQ(ended.code, 124) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, "# the process ends by a signal (02) while these programs run:\n# program of seed 3:"))
        << ended.out;
}

TEST(RowsApart, a_row_whose_process_ends_fails_by_name) {
    for (const std::string way : {"exit", "_exit", "abort", "write"}) {
        const Ended ended = with("ENDING_STREAM_CREATE=" + way, "--rows 'core-free,stream-create'");
        EXPECT_EQ(ended.code, 1) << way << ended.err;
        EXPECT_TRUE(has(ended.out, "ok 1 - core-free\nnot ok 2 - stream-create\n")) << ended.out;
    }
}

TEST(RowsApart, a_line_without_end_is_not_kept) {
    const Ended ended = with("ENDING_STREAM_CREATE=flood", "--timeout 50 --rows stream-create");
    EXPECT_EQ(ended.code, 1) << ended.err;
    EXPECT_TRUE(has(ended.out, "its process wrote \\\"xxxxxxxx")) << ended.out;
    EXPECT_LT(ended.out.size(), 2000u);
}

// Gone, or waiting to be collected.
bool is_gone(const std::string& id) {
    std::ifstream stat("/proc/" + id + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z" || state == "X";
}

// That the process goes of which the backend wrote the number.
void expect_gone(const std::string& file) {
    std::string id;
    std::ifstream(file) >> id;
    ASSERT_FALSE(id.empty());
    for (int i = 0; i < 250 && !is_gone(id); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(is_gone(id)) << id;
}

TEST(RowsApart, what_a_backend_started_ends_with_it) {
    const std::string left = running::place("left");
    const Ended ended =
        with("ENDING_LEFT='" + left + "' ENDING_STREAM_CREATE=leave", "--timeout 5 --rows stream-create");
    expect_gone(left);
}

TEST(RowsApart, an_interrupt_of_the_judge_ends_the_worker) {
    const std::string left = running::place("hanging");
    const Ended ended = run("/usr/bin/timeout", "--foreground -s INT 2 /usr/bin/env ENDING_LEFT='" + left +
                                                    "' ENDING_STREAM_CREATE=hang '" CONFORMANCE
                                                    "' --rows stream-create '" ENDING_BACKEND "'");
    EXPECT_EQ(ended.code, 124) << ended.out << ended.err;
    expect_gone(left);
}

TEST(RowsApart, a_file_that_changes_meanwhile_is_refused) {
    const std::string copy = running::place("copy.so");
    std::filesystem::copy_file(ENDING_BACKEND, copy, std::filesystem::copy_options::overwrite_existing);
    const std::string report = running::place("report");
    const Ended ended =
        run("/usr/bin/env", "ENDING_STREAM_CREATE=append '" CONFORMANCE "' --rows 'core-*,stream-create' --json '" +
                                report + "' '" + copy + "'");
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_TRUE(has(ended.err, "'" + copy + "' was changed while it was judged")) << ended.err;
    EXPECT_TRUE(has(ended.err, "judge a copy that nobody writes")) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(report));
}

TEST(RowsApart, a_file_that_is_no_library_is_not_read_to_its_end) {
    const std::string file = running::written("large.so", "no library");
    std::filesystem::resize_file(file, std::uintmax_t{1} << 40);  // a hole
    const Ended ended = run("/usr/bin/timeout", "30 '" CONFORMANCE "' '" + file + "'");
    std::filesystem::remove(file);
    EXPECT_EQ(ended.code, 2) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.err, "does not load")) << ended.err;
}

TEST(RowsApart, a_line_of_another_instead_of_the_first_answer_is_told_in_words) {
    const Ended ended = with("ENDING_LOAD=write", "--rows core-free");
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(has(ended.err, "its process wrote \"a debug line\" where the judge reads reports")) << ended.err;
    EXPECT_FALSE(has(ended.err, "json.exception")) << ended.err;
}

}  // namespace
