// Edges of forks, each with the edge and without it: y = 2 y + 5, then y = 2 y + 7. The first is put behind work that
// takes long, so that the second overtakes it where nothing holds it.
#include "Race.h"

using namespace eagle::conformance;

namespace {

constexpr std::int64_t in_order = 2 * 5 + 7;

enum class Edge { none, wanted };

struct Scene {
    Context& c;
    StreamHandle stream;
    Plane y, busy;
    Fork two;
    explicit Scene(Context& row)
        : c(row), stream(row), y(row, Words{0}), busy(row, Words{0}), two(make_fork(row, stream.raw(), 2, 1)) {}
    void first(std::uint64_t on) {
        occupy(c, on, busy);
        twice_and(c, on, 5, y);
    }
    void second(std::uint64_t on) { twice_and(c, on, 7, y); }
    std::set<std::int64_t> run(Recording& recording, int replays = 24) {
        const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
        return results(c, launcher, y, replays);
    }
};

// A wait for a mark, or none.
std::set<std::int64_t> by_mark(Context& c, Edge edge) {
    Scene s(c);
    Recording recording(c, s.stream.raw());
    fork(c, s.two);
    s.first(branch(c, s.two, 0));
    std::uint64_t mark = 0;
    ROW_OK(c, c.seam.fork_mark(s.two.get(), 0, &mark));
    if (edge == Edge::wanted) ROW_OK(c, c.seam.fork_wait(s.two.get(), 1, mark));
    s.second(branch(c, s.two, 1));
    join(c, s.two);
    return s.run(recording);
}

// The origin's work before the fork, or behind it.
std::set<std::int64_t> by_fork(Context& c, Edge edge) {
    Scene s(c);
    Recording recording(c, s.stream.raw());
    if (edge == Edge::none) fork(c, s.two);
    s.first(s.stream.raw());
    if (edge == Edge::wanted) fork(c, s.two);
    s.second(branch(c, s.two, 1));
    join(c, s.two);
    return s.run(recording);
}

// The origin's work behind the join, or before it.
std::set<std::int64_t> by_join(Context& c, Edge edge) {
    Scene s(c);
    Recording recording(c, s.stream.raw());
    fork(c, s.two);
    s.first(branch(c, s.two, 1));
    if (edge == Edge::wanted) join(c, s.two);
    s.second(s.stream.raw());
    if (edge == Edge::none) join(c, s.two);
    return s.run(recording);
}

// A mark made behind the work that matters, or before it: what a wait waits for is the tip at the mark's time.
std::set<std::int64_t> by_place_of_mark(Context& c, Edge edge) {
    Scene s(c);
    Recording recording(c, s.stream.raw());
    fork(c, s.two);
    std::uint64_t mark = 0;
    if (edge == Edge::none) ROW_OK(c, c.seam.fork_mark(s.two.get(), 0, &mark));
    s.first(branch(c, s.two, 0));
    if (edge == Edge::wanted) ROW_OK(c, c.seam.fork_mark(s.two.get(), 0, &mark));
    ROW_OK(c, c.seam.fork_wait(s.two.get(), 1, mark));
    s.second(branch(c, s.two, 1));
    join(c, s.two);
    return s.run(recording);
}

}  // namespace

EAGLE_ROW("fork-edge-of-a-mark", .covers = {Symbol::fork_mark, Symbol::fork_wait},
          .needs = {Symbol::fork_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    judge_edge(c, by_mark(c, Edge::wanted), by_mark(c, Edge::none), in_order, "the wait for the mark");
}

EAGLE_ROW("fork-edge-from-the-origin", .covers = {Symbol::fork_fork},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    judge_edge(c, by_fork(c, Edge::wanted), by_fork(c, Edge::none), in_order, "the edge from the origin");
}

EAGLE_ROW("fork-edge-to-the-origin", .covers = {Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    judge_edge(c, by_join(c, Edge::wanted), by_join(c, Edge::none), in_order, "the edge to the origin");
}

EAGLE_ROW("fork-edge-is-the-tip-at-the-mark", .covers = {Symbol::fork_mark, Symbol::fork_wait},
          .needs = {Symbol::fork_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    judge_edge(c, by_place_of_mark(c, Edge::wanted), by_place_of_mark(c, Edge::none), in_order, "work before the mark");
}
