"""Functions of Python that the simulated device calls, on threads that Python does not know."""

import gc
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from device_kernels import up
from programs import command, environment

import eagle


class Kept(np.ndarray):
    """An array that takes attributes."""


def calling(function, away=None):
    """A graph on the device that calls the function."""

    @eagle.graph
    def recording(g, x, away):
        g.copy(x, into=away)
        g.host(function, reads=[away])

    return recording.build(up(np.zeros(1)), np.zeros(1) if away is None else away)


@pytest.fixture
def lost(monkeypatch):
    """What was raised where nobody could be told."""
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: told.append((str(raised.exc_value), raised.object)))
    return told


def test_ctrl_c_in_a_host_function_reaches_the_main_thread():
    ran = []

    def press():
        ran.append(threading.current_thread() is threading.main_thread())
        signal.raise_signal(signal.SIGINT)

    built = calling(press)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            built()
            built.synchronize()
        built.synchronize()
    assert ran == [False] * 3


def test_a_host_function_blocks_the_signals_of_whoever_recorded_it():
    seen = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    try:
        built = calling(lambda: seen.append(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    built()
    built.synchronize()
    assert seen == [before | {signal.SIGUSR2}]


def test_a_process_that_a_host_function_starts_can_be_ended():
    ended = []

    def start():
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        child.terminate()
        try:
            ended.append(child.wait(30))
        finally:
            child.kill()

    built = calling(start)
    built()
    built.synchronize()
    assert ended == [-signal.SIGTERM]


def fail():
    raise ZeroDivisionError("nobody asked")


NOBODY = "a host function of an eagle.BuiltGraph that nobody synchronized"


def test_what_a_host_function_raises_is_told_when_its_graph_goes(lost):
    built = calling(fail)
    built()
    del built
    gc.collect()
    assert lost == [("nobody asked", NOBODY)]


def test_what_a_host_function_raises_is_told_when_its_graph_is_collected(lost):
    away = np.zeros(1).view(Kept)
    away.built = calling(fail, away)
    away.built()
    del away
    gc.collect()
    assert lost == [("nobody asked", NOBODY)]


def test_an_error_on_its_way_survives_the_end_of_a_graph(lost):
    class Leaving(Exception):
        pass

    def leave():
        built = calling(fail)
        built()
        raise Leaving

    with pytest.raises(Leaving) as left:
        leave()
    left.value.__traceback__.tb_next.tb_frame.clear()
    gc.collect()
    assert lost == [("nobody asked", NOBODY)]


SLOW = """
    import ctypes, threading, time
    import numpy as np
    import eagle
    from device_kernels import Seam, countdown, up

    entered, told, x, seam = threading.Event(), [], up(np.zeros(1)), Seam()

    def slow():
        entered.set()
        time.sleep(0.2)
        told.append("done")

    @eagle.graph
    def recording(g, x, away):
        g.copy(x, into=away)
        g.host(slow, reads=[away])

    built = recording.build(x, np.zeros(1))

    def keep_busy():
        built()
        entered.wait()
        # The default stream waits for the graph, and what is put on the device for the default stream.
        seam.call("memset_device", ctypes.c_uint64(x.ptr), ctypes.c_uint64(8), ctypes.c_uint64(0))

    planes = {"left": up(np.full(8, 3.0)), "terminated": up(np.zeros(8, bool))}
"""

STOPPED = """
    class Stop(Exception):
        pass

    def stop(steps):
        keep_busy()
        raise Stop

    try:
        eagle.until_done(eagle.deploy(countdown).bind(**planes), max_steps=8, every=1, on_step=stop)
    except Stop as error:
        print(told, error.result.status)
"""

UNASKED = """
    import time
    import numpy as np
    import eagle

    x, built = eagle.zeros(1, device="sim:0"), []

    def press():
        time.sleep(0.2)
        print("told", flush=True)
        raise KeyboardInterrupt

    for _ in range(3):
        built.append(eagle.graph(lambda g, x, y: (g.copy(x, into=y), g.host(press, reads=[y])) and None).build(
            x, np.zeros(1)))
        built[-1]()
"""


def run(*parts):
    made = environment(PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.run(command("".join(parts)), env=made, capture_output=True, text=True, timeout=60)


def test_a_run_that_a_hook_stopped_waits_without_the_interpreter():
    """What it waits for may be a host function."""
    done = run(SLOW, STOPPED)
    assert (done.stdout, done.stderr, done.returncode) == ("['done'] interrupted\n", "", 0)


def test_ctrl_c_in_a_host_function_at_the_end_cuts_no_other_off():
    done = run(UNASKED)
    assert (done.stdout, done.returncode) == ("told\n" * 3, 0)
    assert done.stderr.count("KeyboardInterrupt\n") == 3
