"""libeagle_cpu under the core of the published package: nodes by their handles, and filtering against NumPy."""

import unittest

import numpy as np

from eagle import _core
from program import Program, at, cell, replay


class Attribution(unittest.TestCase):
    """Nodes by their handles."""

    def setUp(self) -> None:
        self.program = Program()
        self.plane = np.zeros(1, np.int64)

    def test_nodes_are_switched_and_changed(self) -> None:
        program, plane = self.program, self.plane
        source, other, target = np.array([5]), np.array([6]), np.zeros(1, np.int64)
        snapshots: list[list[int]] = []

        def record() -> None:
            for step in (lambda: program.twice_and(1, plane), lambda: program.twice_and(2, plane)):
                step()
                snapshots.append(_core.capture_snapshot_nodes(program.raw))
            _core.memcpy(at(target), at(source), 8, _core.COPY_D2D, program.raw)
            snapshots.append(_core.capture_snapshot_nodes(program.raw))

        launcher = program.launcher(record)
        self.assertEqual([len(nodes) for nodes in snapshots], [1, 2, 3])
        first, second, copy = snapshots[-1]
        self.assertEqual(snapshots[0], [first])
        self.assertTrue(all(_core.is_node_toggleable(node) for node in (first, second, copy)))
        replay(launcher)
        self.assertEqual((int(plane[0]), int(target[0])), (4, 5))

        launcher.set_node_enabled(second, False)
        launcher.set_memcpy_source(copy, at(other))
        replay(launcher)
        self.assertEqual((int(plane[0]), int(target[0])), (9, 6))
        launcher.set_node_enabled(second, True)
        # This core gives no sizes of arguments, so their storage is read when the work runs, and must live as long.
        more = np.array([100])
        launcher.set_kernel_params(second, [at(more), 0])
        plane[:] = 0
        replay(launcher)
        self.assertEqual(plane[0], 2 * 1 + 100)

    def test_conditional_nodes_are_not_switched(self) -> None:
        program = self.program
        conditional = _core.CaptureConditional(program.raw, at(cell(1)))
        nodes: list[int] = []

        def record() -> None:
            body = conditional.begin()
            program.twice_and(1, self.plane, body)
            conditional.end()
            nodes.extend(_core.capture_snapshot_nodes(program.raw))

        kept = program.capture(record)
        self.assertFalse(_core.is_node_toggleable(nodes[-1]))
        del kept
        with self.assertRaisesRegex(RuntimeError, "died with its graph"):
            _core.is_node_toggleable(nodes[-1])

    def test_an_exec_takes_a_capture_of_the_same_shape(self) -> None:
        program, plane = self.program, self.plane
        launcher = program.launcher(lambda: program.twice_and(1, plane))
        self.assertTrue(launcher.try_exec_update(program.capture(lambda: program.twice_and(9, plane))))
        replay(launcher)
        self.assertEqual(plane[0], 9)
        longer = program.capture(lambda: [program.twice_and(9, plane) for _ in range(2)])
        self.assertFalse(launcher.try_exec_update(longer))
        replay(launcher)
        self.assertEqual(plane[0], 2 * 9 + 9)

    def test_a_foreign_graph_is_one_child(self) -> None:
        program, other, plane = self.program, Program(), self.plane
        capturer = _core.StreamCapturer(other.raw)
        capturer.begin()
        child = capturer.graph()
        other.twice_and(5, plane, other.raw)
        kept = capturer.end()
        self.assertNotEqual(child, 0)

        def record() -> None:
            program.twice_and(1, plane)
            _core.capture_add_child(program.raw, child)
            self.assertEqual(len(_core.capture_snapshot_nodes(program.raw)), 2)

        replay(program.launcher(record))
        self.assertIsNotNone(kept)
        self.assertEqual(plane[0], 2 * 1 + 5)


