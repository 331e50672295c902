"""What a program in Python is told when the driver fails, is old, or lacks functions: host logic on the fake driver."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest
from device_programs import fall
from fake_driver import In, call, count, current_context, fail_from, failed_call, reset_failures
from fake_driver import calls as driver_calls

import eagle
import hawk
from hawk import Mutable, Param, Scalar
from stand_ins import up

N = 1_025
X = np.linspace(0.0, 1.0, N)
HEIGHTS = np.linspace(0.1, 5.0, 65)
UNKNOWN = 999  # CUDA_ERROR_UNKNOWN


@hawk.kernel
def line(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def grow(x: Mutable[Scalar], by: Param):
    x = x * by + 1.0


def wanted(x):
    for _ in range(2):  # replays
        for _ in range(3):
            x = x * 2.0 + 1.0
    return x


def program(folder):
    """Loads kernels, runs a plan, captures a graph with a loop, replays it twice; gives the planes back."""
    kernels = {kernel: eagle.Artifact.load(folder).kernel(kernel, kind="cuda") for kernel in ("line", "grow")}
    there = eagle.exec.DeviceKernel("cuda", 0)
    x, total = up(X), up(np.zeros(1))
    y = eagle.plan(kernels["line"], structure=there).run(x=x, a=2.0, b=1.0)

    @eagle.graph
    def recording(g, x, total):
        with g.repeat(3):
            g.launch(eagle.plan(kernels["grow"], structure=there), x=x, by=2.0)
        g.reduce("max", x, into=total)

    built = recording.build(x, total)
    built()
    built()
    built.synchronize()
    return y.to_host(), x.to_host(), total.to_host()


def alive():
    """Once what is on the streams is done: memory is given back in their order."""
    gc.collect()
    with In(0):
        call("cuCtxSynchronize")
    return {what: count(what) for what in ("stream", "graph", "exec", "module", "memory", "pinned", "capture")}


def check(planes):
    for found, right in zip(planes, (2.0 * X + 1.0, wanted(X), [wanted(X).max()]), strict=True):
        np.testing.assert_array_equal(found, right)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("artifact")
    hawk.build([line, grow], made, ("cuda",))
    return made


def call_that_succeeds():
    """What an earlier call could not give back goes with it."""
    up(np.zeros(1))


def test_every_call_of_the_driver_may_fail_once(folder):
    check(program(folder))  # what is made once a process is there from here on
    before, outer = alive(), current_context()
    start = driver_calls()
    check(program(folder))
    length = driver_calls() - start
    assert length > 100
    refusals = 0
    for n in range(1, length + 1):
        fail_from(n, 1, UNKNOWN)
        try:
            check(program(folder))
        except RuntimeError as error:
            words, refusals = str(error), refusals + 1
            assert "CUDA_ERROR_UNKNOWN" in words or failed_call() in words, f"call {n} ({failed_call()}): {words}"
        finally:
            at = f"call {n} of {length} ({failed_call()})"
            reset_failures()
        assert current_context() == outer, at
        call_that_succeeds()
        assert alive() == before, at
        if n % 5 == 0:
            check(program(folder))
    check(program(folder))
    assert alive() == before
    assert refusals > length // 3


def test_two_calls_in_a_row_may_fail(folder):
    """The second is that of whoever asks again. More of them may keep what a capture holds."""
    check(program(folder))
    call_that_succeeds()
    before, outer, start = alive(), current_context(), driver_calls()
    check(program(folder))
    length = driver_calls() - start
    for n in range(1, length + 1, 5):
        fail_from(n, 2, UNKNOWN)
        try:
            check(program(folder))
        except RuntimeError:
            assert failed_call() != ""
        finally:
            at = f"calls {n} and {n + 1} of {length} ({failed_call()})"
            reset_failures()
        assert current_context() == outer, at
        call_that_succeeds()
        assert alive() == before, at
    check(program(folder))


def simulation():
    """Of samples that end at steps of their own; gives the planes back."""
    planes = {"y": up(HEIGHTS), "v": up(np.zeros(len(HEIGHTS))), "landed": up(np.zeros(len(HEIGHTS), bool))}
    result = eagle.simulate(fall, max_steps=500, dt=0.01, **planes)
    return result, {name: plane.to_host() for name, plane in planes.items()}


def test_every_call_of_a_simulation_may_fail_once():
    host = {"y": HEIGHTS.copy(), "v": np.zeros(len(HEIGHTS)), "landed": np.zeros(len(HEIGHTS), bool)}
    wanted = eagle.simulate(fall, max_steps=500, dt=0.01, **host)
    simulation()
    before, outer, start = alive(), current_context(), driver_calls()
    simulation()
    length, refusals = driver_calls() - start, 0
    for n in range(1, length + 1):
        fail_from(n, 1, UNKNOWN)
        try:
            result, found = simulation()
            np.testing.assert_array_equal(result.steps_per_sample, wanted.steps_per_sample)
            for name, plane in host.items():
                np.testing.assert_array_equal(found[name], plane)
            del result
        except RuntimeError as error:
            words, refusals = str(error), refusals + 1
            assert "CUDA_ERROR_UNKNOWN" in words or failed_call() in words, f"call {n} ({failed_call()}): {words}"
        finally:
            at = f"call {n} of {length} ({failed_call()})"
            reset_failures()
        assert current_context() == outer, at
        call_that_succeeds()
        assert alive() == before, at
    assert refusals > length // 3
    assert simulation()[0].steps == wanted.steps


SCRIPT = """
import sys
import numpy as np
import eagle
from test_cuda_faults import check, line, grow, program, X, up
import hawk
hawk.build([line, grow], sys.argv[1], ("cuda",))
def loop():
    check(program(sys.argv[1]))
