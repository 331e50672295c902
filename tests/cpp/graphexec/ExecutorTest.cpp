// An executor of kind cpu by hand: arena, capture, replay.
#include <eagle/hip/Graph.h>

#include "Recorded.h"

using namespace capture_test;

namespace {

eagle::Executor by_kind() { return eagle::Executor(cpu()); }

TEST(Executor, ReservesCommitsCapturesAndReplays) {
    Plane y{5};
    eagle::cpu::Graph graph;
    const eagle::ScratchRef first = graph.reserve(10), second = graph.reserve(8);
    EXPECT_EQ(first.offset, 0u);
    EXPECT_EQ(second.offset, 256u);
    EXPECT_EQ(graph.arena_bytes(), 264u);
    graph.finalize();
    EXPECT_EQ(graph.address(second), graph.address(first) + 256);
    EXPECT_EQ(*reinterpret_cast<const std::uint64_t*>(graph.address(second)), 0u);
    const auto record = [&](eagle::CaptureScope& scope) {
        twice_and(scope.stream(), y, 1);
        twice_and(scope.stream(), y, 3);
    };
    EXPECT_FALSE(graph.capture(record));
    EXPECT_EQ(y, Plane{5});
    graph.launch();
    graph.synchronize();
    EXPECT_EQ(y, Plane{25});
    eagle::cpu::Graph moved = std::move(graph);
    moved.launch();
    moved.synchronize();
    EXPECT_EQ(y, Plane{105});
    expect_thrown<eagle::BadHandle>([&] { graph.launch(); }, {"was moved from"});
}

TEST(Executor, TakesOverACaptureOfTheSameShapeAndMakesAnewWhatIsOfAnother) {
    Plane y{5}, z{1};
    eagle::cpu::Graph graph;
    graph.finalize();
    EXPECT_FALSE(graph.capture([&](eagle::CaptureScope& scope) { twice_and(scope.stream(), y, 1); }));
    EXPECT_TRUE(graph.capture([&](eagle::CaptureScope& scope) { twice_and(scope.stream(), z, 1); }));
    graph.launch();
    graph.synchronize();
    EXPECT_EQ(y, Plane{5});
    EXPECT_EQ(z, Plane{3});
    EXPECT_FALSE(graph.capture([&](eagle::CaptureScope& scope) {
        twice_and(scope.stream(), y, 1);
        twice_and(scope.stream(), z, 1);
    }));
    expect_thrown<eagle::LayoutError>(
        [&] { graph.capture([](eagle::CaptureScope&) { throw eagle::LayoutError("the cause"); }); }, {"the cause"});
    graph.launch();  // the one before stays
    graph.synchronize();
    EXPECT_EQ(y, Plane{11});
    EXPECT_EQ(z, Plane{7});
}

TEST(Executor, RefusesWhatComesInTheWrongOrder) {
    eagle::Executor graph = by_kind();
    const auto nothing = [](eagle::CaptureScope&) {};
    const eagle::ScratchRef room = graph.reserve(8);
    expect_thrown<eagle::InvalidArgument>([&] { (void)graph.address(room); }, {"no address yet", "finalize()"});
    expect_thrown<eagle::InvalidArgument>([&] { graph.capture(nothing); }, {"not committed", "finalize()"});
    expect_thrown<eagle::BadHandle>([&] { graph.launch(); }, {"nothing was captured", "capture()"});
    expect_thrown<eagle::InvalidArgument>([&] { (void)graph.reserve(8, 24); }, {"aligned to 24", "power of two"});
    expect_thrown<eagle::OutOfMemory>([&] { (void)graph.reserve(~std::uint64_t{0}); }, {"64 bits"});
    graph.finalize();
    expect_thrown<eagle::InvalidArgument>([&] { graph.finalize(); }, {"committed already", "once"});
    expect_thrown<eagle::InvalidArgument>([&] { (void)graph.reserve(8); }, {"is committed, with 8 bytes"});
    expect_thrown<eagle::InvalidArgument>([&] { (void)graph.address({8, 1}); }, {"not of this arena"});
}

TEST(Executor, AnArenaThatDoesNotFitIsNamedByItsBytes) {
    eagle::Executor graph = by_kind();
    (void)graph.reserve(std::uint64_t{1} << 60);
    expect_thrown<eagle::OutOfMemory>([&] { graph.finalize(); }, {"1152921504606846976 bytes"});
}

TEST(Executor, OfAKindThatIsNotThereSaysSo) {
    expect_thrown<eagle::BackendUnavailable>([] { eagle::hip::Graph graph; }, {"hip"});
}

}  // namespace
