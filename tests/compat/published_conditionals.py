"""libeagle_cpu under the core of the published package: conditional nodes."""

import unittest
from collections.abc import Callable

import numpy as np

from eagle import _core
from program import Program, at, cell, replay


class Conditionals(unittest.TestCase):
    """Bodies that run as their cells say at each replay."""

    def setUp(self) -> None:
        self.program = Program()
        self.plane = np.zeros(1, np.int64)

    def one(self, conditional: object, arms: int = 1) -> Callable[[], int]:
        """A graph of one conditional whose arm k does plane = 2 plane + k + 1; a replay from 0 gives what ran."""

        def record() -> None:
            self.assertEqual(conditional.begin(), conditional.body_stream())
            for k in range(arms):
                self.program.twice_and(k + 1, self.plane, conditional.arm_stream(k))
            conditional.end()

        launcher = self.program.launcher(record)

        def run() -> int:
            self.plane[:] = 0
            replay(launcher)
            return int(self.plane[0])

        return run

    def test_if(self) -> None:
        count, baseline = cell(), cell(5)
        run = self.one(_core.CaptureConditional(self.program.raw, at(count), at(baseline)))
        for value in (0, 4, 5, 6):
            count[0] = value
            self.assertEqual(run(), 0 if value == 5 else 1)

    def test_if_negated(self) -> None:
        count = cell()
        run = self.one(_core.CaptureConditional(self.program.raw, at(count), negate=True))
        for value in (0, 1):
            count[0] = value
            self.assertEqual(run(), 1 - value)

    def test_if_else(self) -> None:
        count = cell()
        run = self.one(_core.CaptureConditional(self.program.raw, at(count), kind="if_else"), arms=2)
        for value in (0, 3):
            count[0] = value
            self.assertEqual(run(), 1 if value else 2)

    def test_switch(self) -> None:
        count = cell()
        run = self.one(_core.CaptureConditional(self.program.raw, at(count), kind="switch", arms=3), arms=3)
        for value in (0, 1, 2, 3, 99):
            count[0] = value
            self.assertEqual(run(), value + 1 if value < 3 else 0)

    def test_while_runs_to_its_cap_and_counts(self) -> None:
        for cap in (1, 2, 7):
            count, counter = cell(1), cell(77, 2)
            conditional = _core.CaptureConditional(self.program.raw, at(count), loop_cap=cap, counter_ptr=at(counter))
            self.assertTrue(conditional.is_loop())
            run = self.one(conditional)
            self.assertEqual(run(), 2**cap - 1)
            self.assertEqual(counter.tolist(), [0, cap])
            count[0] = 0
            self.assertEqual(run(), 0)
            self.assertEqual(counter.tolist(), [cap, 0])

    def test_while_stops_at_its_limit_and_at_a_break(self) -> None:
        program, plane = self.program, self.plane
        count, counter, limit, brk = cell(1), cell(0, 2), cell(3), cell(9)
        conditional = _core.CaptureConditional(
            program.raw,
            at(count),
            loop_cap=_core.LOOP_UNCAPPED,
            counter_ptr=at(counter),
            limit_ptr=at(limit),
            brk_ptr=at(brk),
        )
        breaks = cell(0)

        def record() -> None:
            body = conditional.begin()
            program.twice_and(1, plane, body)
            _core.memcpy_device(at(brk), at(breaks), 4, body)
            conditional.end()
            self.assertEqual(len(conditional.setter_nodes()), 2)
            self.assertEqual(len(conditional.body_nodes()), 3)

        launcher = program.launcher(record)
        replay(launcher)
        self.assertEqual((int(plane[0]), int(counter[1])), (7, 3))
        breaks[0] = 1
        plane[:] = 0
        replay(launcher)
        self.assertEqual((int(plane[0]), int(counter[1])), (1, 1))

    def test_one_inside_another(self) -> None:
        program, plane = self.program, self.plane
        count, counter, inner_count = cell(1), cell(0, 2), cell(0)
        outer = _core.CaptureConditional(program.raw, at(count), loop_cap=4, counter_ptr=at(counter))
        # From the third turn on: `ran` is 0 in the first.
        inner = _core.CaptureConditional(outer.body_stream(), at(counter, 1), at(inner_count))

        def record() -> None:
            body = outer.begin()
            program.twice_and(1, plane, body)
            stream = inner.begin()
            program.twice_and(100, plane, stream)
            inner.end()
            outer.end()

        replay(program.launcher(record))
        wanted = 0
        for ran in range(4):
            wanted = 2 * wanted + 1
            if ran != 0:
                wanted = 2 * wanted + 100
        self.assertEqual(plane[0], wanted)

    def test_an_empty_body_is_refused(self) -> None:
        conditional = _core.CaptureConditional(self.program.raw, at(cell(1)))

        def record() -> None:
            conditional.begin()
            with self.assertRaisesRegex(ValueError, "empty"):
                conditional.end()
            self.program.twice_and(1, self.plane, conditional.body_stream())
            conditional.end()

        self.program.capture(record)

    def test_a_switch_without_arms_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            _core.CaptureConditional(self.program.raw, at(cell()), kind="switch", arms=0)


if __name__ == "__main__":
    unittest.main()
