// The random programs themselves: what the oracle works out, that no program has two results, and what the mode tells
// of a backend that is not as the oracle says.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>

#include "Interleaved.h"
#include "Options.h"
#include "ReadFacts.h"
#include "TestKernels.h"
#include "random/Generate.h"
#include "random/Oracle.h"
#include "random/RandomMode.h"
#include "random/Shrink.h"
#include "random/Watch.h"

using namespace eagle::conformance;
using namespace eagle::conformance::random;

namespace {

constexpr Abilities all{true, true, true, true, true, true, true};

Statement mix(std::uint32_t to, std::uint32_t from, std::uint64_t k) {
    Statement s;
    s.to = to;
    s.from = from;
    s.k = k;
    return s;
}

Statement conditional(Do what, std::uint32_t from, Decision decision, std::vector<Block> blocks) {
    Statement s;
    s.what = what;
    s.from = from;
    s.decision = decision;
    s.blocks = std::move(blocks);
    return s;
}

// One conditional over planes of one word, of which p0 is 5 and p1 is 1000003 at first.
State after_one(const Statement& s) {
    Program program{2, 1, 1, {s}};
    State state = first_state(program);
    state.planes[0][0] = 5;
    state.planes[1][0] = 1000003;
    eagle::conformance::random::run(program, state);
    return state;
}

TEST(Oracle, does_simple_statements_word_by_word) {
    Program program{3, 2, 0, {mix(0, 1, 7)}};
    Statement copy = mix(2, 0, 0), fill = mix(1, 0, 1), host = mix(1, 0, 4);
    copy.what = Do::copy;
    fill.what = Do::fill;
    host.what = Do::host;
    program.block.insert(program.block.end(), {copy, fill, host});
    State state;
    state.planes = {{1, 2}, {10, 20}, {0, 0}};
    eagle::conformance::random::run(program, state);
    EXPECT_EQ(state.planes[0], (std::vector<std::uint64_t>{3 * 1 + 5 * 10 + 7, 3 * 2 + 5 * 20 + 7}));
    EXPECT_EQ(state.planes[2], state.planes[0]);
    EXPECT_EQ(state.planes[1], (std::vector<std::uint64_t>{7 * 0 + 4, 7 * 20 + 4}));
}

TEST(Oracle, counts_the_turns_of_a_while) {
    Statement note = mix(1, 0, 0);
    note.what = Do::note;
    auto loop = [&](Decision d) {
        d.modulus = 6;
        return after_one(conditional(Do::loop, 0, d, {{note}}));
    };
    const std::uint64_t turns_3 = 27 * std::uint64_t(1000003) + 9 * 0 + 3 * 1 + 2;
    Decision d;
    d.cap = 3;  // the count is 5
    EXPECT_EQ(loop(d).planes[1][0], turns_3);
    EXPECT_EQ(loop(d).cells, (std::vector<std::uint32_t>{2, 0, 0, 3, 9, 0}));
    d.cap = 0xffffffff;
    d.has_limit = true;
    d.limit = 3;
    EXPECT_EQ(loop(d).planes[1][0], turns_3);
    EXPECT_EQ(loop(d).cells, (std::vector<std::uint32_t>{2, 0, 0xfffffffc, 3, 9, 3}));
    d.has_limit = false;
    d.has_break = true;
    d.break_at = 2;
    EXPECT_EQ(loop(d).planes[1][0], turns_3);
    EXPECT_EQ(loop(d).cells[CellsOf::brk], 1u);
    d.has_break = false;
    d.has_baseline = true;
    d.baseline = 2;
    EXPECT_EQ(loop(d).planes[1][0], turns_3);
    d.is_negated = true;
    EXPECT_EQ(loop(d).planes[1][0], 1000003u);
}

TEST(Oracle, chooses_arms) {
    auto chosen = [](Do what, std::uint32_t modulus, std::size_t arms, bool is_negated) {
        Decision d;
        d.modulus = modulus;
        d.is_negated = is_negated;
        std::vector<Block> blocks;
        for (std::size_t i = 0; i < arms; ++i) blocks.push_back({mix(1, 0, i)});
        return after_one(conditional(what, 0, d, blocks)).planes[1][0];
    };
    constexpr std::uint64_t none = 1000003, first = 3 * none + 25;
    EXPECT_EQ(chosen(Do::one_arm, 3, 1, false), first);  // 5 % 3 is 2
    EXPECT_EQ(chosen(Do::one_arm, 3, 1, true), none);
    EXPECT_EQ(chosen(Do::one_arm, 5, 1, false), none);
    EXPECT_EQ(chosen(Do::two_arms, 5, 2, false), first + 1);
    EXPECT_EQ(chosen(Do::two_arms, 5, 2, true), first);
    EXPECT_EQ(chosen(Do::one_of_many, 3, 3, false), first + 2);
    EXPECT_EQ(chosen(Do::one_of_many, 6, 4, false), none);  // 5 of 4 arms
}

TEST(Generate, gives_the_same_program_for_a_seed) {
    std::set<std::string> texts;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        texts.insert(text_of(generate(seed, all)));
        EXPECT_EQ(text_of(generate(seed, all)), text_of(generate(seed, all)));
    }
    EXPECT_EQ(texts.size(), 100u);
}

