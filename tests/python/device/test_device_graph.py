"""Graphs whose planes lie on the simulated device."""

import gc
import subprocess
import threading
import weakref

import numpy as np
import pytest
from device_kernels import Stream, up
from parts import Part
from programs import command, environment

import eagle


def nothing(*_):
    """What a recording returns that has no results."""


def test_a_graph_of_device_arrays_runs_there_and_gives_them_back():
    x, y = up(np.arange(4.0)), eagle.empty(4, device="sim:0")

    @eagle.graph
    def recording(g, x, y):
        g.copy(x, into=y)
        g.fill(x, 7.5)
        largest = g.reduce("max", y)
        return y, largest

    built = recording.build(x, y)
    assert built.backend == "sim"
    result, largest = built()
    assert result is y
    assert isinstance(largest, eagle.DeviceArray)
    assert largest.device == "sim:0"
    np.testing.assert_array_equal(y.to_host(), np.arange(4.0))
    np.testing.assert_array_equal(x.to_host(), np.full(4, 7.5))
    np.testing.assert_array_equal(largest.to_host(), [3.0])
    built()
    np.testing.assert_array_equal(largest.to_host(), [7.5])


def test_copies_go_every_way():
    there, also = up(np.zeros(3), "sim:1"), up(np.zeros(3), "sim:1")
    source, pinned, back = np.array([1.0, 2.0, 4.0]), eagle.pinned(3, backend="sim"), np.zeros(3)

    @eagle.graph
    def recording(g, source, there, also, pinned, back):
        g.copy(source, into=pinned)
        g.copy(pinned, into=there)
        g.copy(there, into=also)
        g.copy(also, into=back)

    built = recording.build(source, there, also, pinned, back)
    built()
    built.synchronize()
    np.testing.assert_array_equal(back, [1.0, 2.0, 4.0])
    source[:] = [3.0, 5.0, 9.0]
    built()
    built.synchronize()
    np.testing.assert_array_equal(back, [3.0, 5.0, 9.0])
    assert built.backend == "sim"


def test_arrays_of_another_library_are_planes_without_a_copy():
    memory = up(np.arange(6.0).reshape(2, 3))
    row, column = Part(memory, 1), Part(memory, (slice(None), 0))

    @eagle.graph
    def recording(g, row, column):
        total = g.reduce("sum", column)
        g.fill(row, 2.0)
        return row, column, total

    built = recording.build(row, column)
    result, same, total = built()
    assert result is row
    assert same is column
    np.testing.assert_array_equal(total.to_host(), [0.0 + 3.0])
    np.testing.assert_array_equal(memory.to_host(), [[0.0, 1.0, 2.0], [2.0, 2.0, 2.0]])
    assert (row.taken_back, column.taken_back) == (0, 0)
    del built, result, same, total
    gc.collect()
    assert (row.taken_back, column.taken_back) == (1, 1)


def test_a_read_only_array_of_another_library_is_not_written():
    x = Part(up(np.zeros(2)), flags=1)
    with pytest.raises(eagle.BufferRefused, match="read-only"):
        eagle.graph(lambda g, x: nothing(g.fill(x, 1.0))).build(x)


def test_a_view_of_a_plane_comes_back_as_an_array_of_the_device():
    x = up(np.arange(6.0))
    built = eagle.graph(lambda g, x: (g.fill(x[2:4], 9.0), x[2:4])[1]).build(x)
    view = built()
    del built
    gc.collect()
    assert isinstance(view, eagle.DeviceArray)
    np.testing.assert_array_equal(view.to_host(), [9.0, 9.0])
    np.testing.assert_array_equal(x.to_host(), [0.0, 1.0, 9.0, 9.0, 4.0, 5.0])
    every_other = eagle.graph(lambda g, x: (g.fill(x, 1.0), x[::2])[1]).build(x)()
    with pytest.raises(eagle.LayoutError, match="not dense"):
        every_other.to_host()


