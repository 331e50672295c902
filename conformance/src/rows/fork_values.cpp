// Branches: what they compute, however they are put together.
#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("fork-branches-follow-the-origin-and-it-follows-them",
          .covers = {Symbol::fork_create, Symbol::fork_fork, Symbol::fork_join, Symbol::fork_branch,
                     Symbol::fork_release},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0, 0}), z(c, Words{0, 0});
    const Fork two = make_fork(c, stream.raw(), 2);
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    fork(c, two);
    twice_and(c, branch(c, two, 0), 2, y);
    twice_and(c, branch(c, two, 1), 3, z);
    join(c, two);
    Launch(c, "conformance_gather").with(z.pointer()).with(y.pointer()).over(2).on(stream.raw()).run();
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    std::int64_t wanted_y = 0, wanted_z = 0;
    for (int i = 0; i < 4; ++i) {
        replay(c, launcher);
        wanted_z = after(wanted_z, {3});
        wanted_y = after(wanted_y, {1, 2}) + wanted_z;
        ROW_EQ(c, y.download(), Words(2, wanted_y));
        ROW_EQ(c, z.download(), Words(2, wanted_z));
    }
}

EAGLE_ROW("fork-wide", .covers = {Symbol::fork_fork, Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    constexpr std::int64_t branches = 64;
    StreamHandle stream(c);
    Plane y(c, Words(branches, 1));
    const Fork wide = make_fork(c, stream.raw(), branches);
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 0, y);
    fork(c, wide);
    for (std::int64_t i = 0; i < branches; ++i) {
        Launch(c, "conformance_twice_and")
            .with(i)
            .with(y.pointer())
            .over(1, i)
            .on(branch(c, wide, std::uint64_t(i)))
            .run();
    }
    join(c, wide);
    twice_and(c, stream.raw(), 7, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    Words wanted(branches, 1);
    for (int round = 0; round < 3; ++round) {
        replay(c, launcher);
        for (std::int64_t i = 0; i < branches; ++i) {
            wanted[std::size_t(i)] = after(wanted[std::size_t(i)], {0, i, 7});
        }
        ROW_EQ(c, y.download(), wanted);
    }
}

EAGLE_ROW("fork-used-again-and-nested", .covers = {Symbol::fork_fork, Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0}), other(c, Words{0});
    const Fork outer = make_fork(c, stream.raw(), 2);
    const Fork inner = make_fork(c, branch(c, outer, 1), 3);
    Recording recording(c, stream.raw());
    for (int round = 0; round < 2; ++round) {
        fork(c, outer);
        twice_and(c, branch(c, outer, 0), 9, other);
        twice_and(c, branch(c, outer, 1), 1, y);
        fork(c, inner);
        twice_and(c, branch(c, inner, 2), 2, y);
        join(c, inner);
        twice_and(c, branch(c, outer, 1), 3, y);
        join(c, outer);
        twice_and(c, stream.raw(), 4, y);
    }
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    for (int i = 0; i < 5; ++i) {
        y.set(0, 0);
        other.set(0, 0);
        replay(c, launcher);
        ROW_EQ(c, y.at(0), after(0, {1, 2, 3, 4, 1, 2, 3, 4}));
        ROW_EQ(c, other.at(0), after(0, {9, 9}));
    }
}

EAGLE_ROW("fork-branches-without-work", .covers = {Symbol::fork_fork, Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Fork three = make_fork(c, stream.raw(), 3);
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    fork(c, three);
    join(c, three);
    twice_and(c, stream.raw(), 2, y);
    replay(c, launcher_of(c, as_it_is(c, recording.end()), stream.raw()));
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("fork-outlived-by-its-edges", .covers = {Symbol::fork_release, Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Fork two = make_fork(c, stream.raw(), 2);
    Recording recording(c, stream.raw());
    fork(c, two);
    twice_and(c, branch(c, two, 1), 1, y);
    join(c, two);
    twice_and(c, stream.raw(), 2, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    two.reset();
    replay(c, launcher);
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("fork-marks-make-no-nodes", .covers = {Symbol::fork_mark, Symbol::fork_wait},
          .needs = {Symbol::fork_create, Symbol::capture_snapshot_nodes}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Fork two = make_fork(c, stream.raw(), 2, 1);
    Recording recording(c, stream.raw());
    fork(c, two);
    twice_and(c, branch(c, two, 0), 1, y);
    std::uint64_t mark = 77;
    ROW_OK(c, c.seam.fork_mark(two.get(), 0, &mark));
    ROW_EQ(c, mark, 0u);
    ROW_OK(c, c.seam.fork_wait(two.get(), 1, mark));
    twice_and(c, branch(c, two, 1), 2, y);
    join(c, two);
    ROW_EQ(c, nodes_so_far(c, stream.raw()).size(), 2u);
    const Captured captured = recording.end();
}
