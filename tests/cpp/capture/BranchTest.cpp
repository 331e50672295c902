// Forks and conditionals, through libeagle on kind cpu.
#include "Recorded.h"

using namespace capture_test;
using eagle::CaptureScope;
using eagle::Conditional;
using eagle::ConditionalCells;
using eagle::ConditionalKind;
using eagle::Fork;
using eagle::Launcher;
using eagle::NativeGraph;
using eagle::Stream;

namespace {

void replay(CaptureScope& scope, const Stream& stream, int times = 1) {
    NativeGraph graph(scope.end());
    Launcher launcher(graph, stream.native());
    for (int i = 0; i < times; ++i) launcher.launch();
    launcher.synchronize();
}

TEST(Branches, GoSideBySideAndWaitForMarks) {
    Plane y{1}, z{1};
    Stream stream(cpu());
    Fork fork(cpu(), 0, stream.native(), 2, 1);
    EXPECT_EQ(fork.size(), 2u);
    EXPECT_EQ(fork.origin(), stream.native());
    EXPECT_FALSE(fork.is_forked());
    CaptureScope scope(stream);
    fork.fork();
    EXPECT_TRUE(fork.is_forked());
    twice_and(fork.branch(0), y, 1);
    const std::uint64_t mark = fork.mark(0);
    twice_and(fork.branch(1), z, 5);
    fork.wait(1, mark);
    twice_and(fork.branch(1), y, 10);  // behind the mark alone
    fork.join();
    replay(scope, stream);
    EXPECT_EQ(y, Plane{16});
    EXPECT_EQ(z, Plane{7});
}

TEST(Branches, OutOfRangeAreRefused) {
    Stream stream(cpu());
    const Fork fork(cpu(), 0, stream.native(), 2);
    expect_thrown<eagle::IndexError>([&] { (void)fork.branch(2); }, {"fork_branch", "branch 2 of a fork of 2"});
}

ConditionalCells loop(std::uint32_t& guard, std::uint32_t* counter) {
    ConditionalCells cells;
    cells.kind = ConditionalKind::while_;
    cells.guard = at(guard);
    cells.counter = at(*counter);
    cells.cap = eagle::uncapped;
    return cells;
}

TEST(Loops, RunToTheirLimitAndSayWhichTurnItIs) {
    Plane y{0};
    std::uint32_t guard = 1, limit = 5, counter[2] = {};
    Stream stream(cpu());
    ConditionalCells cells = loop(guard, counter);
    cells.limit = at(limit);
    Conditional conditional(cpu(), 0, stream.native(), cells);
    EXPECT_TRUE(conditional.is_loop());
    CaptureScope scope(stream);
    add_cell(conditional.begin(), y, counter[1]);
    conditional.end();
    EXPECT_EQ(conditional.setters().size(), 2u);
    EXPECT_EQ(conditional.nodes(0).size(), 2u);  // the kernel, and the one that sets the guard anew
    replay(scope, stream, 2);
    EXPECT_EQ(y, Plane{20});  // 0 + 1 + 2 + 3 + 4, twice
    EXPECT_EQ(counter[1], 5u);
}

TEST(Loops, LookAtOtherCellsWhenTheirLauncherSaysSo) {
    Plane y{0};
    std::uint32_t guard = 1, other = 1, limit = 5, counter[2] = {}, counter2[2] = {};
    Stream stream(cpu());
    ConditionalCells cells = loop(guard, counter);
    cells.limit = at(limit);
    Conditional conditional(cpu(), 0, stream.native(), cells);
    CaptureScope scope(stream);
    twice_and(conditional.begin(), y, 1);
    conditional.end();
    const std::uint64_t node = eagle::captured_nodes(cpu(), scope.stream()).back();
    NativeGraph graph(scope.end());
    Launcher launcher(graph, stream.native());
    cells = loop(other, counter2);
    cells.cap = 2;
    launcher.set_conditional(node, cells);
    guard = 0;
    launcher.launch();
    launcher.synchronize();
    EXPECT_EQ(y, Plane{3});
    EXPECT_EQ(counter2[1], 2u);
}

TEST(Switches, RunTheArmOfTheirCell) {
    std::uint32_t cell = 0;
    Plane y{1};
    Stream stream(cpu());
    ConditionalCells cells;
    cells.kind = ConditionalKind::switch_;
    cells.guard = at(cell);
    cells.arms = 3;
    Conditional conditional(cpu(), 0, stream.native(), cells);
    EXPECT_FALSE(conditional.is_loop());
    CaptureScope scope(stream);
    (void)conditional.begin();
    for (std::uint64_t arm = 0; arm < 3; ++arm)
        twice_and(conditional.stream(arm), y, static_cast<std::int64_t>(arm * 10));
    conditional.end();
    NativeGraph graph(scope.end());
    Launcher launcher(graph, stream.native());
    for (cell = 0; cell < 4; ++cell) {
        launcher.launch();
        launcher.synchronize();
    }
    EXPECT_EQ(y, Plane{48});  // 1 -> 2 -> 14 -> 48, and nothing for arm 3
}

TEST(Conditionals, BadOnesAreRefusedByTheBackendsWords) {
    std::uint32_t cell = 0;
    Stream stream(cpu());
    ConditionalCells cells;
    expect_thrown<eagle::InvalidArgument>([&] { Conditional(cpu(), 0, stream.native(), cells); },
                                          {"conditional_create", "count_ptr"});
    cells.guard = at(cell);
    Conditional conditional(cpu(), 0, stream.native(), cells);
    expect_thrown<eagle::IndexError>([&] { (void)conditional.stream(1); }, {"conditional_arm_stream", "arm 1"});
    CaptureScope scope(stream);
    (void)conditional.begin();
    expect_thrown<eagle::InvalidArgument>([&] { conditional.end(); }, {"conditional_end", "is empty"});
}

}  // namespace