def test_control_flow_is_decided_there():
    n, flag, arm = up(np.array([2], np.uint32)), up(np.array([0], np.uint32)), up(np.array([1], np.uint32))
    last, x, y, z = up(np.full(1, 77, np.uint32)), up(np.zeros(2)), up(np.zeros(2)), up(np.zeros(2))

    @eagle.graph
    def recording(g, n, flag, arm, last, x, y, z):
        with g.repeat(5, limit=n) as loop:
            g.copy(loop.iteration, into=last)
        with g.if_(flag) as branch:
            with branch.then:
                g.fill(x, 1.0)
            with branch.otherwise:
                g.fill(x, 2.0)
        with g.switch(arm, 2) as arms:
            with arms[0]:
                g.fill(y, 1.0)
            with arms[1]:
                g.fill(y, 2.0)
        with g.while_(arm, cap=9):
            g.fill(z, 4.0)
            g.fill(arm, 0)

    built = recording.build(n, flag, arm, last, x, y, z)
    built()
    assert [a.to_host()[0] for a in (x, y, z)] == [2.0, 2.0, 4.0]
    flag.assign(np.array([1], np.uint32))
    built()
    assert [a.to_host()[0] for a in (x, y)] == [1.0, 1.0]
    assert arm.to_host() == [0]
    assert last.to_host() == [1]


def test_reductions_and_compaction():
    x, mask = up(np.array([3.0, 1.0, 2.0])), up(np.array([True, False, True]))

    @eagle.graph
    def recording(g, x, mask):
        kept, count = g.compact(mask)
        return {"sum": g.reduce("sum", x), "all": g.reduce("all", mask), "kept": kept, "count": count}

    got = {name: array.to_host().tolist() for name, array in recording.build(x, mask)().items()}
    assert got["sum"] == [6.0]
    assert got["all"] == [False]
    assert got["count"] == [2]
    assert got["kept"][:2] == [0, 2]


def test_host_functions_stand_between_copies():
    x, away = up(np.arange(3.0)), np.zeros(3)

    @eagle.graph
    def recording(g, x, away):
        g.copy(x, into=away)
        g.host(lambda: np.multiply(away_array, 10.0, out=away_array), reads=[away], writes=[away])
        g.copy(away, into=x)

    away_array = away
    built = recording.build(x, away)
    built.launch(2)
    built.synchronize()
    np.testing.assert_array_equal(x.to_host(), [0.0, 100.0, 200.0])


def test_what_a_host_function_raises_comes_at_the_next_call():
    x, away = up(np.zeros(1)), np.zeros(1)

    def fail():
        raise ZeroDivisionError("told later")

    @eagle.graph
    def recording(g, x, away):
        g.copy(x, into=away)
        g.host(fail, reads=[away])

    built = recording.build(x, away)
    built()
    with pytest.raises(ZeroDivisionError, match="told later"):
        built.synchronize()
    built()
    with pytest.raises(ZeroDivisionError, match="told later"):
        built.synchronize()


def test_a_graph_ends_while_its_host_function_waits_for_python():
    x, away, entered = up(np.zeros(1)), np.zeros(1), threading.Event()

    @eagle.graph
    def recording(g, x, away):
        g.copy(x, into=away)
        g.host(entered.set, reads=[away])
        g.fill(x, 5.0)

    built = recording.build(x, away)
    built()
    del built  # waits for the device without the GIL
    assert entered.is_set()
    np.testing.assert_array_equal(x.to_host(), [5.0])


def test_what_is_on_the_device_at_the_end_of_the_process_is_done():
    program = """
        import time
        import numpy as np
        import eagle

        x, away = eagle.zeros(4, device="sim:0"), np.zeros(4)

        def slow():
            time.sleep(0.1)
            print("told", flush=True)
            raise ValueError("told at the end")

        @eagle.graph
        def recording(g, x, away):
            g.copy(x, into=away)
            g.host(slow, reads=[away])

        built = recording.build(x, away)
        built()
    """
    ended = subprocess.run(command(program), env=environment(), capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "told\n")
    assert "ValueError: told at the end" in ended.stderr