TEST(Generate, uses_nothing_that_the_backend_has_not) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Program bare = generate(seed, {});
        EXPECT_FALSE(holds(bare.block, [](const Statement& s) {
            return s.what == Do::fork || is_conditional(s.what) || s.what == Do::fill || s.what == Do::host;
        })) << seed;
        Abilities some = all;
        some.marks = some.if_else = some.switches = false;
        EXPECT_FALSE(holds(generate(seed, some).block, [](const Statement& s) {
            return s.what == Do::mark || s.what == Do::wait || s.what == Do::two_arms || s.what == Do::one_of_many;
        })) << seed;
    }
}

TEST(Generate, makes_programs_of_one_result) {
    std::size_t forks = 0, conditionals = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Program program = generate(seed, all);
        forks += holds(program.block, [](const Statement& s) { return s.what == Do::fork; });
        conditionals += program.conditionals;
        State wanted = first_state(program);
        eagle::conformance::random::run(program, wanted);
        for (std::uint64_t order = 0; order < 4; ++order) {
            State found = first_state(program);
            run_interleaved(program, order, found);
            ASSERT_EQ(difference(found, wanted), "") << seed << " in order " << order << "\n" << text_of(program);
        }
    }
    EXPECT_GT(forks, 100u);
    EXPECT_GT(conditionals, 400u);
}

TEST(Shrink, leaves_what_the_failure_needs) {
    auto has_fill = [](const Program& p) {
        return holds(p.block, [](const Statement& s) { return s.what == Do::fill; });
    };
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Program whole = generate(seed, all);
        if (!has_fill(whole)) continue;
        const Program part = shrink(whole, 10000, has_fill);
        ++found;
        EXPECT_TRUE(has_fill(part)) << seed;
        for (std::size_t n = 0; n < size_of(part.block); ++n) {
            const auto smaller = without(part, n);
            EXPECT_FALSE(smaller && has_fill(*smaller)) << seed << ", statement " << n << "\n" << text_of(part);
        }
    }
    EXPECT_GT(found, 10u);
}

TEST(Shrink, keeps_marks_and_the_last_work_of_a_body) {
    Statement mark, wait;
    mark.what = Do::mark;
    wait.what = Do::wait;
    Statement fork;
    fork.what = Do::fork;
    fork.blocks = {{mix(0, 0, 1), mark}, {wait, mix(1, 0, 1)}};
    const Program program{2, 1, 1, {mix(0, 1, 1), conditional(Do::one_arm, 0, {}, {{fork, mix(0, 0, 2)}})}};
    // In the order of the text: mix, if, fork, mix, mark, wait, mix, mix
    const bool may_go[] = {true, true, true, true, false, false, true, false};
    ASSERT_EQ(size_of(program.block), std::size(may_go));
    for (std::size_t n = 0; n < std::size(may_go); ++n) EXPECT_EQ(bool(without(program, n)), may_go[n]) << n;
    EXPECT_FALSE(without(Program{1, 1, 0, {mix(0, 0, 1)}}, 0));
    EXPECT_FALSE(without(program, 8));
}

// On libeagle_cpu.
struct Backend {
    Seam seam = open_seam(EAGLE_CPU_BACKEND);
    TestKernels kernels{seam, EAGLE_TEST_KERNELS, 0};
    Facts facts = read_facts(seam, kernels, EAGLE_TEST_KERNELS, 0);
    std::ostringstream out;
    Verdict verdict(const Plan& plan, const Oracle& oracle) {
        return run_programs(seam, facts, kernels, plan, oracle, out);
    }
};

