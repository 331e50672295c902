"""libeagle_cpu under the core of the published package: loading, launches, copies, host functions."""

import os
import threading
import unittest

import numpy as np

from eagle import _core
from program import Call, Program, at


class Loads(unittest.TestCase):
    """What the published core reads of the file."""

    def test_every_group_is_bound(self) -> None:
        found = _core.cuda_backend()
        self.assertTrue(found["loaded"], found)
        self.assertEqual(found["path"], os.environ["EAGLE_BACKEND_CUDA"])
        self.assertEqual(found["version"], "1.7")
        self.assertEqual(found["device_types"], [1])
        self.assertEqual(found["build_info"]["backend_kind"], "cpu")
        self.assertEqual(found["build_info"]["struct_size"], 192)
        self.assertEqual(found["build_info"]["cudart_version"], 0)
        self.assertEqual(len(found["groups"]), 12)
        self.assertEqual({group: why for group, why in found["groups"].items() if why}, {})
        for bit in (_core.CAP_CONDITIONAL_IF_ELSE, _core.CAP_CONDITIONAL_SWITCH):
            self.assertTrue(found["capabilities"] & bit)

    def test_symbols_bound_by_themselves_are_found(self) -> None:
        names = "memcpy memcpy_device memset_device host_alloc host_free host_func pointer_residency"
        more = "reorder_device reset_device capturer_graph fork_mark fork_wait conditional_arm_stream conditional_nodes"
        last = "capture_add_child launcher_set_kernel_params launcher_set_memcpy_source launcher_exec_update"
        for name in f"{names} {more} {last}".split():
            self.assertTrue(_core.backend_has(f"eagle_backend_{name}"), name)

    def test_the_device_is_the_host(self) -> None:
        props = _core.device_props(0)
        self.assertEqual(props["sm_count"], len(os.sched_getaffinity(0)))
        self.assertTrue(props["name"])
        self.assertEqual(props["peak_bytes_per_s"], 0)  # not measured before it is asked for
        with self.assertRaisesRegex(ValueError, "device is 1; kind cpu has devices 0 to 0"):
            _core.device_props(1)


class Launches(unittest.TestCase):
    """Streams, launches, copies and memory."""

    def test_a_partition_is_told_as_it_is(self) -> None:
        stream = _core.Stream()
        index, samples = np.full(1000, -1), np.full(1000, -1)
        call = Call("told", index, samples)
        self.assertEqual(call.launch(stream.ptr(), count=600, base=300, n_samples=5000), 1)
        stream.synchronize()
        inside = np.arange(300, 900)
        np.testing.assert_array_equal(index[300:900], inside)
        np.testing.assert_array_equal(samples[300:900], 5000)
        self.assertTrue((index[:300] == -1).all() and (index[900:] == -1).all())
        self.assertEqual(call.launch(stream.ptr(), count=0), 0)

    def test_a_null_kernel_is_refused(self) -> None:
        with self.assertRaisesRegex(Exception, "null"):
            _core.run_device(0, [], _core.Partition.whole(3))

    def test_every_direction_copies(self) -> None:
        stream = _core.Stream()
        source = np.arange(100.0)
        for kind in (_core.COPY_H2D, _core.COPY_D2H, _core.COPY_D2D, _core.COPY_H2H):
            target = np.zeros(100)
            _core.memcpy(at(target), at(source), source.nbytes, kind, stream.ptr())
            stream.synchronize()
            np.testing.assert_array_equal(target, source)
        target = np.zeros(100)
        _core.memcpy_device(at(target, 10), at(source), 80, stream.ptr())
        stream.synchronize()
        np.testing.assert_array_equal(target[10:20], source[:10])
        self.assertEqual(target[20], 0)
        with self.assertRaises(ValueError):
            _core.memcpy(at(target), at(source), 8, 7, stream.ptr())

    def test_pinned_memory_is_plain_memory(self) -> None:
        address = _core.host_alloc(800)
        self.assertNotEqual(address, 0)
        self.assertEqual(_core.pointer_residency(address), 0)
        source, target = np.arange(100), np.zeros(100, np.int64)
        _core.memcpy(address, at(source), 800, _core.COPY_H2H)
        _core.memcpy(at(target), address, 800, _core.COPY_H2H)
        _core.host_free(address)
        np.testing.assert_array_equal(target, source)
        self.assertEqual(_core.host_alloc(0), 0)
        _core.host_free(0)

    def test_a_fence_of_another_device_type_is_refused_by_name(self) -> None:
        a, b = _core.Stream(), _core.Stream()
        with self.assertRaisesRegex(_core.BackendUnavailable, "does not serve DLPack device type 2"):
            _core.fence(a.ptr(), b.ptr())
        self.assertGreaterEqual(_core.event_pool_created(), 0)

    def test_a_host_function_runs_in_its_place(self) -> None:
        program = Program()
        plane = np.zeros(1, np.int64)
        seen, ran_on = [], []
        done = threading.Event()

        def look() -> None:
            seen.append(int(plane[0]))
            ran_on.append(threading.get_ident())
            done.set()

        function = _core.HostFunc(look)
        program.twice_and(1, plane)
        function.enqueue(program.raw)
        program.twice_and(1, plane)
        program.stream.synchronize()
        self.assertTrue(done.wait(10))
        self.assertEqual((seen, int(plane[0])), ([1], 3))


if __name__ == "__main__":
    unittest.main()