class Filtering(unittest.TestCase):
    """Compaction, reorder and reset against NumPy."""

    def compacted(self, mask: np.ndarray, flags: int = 0, **trigger: int | float) -> tuple[np.ndarray, int]:
        stream = _core.Stream()
        n = len(mask)
        index_map, count = np.full(n, -1, np.int32), cell(99)
        scratch = np.zeros(_core.compact_device(at(mask), at(index_map), at(count), 0, n, stream.ptr()), np.uint8)
        left = _core.compact_device(
            at(mask), at(index_map), at(count), at(scratch), n, stream.ptr(), flags=flags, **trigger
        )
        stream.synchronize()
        self.assertEqual(left, 0)
        return index_map, int(count[0])

    def test_kept_samples_come_in_ascending_order(self) -> None:
        draw = np.random.default_rng(1)
        for n in (1, 31, 32, 33, 255, 4097, 100_000):
            for share in (0.0, 0.3, 1.0):
                mask = (draw.random(n) < share).astype(np.uint8)
                for flags in (0, 1):
                    wanted = np.flatnonzero((mask == 0) if flags else (mask != 0))
                    index_map, count = self.compacted(mask, flags)
                    self.assertEqual(count, len(wanted))
                    np.testing.assert_array_equal(index_map[:count], wanted)
                    self.assertTrue((index_map[count:] == -1).all())

    def test_the_trigger_and_the_reorder_behind_it(self) -> None:
        draw = np.random.default_rng(2)
        n = 10_000
        mask = (draw.random(n) < 0.2).astype(np.uint8)
        planes = [mask.copy(), draw.random(n), draw.integers(0, 99, n).astype(np.int16)]
        live32, span, fire = cell(0), cell(n), cell(7)
        index_map, count_found = self.compacted(planes[0], live32=at(live32), span=at(span), fire=at(fire), theta=0.5)
        kept = np.flatnonzero(mask)
        groups = len(set((kept // 32).tolist()))
        self.assertEqual((int(live32[0]), int(fire[0])), (groups, int(len(kept) < 0.5 * 32 * groups)))
        self.assertEqual(fire[0], 1)

        perm, inv, count = np.arange(n, dtype=np.int32), np.arange(n, dtype=np.int32), cell(count_found)
        rows = [(at(plane), plane.itemsize) for plane in planes]
        wanted = [np.concatenate([plane[mask != 0], plane[mask == 0]]) for plane in planes]
        order = np.concatenate([kept, np.flatnonzero(mask == 0)])
        stream = _core.Stream()
        arguments = (rows, at(planes[0]), at(perm), at(inv), at(index_map), at(count), at(span), at(fire))
        scratch = np.zeros(_core.reorder_device(*arguments, 0, n, stream.ptr()), np.uint8)
        self.assertEqual(_core.reorder_device(*arguments, at(scratch), n, stream.ptr()), 0)
        stream.synchronize()
        for plane, right in zip(planes, wanted, strict=True):
            np.testing.assert_array_equal(plane, right)
        np.testing.assert_array_equal(perm, order)
        np.testing.assert_array_equal(perm[inv], np.arange(n))
        np.testing.assert_array_equal(index_map[: len(kept)], np.arange(len(kept)))
        self.assertEqual((int(count[0]), int(span[0]), int(fire[0])), (len(kept), len(kept), 0))

        _core.reset_device(at(perm), at(inv), at(index_map), at(count), at(span), n, stream.ptr())
        stream.synchronize()
        for array in (perm, inv, index_map):
            np.testing.assert_array_equal(array, np.arange(n))
        self.assertEqual((int(count[0]), int(span[0])), (n, n))

    def test_a_compaction_is_captured_and_reads_its_mask_at_each_replay(self) -> None:
        program = Program()
        n = 1000
        mask, index_map, count = np.zeros(n, np.uint8), np.zeros(n, np.int32), cell(0)
        scratch = np.zeros(_core.compact_device(at(mask), at(index_map), at(count), 0, n, program.raw), np.uint8)
        launcher = program.launcher(
            lambda: _core.compact_device(at(mask), at(index_map), at(count), at(scratch), n, program.raw)
        )
        for step in (3, 7):
            mask[:] = 0
            mask[::step] = 1
            replay(launcher)
            np.testing.assert_array_equal(index_map[: count[0]], np.arange(0, n, step))


if __name__ == "__main__":
    unittest.main()
