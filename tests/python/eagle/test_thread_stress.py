"""Sixteen threads at the same objects: each call gives its own right answer, or says that the object is at work.

With a GIL it is held for most of a short call; what this is for are interpreters without one.
"""

import sys
import sysconfig
import threading

import numpy as np
from eagle_kernels import countdown, scale

import eagle
import hawk  # noqa: F401

THREADS = 16
ROUNDS = 60
N = 300


def together(work):
    """Runs `work(seed)` in every thread, begun at the same moment; raises what one of them raised."""
    begin, raised = threading.Barrier(THREADS), []

    def one(seed):
        begin.wait()
        try:
            work(seed)
        except BaseException as error:  # told to the test's own thread
            raised.append(error)

    threads = [threading.Thread(target=one, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_importing_leaves_the_gil_as_the_interpreter_has_it():
    """Without one, a module that does not declare that it does without brings it back."""
    enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
    assert enabled is not bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def test_one_plan():
    plan = eagle.deploy(scale)

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(ROUNDS):
            x, y, a = rng.normal(size=N), rng.normal(size=N), float(rng.normal())
            assert (plan.run(x=x, y=y, a=a) == a * x + y).all()

    together(work)


def test_one_bound_plan():
    """Each thread rebinds it to arrays of its own; the arrays of the last that came through stay bound together."""
    x = np.full(N, 1.0)
    bound = eagle.deploy(scale).bind(x=x, y=np.zeros(N), a=1.0, out=np.zeros(N))
    busy = []

    def work(seed):
        for turn in range(ROUNDS):
            mine = np.full(N, float(1 + seed))
            try:
                bound.rebind(x=mine, y=np.zeros(N), out=np.zeros(N))
                bound.launch()
            except eagle.Busy:
                busy.append(turn)
            assert bound["x"].shape == (N,) and bound["out"] is not None

    together(work)
    bound.rebind(a=2.0).launch()
    assert (bound["out"] == 2.0 * bound["x"]).all() and bound["x"][0] in range(1, 1 + THREADS)


def test_one_simulation():
    left = np.arange(N) % 7 + 1.0
    simulation = eagle.simulation(countdown, max_steps=50, left=left, ticks=np.zeros(N))
    done = []

    def work(_seed):
        try:
            done.append(simulation.run().steps)
        except eagle.Busy:
            done.append(None)

    together(work)
    assert sum(steps for steps in done if steps) == int((np.arange(N) % 7 + 1).sum())


def test_one_active_set():
    mask = np.zeros(N, bool)
    mask[::3] = True
    live = eagle.ActiveSet(mask)

    def work(_seed):
        for _ in range(ROUNDS):
            try:
                assert live.compact()[1] == 2 * N // 3
                live.add(np.zeros(N))
            except eagle.Busy:
                pass

    together(work)


def test_imports_of_one_array():
    x = np.arange(float(N))

    class Told:
        """A class of its own for each thread, beyond what eagle remembers."""

        def __init__(self):
            self.__array_interface__ = x.__array_interface__

    def work(seed):
        mine = type(f"Told{seed}", (Told,), {})
        for _ in range(ROUNDS):
            for array in (x, mine(), memoryview(x)):
                view = eagle.interop.import_buffer(array)
                assert view.ptr == x.ctypes.data and view.shape == (N,)

    together(work)


def test_building_one_kernel_and_one_graph():
    @eagle.graph
    def doubled(g, x):
        y = g.scratch(N)
        g.copy(x, into=y)
        return y

    def work(seed):
        x = np.full(N, float(seed))
        for _ in range(5):
            assert (doubled.build(x)() == seed).all()
            assert (scale(x, np.zeros(N), 1.0) == seed).all()

    together(work)
