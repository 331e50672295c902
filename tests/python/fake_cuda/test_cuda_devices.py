"""Two devices of kind cuda in one process: host logic on the fake driver, which refuses a kernel in the context of a
device that its code was not loaded for."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import eagle
import hawk
from hawk import Mutable, Param, Scalar, Terminated
from stand_ins import up

N = 4_099
X = np.linspace(-3.0, 5.0, N)
DEVICES = ("cuda:0", "cuda:1")


@hawk.kernel
def line(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def grow(x: Mutable[Scalar], by: Param):
    x = x * by + 1.0


@hawk.kernel
def fall(dt: Param, y: Mutable[Scalar], v: Mutable[Scalar], landed: Terminated):
    v = v - 9.81 * dt
    y = y + v * dt
    landed = y <= 0.0


@pytest.mark.parametrize("order", [DEVICES, DEVICES[::-1]], ids=["0 first", "1 first"])
def test_one_plan_runs_on_both(order):
    plan, wanted = eagle.deploy(line), 2.0 * X + 1.0
    for _ in range(2):
        for device in order:
            y = plan.run(x=up(X, device), a=2.0, b=1.0)
            assert y.device == device
            np.testing.assert_array_equal(y.to_host(), wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_a_plan_of_one_device_alone(device):
    plan = eagle.deploy(line, backend=device)
    np.testing.assert_array_equal(plan.run(x=up(X, device), a=0.5, b=1.0).to_host(), 0.5 * X + 1.0)
    other = DEVICES[1 - DEVICES.index(device)]
    with pytest.raises(eagle.BufferRefused, match=f"is on {other}, and the structure is a DeviceKernel of {device}"):
        plan.run(x=up(X, other), a=0.5, b=1.0)


@pytest.mark.parametrize("first", DEVICES)
def test_a_loaded_kernel_goes_on_to_the_other(first, tmp_path):
    """Its module is loaded for the second device when that is met."""
    kernel = eagle.Artifact.load(line.build(tmp_path, targets=("cuda",)).parent).kernel(kind="cuda")
    for device in (first, *DEVICES):
        plan = eagle.plan(kernel, structure=eagle.exec.DeviceKernel("cuda", int(device[-1])))
        np.testing.assert_array_equal(plan.run(x=up(X, device), a=3.0, b=0.0).to_host(), 3.0 * X)


def test_a_file_that_has_changed_is_not_loaded_for_the_second(tmp_path):
    manifest = line.build(tmp_path, targets=("cuda",))
    kernel = eagle.Artifact.load(manifest.parent).kernel(kind="cuda")
    (code,) = (path for path in tmp_path.iterdir() if path.suffix in (".ptx", ".cubin"))
    code.write_bytes(code.read_bytes() + b"\0")
    with pytest.raises(ValueError, match="is not the file any more that was loaded for device 0 of kind 'cuda'"):
        eagle.plan(kernel, structure=eagle.exec.DeviceKernel("cuda", 1))
    plan = eagle.plan(kernel, structure=eagle.exec.DeviceKernel("cuda", 0))
    np.testing.assert_array_equal(plan.run(x=up(X), a=1.0, b=1.0).to_host(), X + 1.0)


def test_a_device_that_there_is_not():
    with pytest.raises(ValueError, match="kind 'cuda' has 2 devices here, numbered from 0"):
        eagle.deploy(line, backend="cuda:2")
    with pytest.raises(ValueError, match="is to be loaded for device 2; kind 'cuda' has 2 here, numbered from 0"):
        eagle.plan(line, structure=eagle.exec.DeviceKernel("cuda", 2))


def test_arrays_of_two_devices_are_refused():
    with pytest.raises(eagle.BufferRefused, match="'out' of kernel 'line' is on cuda:1, 'x' is on cuda:0; the rule"):
        eagle.deploy(line).run(x=up(X), a=1.0, b=1.0, out=up(X, "cuda:1"))


@pytest.mark.parametrize("device", DEVICES)
def test_calls_and_simulations(device):
    x, v = X.copy(), np.cos(X)
    np.testing.assert_array_equal(line(up(x, device), 2.0, 1.0).to_host(), 2.0 * x + 1.0)
    start = {"y": np.abs(x) + 0.5, "v": v.copy(), "landed": np.zeros(N, bool)}
    there = {name: up(plane, device) for name, plane in start.items()}
    wanted = eagle.simulate(fall, max_steps=500, dt=0.01, **start)
    found = eagle.simulate(fall, max_steps=500, dt=0.01, **there)
    assert (found.status, found.steps, found.done) == (wanted.status, wanted.steps, N)
    for name, plane in start.items():
        np.testing.assert_array_equal(there[name].to_host(), plane, err_msg=name)


@pytest.mark.parametrize("device", DEVICES)
def test_a_graph_is_captured_and_replayed_there(device):
    x, y, total = up(X, device), up(np.zeros(N), device), up(np.zeros(1), device)

    @eagle.graph
    def recording(g, x, y, total):
        with g.repeat(3):
            g.launch(grow, x=x, by=2.0)
        line(x, 1.0, 0.5, out=y)
        g.reduce("max", y, into=total)

    built, wanted = recording.build(x, y, total), X.copy()
    assert built.backend == "cuda"
    for _ in range(3):
        built()
        built.synchronize()
        for _ in range(3):
            wanted = wanted * 2.0 + 1.0
        np.testing.assert_array_equal(y.to_host(), wanted + 0.5)
        assert total.to_host()[0] == (wanted + 0.5).max()


@pytest.mark.parametrize("device", DEVICES)
def test_a_copy_within_a_device_is_in_its_order(device):
    plan, y = eagle.deploy(line), up(np.zeros(N), device)
    for i in range(20):
        x = plan.run(x=up(X, device), a=1.0, b=float(i))
        eagle.copy(x, into=y)
        z = plan.run(x=y, a=2.0, b=0.0)
        np.testing.assert_array_equal(z.to_host(), 2.0 * (X + i))


def test_threads_that_meet_a_device_together_load_it_once():
    plan = eagle.deploy(grow)
    planes = [up(X, DEVICES[i % 2]) for i in range(8)]
    threads = [threading.Thread(target=lambda x=x: plan.run(x=x, by=3.0)) for x in planes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x in planes:
        np.testing.assert_array_equal(x.to_host(), X * 3.0 + 1.0)


ALONE = """
import ctypes, os
import numpy as np

import eagle
from stand_ins import up
from test_cuda_devices import X, line, grow
x = up(X, "cuda:1")
assert (eagle.deploy(line).run(x=x, a=2.0, b=1.0).to_host() == 2.0 * X + 1.0).all()
eagle.pinned(4, backend="cuda")
@eagle.graph
def recording(g, x):
    g.launch(grow, x=x, by=2.0)
built = recording.build(x)
built()
built.synchronize()
driver = ctypes.CDLL(os.environ["EAGLE_CUDA_DRIVER"])
driver.fake_cuda_count.restype = ctypes.c_longlong
print(driver.fake_cuda_count(b"context"))
"""


def test_a_device_that_nobody_named_is_left_alone(tmp_path):
    script = tmp_path / "alone.py"
    script.write_text(ALONE)
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1"], "one context, of cuda:1"