@pytest.mark.parametrize("in_a_cycle", [False, True])
def test_its_arrays_live_until_its_replays_are_done(in_a_cycle):
    order, away = [], np.zeros(1 << 16)

    def told():
        order.append("done")

    @eagle.graph
    def recording(g, source, away, function):
        there = g.scratch(1 << 16)
        g.copy(source, into=there)
        g.copy(there, into=away)
        g.host(function, reads=[away])
        return g.reduce("max", there)

    source = np.full(1 << 16, 3.0)
    weakref.finalize(source, order.append, "gone")
    built = recording.build(source, away, told, backend="sim")
    if in_a_cycle:
        told.built = built  # the graph's own function refers to it
    largest = built()  # keeps the graph's memory
    del built, source, recording, told
    gc.collect()
    assert order == ["done", "gone"]
    np.testing.assert_array_equal(largest.to_host(), [3.0])


def test_results_outlive_their_graph():
    x = up(np.arange(3.0))
    result = eagle.graph(lambda g, x: g.reduce("sum", x)).build(x)()
    gc.collect()
    np.testing.assert_array_equal(result.to_host(), [3.0])
    capsule = result.__dlpack__(max_version=(1, 0))
    del result
    gc.collect()
    del capsule


def test_a_launch_goes_behind_a_stream_and_the_stream_behind_it():
    x, y = up(np.zeros(1 << 16)), up(np.zeros(1 << 16))
    copies = eagle.graph(lambda g, x, y: nothing(g.copy(x, into=y))).build(x, y)
    fills = eagle.graph(lambda g, x: nothing(g.fill(x, 3.0))).build(x)
    clears = eagle.graph(lambda g, y: nothing(g.fill(y, 8.0))).build(y)
    with Stream() as other:
        assert fills.launch(stream=other) is fills
        copies.launch(2, stream=other.ptr)
        other.synchronize()
        np.testing.assert_array_equal(y.to_host(), np.full(1 << 16, 3.0))
        clears.launch(1, other)
        other.synchronize()
        np.testing.assert_array_equal(y.to_host(), np.full(1 << 16, 8.0))


@pytest.mark.parametrize("wrong", ["main", -1, True, 1.5])
def test_what_is_no_stream_is_refused(wrong):
    built = eagle.graph(lambda g, x: nothing(g.fill(x, 3.0))).build(up(np.zeros(1)))
    with pytest.raises(TypeError, match=r"launch\(\) needs a raw handle"):
        built.launch(stream=wrong)
    with pytest.raises(RuntimeError, match="0x1e240"):
        built.launch(stream=123456)


def test_new_arrays_are_bound():
    x, y, z, back = up(np.ones(2)), up(np.zeros(2)), up(np.full(2, 4.0)), np.zeros(2)

    @eagle.graph
    def recording(g, x, y, back):
        g.copy(x, into=y)
        g.copy(y, into=back)
        return y

    built = recording.build(x, y, back)
    assert built() is y
    assert built.bind(x=z)() is y
    np.testing.assert_array_equal(y.to_host(), [4.0, 4.0])
    other = up(np.zeros(2))
    assert built.bind(x=Part(x), y=other)() is other
    built.synchronize()
    np.testing.assert_array_equal(other.to_host(), [1.0, 1.0])
    np.testing.assert_array_equal(back, [1.0, 1.0])
    with pytest.raises(eagle.BufferRefused, match=r"plane 'x' .* in host memory; it needs one in sim:0"):
        built.bind(x=np.zeros(2))
    with pytest.raises(eagle.BufferRefused, match="in sim:1; it needs one in sim:0"):
        built.bind(x=up(np.zeros(2), "sim:1"))
    with pytest.raises(eagle.BufferRefused, match="in sim:0; it needs one in host memory"):
        built.bind(back=x)
    with pytest.raises(eagle.LayoutError, match="shape"):
        built.bind(x=up(np.zeros(3)))
    assert built() is other