TEST(RandomMode, agrees_with_the_oracle_in_several_threads) {
    Backend backend;
    Plan plan;
    plan.programs = 200;
    plan.seed = 7;
    plan.threads = 4;
    EXPECT_EQ(backend.verdict(plan, &eagle::conformance::random::run), Verdict::agreed) << backend.out.str();
    EXPECT_NE(backend.out.str().find("# 200 programs from seed 7 on"), std::string::npos) << backend.out.str();
}

TEST(RandomMode, a_wrong_oracle_is_told_with_seed_and_program_and_its_smallest_part) {
    Backend backend;
    Plan plan;
    plan.programs = 1000;
    plan.threads = 2;
    auto wrong = [](const Program& program, State& state) {
        Program other = program;
        for (Statement& s : other.block) {
            if (s.what == Do::fill) s.k = 0;
        }
        eagle::conformance::random::run(other, state);
    };
    ASSERT_EQ(backend.verdict(plan, wrong), Verdict::differed);
    const std::string told = backend.out.str();
    const auto part = told.find("# the smallest part that fails: ");
    EXPECT_NE(told.find("not ok 1 - random programs: the program of seed "), std::string::npos) << told;
    EXPECT_NE(told.find("(again: --random 1 --seed "), std::string::npos) << told;
    EXPECT_NE(told.find(", wanted "), std::string::npos) << told;
    ASSERT_NE(part, std::string::npos) << told;
    EXPECT_NE(told.find("planes p0.. of"), std::string::npos) << told;
    // What remains is the fill alone.
    const std::string lines = told.substr(part);
    EXPECT_NE(lines.find(") = 0\n"), std::string::npos) << told;
    EXPECT_LE(std::count(lines.begin(), lines.end(), '\n'), 4) << told;
}

// What the process says in its last moments.
std::string last_words(void (*dies)(), int signal) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        watch_signals();
        now_running(0, "# program of seed 5: one\n");
        now_running(3, "# program of seed 6: two\n");
        now_running(4, "gone");
        now_running(4, "");
        dies();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    for (char c; read(ends[0], &c, 1) == 1;) text += c;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    return text;
}

TEST(RandomMode, a_crash_names_the_programs_that_run) {
    EXPECT_EQ(last_words([] { std::abort(); }, SIGABRT),
              "# the process ends by a signal (06) while these programs run:\n# program of seed 5: one\n# program of "
              "seed 6: two\n");
    EXPECT_NE(last_words([] { raise(SIGSEGV); }, SIGSEGV).find("signal (11)"), std::string::npos);
}

// Why a command line is refused; "" where it is not.
std::string refusal(std::vector<std::string> words) {
    words.insert(words.begin(), "eagle-conformance");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    try {
        read_options(static_cast<int>(words.size()), argv.data());
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(RandomMode, its_options_are_checked) {
    EXPECT_EQ(refusal({"--random", "5", "--threads", "64", "--seconds", "2.5", "file"}), "");
    EXPECT_EQ(refusal({"--random", "0", "--seconds", "1", "file"}), "");
    EXPECT_EQ(refusal({"--random", "0", "file"}), "--random 0 goes on without end; bound it with --seconds");
    EXPECT_EQ(refusal({"--random", "-1", "file"}),
              "--random is '-1'; it must be a number of programs, 0 for as many as --seconds allows");
    EXPECT_EQ(refusal({"--random", "5", "--threads", "65", "file"}), "--threads is '65'; it must be 1 to 64");
    EXPECT_EQ(refusal({"--random", "5", "--threads", "0", "file"}), "--threads is '0'; it must be 1 to 64");
    EXPECT_EQ(refusal({"--random", "5", "--seconds", "0", "file"}),
              "--seconds is '0'; it must be a number of seconds, 0.001 to 1000000");
    EXPECT_EQ(refusal({"--threads", "2", "file"}),
              "--threads and --seconds are of the random programs; add --random N");
    for (const char* other : {"--rows", "--json", "--exclusions"}) {
        EXPECT_EQ(refusal({"--random", "5", other, "x", "file"}),
                  "--random runs no rows; leave out --rows, --list, --json and --exclusions");
    }
}

// A backend whose streams are not there: the exit code says that nothing was run, and the words say why.
TEST(RandomMode, what_is_absent_is_named) {
    Facts facts = Backend().facts;
    EXPECT_EQ(absent_for_programs(facts), "");
    facts.present[static_cast<std::size_t>(Symbol::memcpy)] = false;
    facts.capabilities &= ~EAGLE_BACKEND_CAP_LAUNCHER;
    EXPECT_EQ(absent_for_programs(facts), "memcpy, launcher_launch, launcher_synchronize");
}

}  // namespace