def plan():
    kernel = eagle.Artifact.load(sys.argv[1]).kernel("line", kind="cuda")
    made = eagle.plan(kernel, structure=eagle.exec.DeviceKernel("cuda")).run(x=up(X), a=2.0, b=1.0)
    np.testing.assert_array_equal(made.to_host(), 2.0 * X + 1.0)
def graph():
    @eagle.graph
    def recording(g, x, y):
        g.copy(x, into=y)
        g.fill(x, 2.0)
    x, y = up(X), up(X)
    built = recording.build(x, y)
    built()
    np.testing.assert_array_equal(x.to_host(), np.full(len(X), 2.0))
for run in (plan, graph, loop):
    try:
        run()
        print(run.__name__, "ran")
    except Exception as error:
        print(run.__name__, type(error).__name__, str(error).replace(chr(10), " "))
"""


def said(tmp_path, **environment):
    script = tmp_path / "program.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, tmp_path / "artifact"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("version", ["13000", "12080", "12040"])
def test_drivers_that_have_loops_run_it_all(tmp_path, version):
    assert said(tmp_path, FAKE_CUDA_DRIVER_VERSION=version) == {"plan": "ran", "graph": "ran", "loop": "ran"}


@pytest.mark.parametrize(
    "environment",
    [{"FAKE_CUDA_DRIVER_VERSION": "12010"}, {"FAKE_CUDA_MISSING": "cuGraphConditionalHandleCreate"}],
    ids=["old", "incomplete"],
)
def test_a_driver_without_loops_runs_the_rest(tmp_path, environment):
    told = said(tmp_path, **environment)
    assert (told["plan"], told["graph"]) == ("ran", "ran")
    assert told["loop"].startswith("BackendUnavailable") and "does not provide conditional" in told["loop"], told


def test_a_driver_that_is_too_old_is_refused_by_its_number(tmp_path):
    for words in said(tmp_path, FAKE_CUDA_DRIVER_VERSION="12000").values():
        assert words.startswith("BackendUnavailable"), words
        assert "is of CUDA 12.0; at least 12.1 is needed" in words, words


def test_a_function_that_is_missing_is_named_with_its_version(tmp_path):
    for words in said(tmp_path, FAKE_CUDA_MISSING="cuMemAllocAsync").values():
        assert words.startswith("BackendUnavailable"), words
        assert "has no cuMemAllocAsync of CUDA 11.2" in words, words
