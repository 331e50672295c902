"""Plans, calls and simulations on arrays of kind cuda: host logic on the fake driver."""

import os
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from device_programs import (
    check_a_fault_names_the_lowest_sample,
    check_simulate_is_that_of_the_host,
    fall,
    scale,
    turn,
)
from fake_driver import LEGACY, Stream

import eagle
from stand_ins import CupyArray, NumbaArray, OldTorchTensor, TorchTensor, cupy_module, imported, torch_module, up

N = 5_003
X = np.linspace(-3.0, 5.0, N)


def test_the_device_says_what_it_is():
    assert eagle.device_props("cuda").name.startswith("fake-cuda (host memory, test only)")


def test_planes_decide_and_both_have_the_same_bits():
    plan = eagle.deploy(scale)
    y = plan.run(x=up(X), a=2.0, b=1.0)
    assert y.device == "cuda:0"
    assert (y.to_host() == plan.run(x=X, a=2.0, b=1.0)).all()


@pytest.mark.parametrize("backend", ["cuda", "cuda:0", "gpu"])
def test_a_plan_of_the_kind_alone(backend):
    plan = eagle.deploy(scale, backend=backend)
    assert (plan.run(x=up(X), a=0.5, b=1.0).to_host() == 0.5 * X + 1.0).all()
    with pytest.raises(
        eagle.BufferRefused, match="is on the host, and the structure is a DeviceKernel of cuda:0; the rule"
    ):
        plan.run(x=X, a=0.5, b=1.0)


def test_a_kernel_is_called_with_them():
    y = scale(up(X), 2.0, 1.0)
    assert (y.to_host() == 2.0 * X + 1.0).all()
    p, s = np.arange(2.0 * N).reshape(2, N), np.full(N, 3.0)
    there = up(p)
    turn(there, up(s))
    assert (there.to_host() == np.stack([-3.0 * p[1], 3.0 * p[0]])).all()


@pytest.mark.parametrize("make", [CupyArray, NumbaArray, TorchTensor, OldTorchTensor])
def test_arrays_as_other_libraries_have_them(make):
    with imported(cupy_module(), torch_module(make if make is OldTorchTensor else TorchTensor)):
        check_arrays_of_another_library(make)


def check_arrays_of_another_library(make):
    x, out = make(X), make(np.zeros(N))
    assert eagle.deploy(scale).run(x=x, a=2.0, b=1.0, out=out) is out
    assert (out.array.to_host() == 2.0 * X + 1.0).all()
    scale(x, 3.0, 1.0, out=out)
    assert (out.array.to_host() == 3.0 * X + 1.0).all()
    view = eagle.interop.import_buffer(x)
    assert view.ptr == x.array.ptr and view.device == "cuda:0"


def test_a_mix_is_refused_and_nothing_is_moved():
    with pytest.raises(eagle.BufferRefused, match="'out' of kernel 'scale' is on the host, 'x' is on cuda:0; the rule"):
        eagle.deploy(scale).run(x=up(X), a=1.0, b=1.0, out=np.zeros(N))


def test_a_fault_names_the_lowest_sample():
    check_a_fault_names_the_lowest_sample(up, N, 70, 4000)


def test_simulate_has_the_bits_and_the_steps_of_the_host():
    check_simulate_is_that_of_the_host(up, N, 20.0, 2_000)


def test_simulate_gets_on_beside_a_default_stream_that_others_keep_filling():
    """Its windows of 50 ms do not each wait for what was put there last."""
    ended, room = threading.Event(), threading.Semaphore(2)

    def work():
        time.sleep(0.08)
        room.release()

    def fill():
        with Stream(LEGACY) as busy:
            while not ended.is_set():
                room.acquire()
                busy.call_host(work)

    others = threading.Thread(target=fill)
    planes = {"y": up(np.linspace(0.5, 3.0, 40)), "v": up(np.zeros(40)), "landed": up(np.zeros(40, bool))}
    others.start()
    try:
        result = eagle.simulate(fall, max_steps=2_000, dt=0.01, timeout=8.0, **planes)
    finally:
        ended.set()
        others.join()
    assert (result.status, result.done) == ("finished", 40)


MISSING = """
import numpy as np, eagle, hawk
from hawk import Param, Scalar
@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x
class Array:
    __cuda_array_interface__ = {"shape": (4,), "typestr": "<f8", "data": (4096, False), "strides": None, "version": 3}
called = lambda: scale(Array(), 2.0)
run = lambda: eagle.deploy(scale).run(x=Array(), a=2.0)
made = lambda: eagle.empty((4,), float, "cuda:0")
for call in (called, run, made):
    try:
        call()
        print("no error")
    except Exception as error:
        print(f"{type(error).__name__}: {error}".replace(chr(10), " "))
"""


def what_is_said(tmp_path, **environment):
    script = tmp_path / "missing.py"
    script.write_text(MISSING)
    done = subprocess.run(
        [sys.executable, script], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_missing_driver_is_said_by_name(tmp_path):
    missing = str(tmp_path / "libcuda.so.1")
    lines = what_is_said(tmp_path, EAGLE_CUDA_DRIVER=missing, EAGLE_CUDA_NVML=missing)
    assert len(lines) == 3
    for line in lines:
        assert line.startswith("BackendUnavailable: ") and "libcuda.so.1" in line, line


def test_a_missing_compiler_is_said_by_name(tmp_path):
    lines = what_is_said(tmp_path, HAWK_NVCC="no-such-nvcc", HAWK_CACHE_DIR=str(tmp_path / "cache"))
    for line in lines[:2]:
        assert "HawkError: $HAWK_NVCC (no-such-nvcc) names no program that can be run" in line, line


@pytest.fixture
def cupy_is_there():
    with imported(cupy_module()):
        yield


def ran(call):
    """A run over an array of another library, which nobody else keeps: whether it is still there."""
    x = CupyArray(X)
    assert (call(x).to_host() == 2.0 * X + 1.0).all()
    return weakref.ref(x)


def goes_with_later_runs(call):
    """The device tells that work is done a moment after its result may be read."""
    first = ran(call)
    return any(ran(call) and first() is None for _ in range(100))


def test_an_array_of_another_library_goes_with_the_next_run(cupy_is_there):
    assert goes_with_later_runs(lambda x: scale(x, 2.0, 1.0))
    plan = eagle.deploy(scale)
    assert goes_with_later_runs(lambda x: plan.run(x=x, a=2.0, b=1.0))


def test_an_array_of_another_library_goes_when_its_plan_is_waited_for(cupy_is_there):
    plan = eagle.deploy(scale)
    last = ran(lambda x: plan.run(x=x, a=2.0, b=1.0))
    plan.synchronize()
    assert last() is None


def test_an_array_of_another_library_goes_with_its_plan(cupy_is_there):
    plans = [eagle.deploy(scale)]
    last = ran(lambda x: plans[0].run(x=x, a=2.0, b=1.0))
    plans.clear()
    assert last() is None