def test_an_array_that_was_replaced_lives_until_its_replays_are_done():
    x, go_on = up(np.full(1 << 16, 6.0)), threading.Event()

    @eagle.graph
    def recording(g, x, seen, back):
        g.host(go_on.wait, reads=[seen], writes=[seen])
        g.copy(seen, into=back)
        g.copy(x, into=back)

    seen = np.zeros(1 << 16)
    built = recording.build(x, seen, np.zeros(1 << 16))
    replaced, gone = np.zeros(1 << 16), threading.Event()
    weakref.finalize(replaced, gone.set)
    built.bind(back=replaced)
    built()
    del replaced
    last = np.zeros(1 << 16)
    built.bind(back=last)
    gc.collect()
    assert not gone.is_set()
    go_on.set()
    built()
    built.synchronize()
    assert gone.is_set()
    np.testing.assert_array_equal(last, np.full(1 << 16, 6.0))


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (
            lambda g, x, other, host: nothing(g.fill(x, 1.0), g.fill(other, 1.0)),
            r"touches plane 'other' \(float64\[2\], sim:1, .*touches plane 'x' \(float64\[2\], sim:0, .*"
            "a graph runs on one device",
        ),
        (
            lambda g, x, other, host: nothing(g.fill(x, 1.0), g.fill(host, 1.0)),
            r"was given plane 'host' \(float64\[2\], host memory, .*where plane 'x' \(float64\[2\], sim:0, .*"
            "copy it to the device first",
        ),
        (
            lambda g, x, other, host: nothing(g.fill(x, 1.0), g.host(print, reads=[x])),
            r"was given plane 'x' \(float64\[2\], sim:0, .*a host function reads and writes host memory",
        ),
        (
            lambda g, x, other, host: nothing(g.fill(x, 1.0), g.host(print, reads=[g.reduce("max", x)])),
            r"which lives on sim:0, as plane 'x' .* does; a host function reads and writes host memory",
        ),
    ],
)
def test_where_planes_live_must_fit(record, words):
    with pytest.raises(eagle.BufferRefused, match=r"test_device_graph\.py:\d+: .*" + words):
        eagle.graph(record).build(up(np.zeros(2)), up(np.zeros(2), "sim:1"), np.zeros(2))


def test_host_memory_that_copies_alone_touch_runs_where_the_build_says():
    x, y = np.arange(3.0), np.zeros(3)

    @eagle.graph
    def recording(g, x, y):
        there = g.scratch(3)
        g.copy(x, into=there)
        g.copy(there, into=y)
        return g.reduce("sum", there)

    built = recording.build(x, y, backend="sim")
    assert built.backend == "sim"
    total = built()
    built.synchronize()
    assert total.device == "sim:0"
    assert total.to_host() == [3.0]
    np.testing.assert_array_equal(y, x)
    with pytest.raises(eagle.BufferRefused, match=r"plane 'x' .* runs on sim:0; only copies and host functions"):
        eagle.graph(lambda g, x: nothing(g.fill(x, 1.0))).build(x, backend="sim")
    with pytest.raises(eagle.BufferRefused, match="lowered onto device 0 of kind 'cpu'"):
        eagle.graph(lambda g, x: nothing(g.fill(x, 1.0))).build(up(x), backend="cpu")


def test_planes_say_where_they_lie():
    seen = {}

    @eagle.graph
    def recording(g, x, host):
        seen.update(x=x.device, host=host.device, scratch=g.scratch(2).device)
        g.copy(x, into=host)

    built = recording.build(up(np.zeros(2), "sim:1"), np.zeros(2))
    assert (seen["x"], seen["host"]) == ("sim:1", "host memory")
    assert "sim:1" in built.picture("text")
    assert (built.memory_report()["planes"], built.memory_report()["owners"]) == (32, 2)


def test_a_device_that_no_backend_serves_is_named():
    class Elsewhere(Part):
        def __dlpack_device__(self):
            return (8, 0)

    with pytest.raises((eagle.BackendUnavailable, eagle.InteropError), match=r"metal|type 8"):
        eagle.graph(lambda g, x: nothing(g.fill(x, 1.0))).build(Elsewhere(up(np.zeros(2))))
