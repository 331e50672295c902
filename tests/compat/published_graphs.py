"""libeagle_cpu under the core of the published package: captures, graphs, and forks in orders drawn from seeds."""

import os
import unittest
from collections.abc import Callable

import numpy as np

from eagle import _core
from program import Program, replay

SEEDS = 20


class Graphs(unittest.TestCase):
    """Captures, graphs and launchers."""

    def setUp(self) -> None:
        self.program = Program()
        self.plane = np.zeros(1, np.int64)

    def test_a_capture_runs_nothing_and_a_replay_runs_it(self) -> None:
        program, plane = self.program, self.plane
        launcher = program.launcher(lambda: [program.twice_and(add, plane) for add in (1, 2, 3)])
        self.assertEqual(plane[0], 0)
        replay(launcher)
        self.assertEqual(plane[0], 11)
        replay(launcher)
        self.assertEqual(plane[0], 8 * 11 + 11)
        self.assertEqual(launcher.kernel_node_count(), 0)

    def test_a_captured_is_consumed(self) -> None:
        captured = self.program.capture(lambda: self.program.twice_and(1, self.plane))
        _core.Graph.from_captured(captured)
        with self.assertRaisesRegex(ValueError, "already consumed"):
            _core.Graph.from_captured(captured)

    def test_an_empty_capture_makes_no_graph(self) -> None:
        captured = self.program.capture(lambda: None)
        with self.assertRaisesRegex(ValueError, "empty"):
            _core.Graph.from_captured(captured)

    def test_a_second_capture_on_the_thread_is_refused(self) -> None:
        other = _core.Stream()

        def record() -> None:
            with self.assertRaisesRegex(RuntimeError, "capture"):
                _core.StreamCapturer(other.ptr()).begin()
            self.program.twice_and(7, self.plane)

        replay(self.program.launcher(record))
        self.assertEqual(self.plane[0], 7)

    def test_captures_are_added_one_behind_another(self) -> None:
        program, plane = self.program, np.zeros(1000, np.int64)
        graph = _core.Graph()
        first = graph.last_node()
        for add in (1, 2, 3):
            graph.add_node(program.capture(lambda add=add: program.twice_and(add, plane, count=1000)))
        self.assertEqual(graph.last_node(), first + 3)
        graph.stream(program.raw)
        launcher = graph.launcher()
        self.assertEqual(launcher.kernel_node_count(), 3)
        replay(launcher)
        np.testing.assert_array_equal(plane, 11)
        launcher.set_logical_size(500)
        replay(launcher)
        # Blocks of 256: two of them.
        np.testing.assert_array_equal(plane[:512], 8 * 11 + 11)
        np.testing.assert_array_equal(plane[512:], 11)

    def test_a_captured_host_function_runs_at_each_replay(self) -> None:
        program, plane, seen = self.program, self.plane, []
        function = _core.HostFunc(lambda: seen.append(int(plane[0])))

        def record() -> None:
            program.twice_and(1, plane)
            function.enqueue(program.raw)
            program.twice_and(1, plane)

        launcher = program.launcher(record)
        self.assertEqual(seen, [])
        for _ in range(3):
            replay(launcher)
        self.assertEqual(seen, [1, 7, 31])


class Forks(unittest.TestCase):
    """Branches, marks and waits, in orders drawn from seeds."""

    def program_with(self, waits: int) -> tuple[Program, object]:
        program = Program()
        return program, _core.CaptureFork(program.raw, 2, waits=waits)

    def test_branches_follow_the_origin_and_the_origin_follows_them(self) -> None:
        plane, other = np.zeros(1, np.int64), np.zeros(1, np.int64)
        program, fork = self.program_with(0)
        self.assertEqual((fork.size(), fork.origin(), fork.forked()), (2, program.raw, False))

        def record(_: Program) -> None:
            program.twice_and(1, plane)
            fork.fork()
            self.assertTrue(fork.forked())
            program.twice_and(2, plane, fork.branch(0))
            program.twice_and(3, other, fork.branch(1))
            fork.join()
            program.twice_and(4, plane)

        self.assertEqual(self.on(program, record, plane), {2 * (2 * 1 + 2) + 4})

    def test_a_wait_is_an_edge_and_its_absence_shows(self) -> None:
        for waits, wanted in ((False, {17, 19}), (True, {17})):
            plane = np.zeros(1, np.int64)
            program, fork = self.program_with(1)

            def record(_: Program, program=program, fork=fork, plane=plane, waits=waits) -> None:
                fork.fork()
                program.twice_and(5, plane, fork.branch(0))
                mark = fork.mark(0)
                if waits:
                    fork.wait(1, mark)
                program.twice_and(7, plane, fork.branch(1))
                fork.join()

            self.assertEqual(self.on(program, record, plane), wanted)

    def test_what_is_wrong_is_told(self) -> None:
        program, fork = self.program_with(0)
        with self.assertRaises(IndexError):
            fork.branch(2)
        plane = np.zeros(1, np.int64)

        def record() -> None:
            fork.fork()
            program.twice_and(1, plane, fork.branch(1))

        with self.assertRaisesRegex(RuntimeError, "branch 1 of a fork of 2 was not joined"):
            program.capture(record)

    def on(self, program: Program, record: Callable[[Program], None], plane: np.ndarray) -> set[int]:
        """The results that twenty orders give."""
        found = set()
        graph = _core.Graph.from_captured(program.capture(lambda: record(program)))
        graph.stream(program.raw)
        for seed in range(SEEDS):
            os.environ["EAGLE_CPU_SCHEDULE"] = f"random:{seed}"
            launcher = graph.launcher()
            del os.environ["EAGLE_CPU_SCHEDULE"]
            plane[:] = 0
            replay(launcher)
            found.add(int(plane[0]))
        return found


if __name__ == "__main__":
    unittest.main()
