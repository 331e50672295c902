"""Programs on arrays of kind hip: HIP host logic over a shim; never run on AMD hardware."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from device_programs import (
    check_a_fault_names_the_lowest_sample,
    check_an_active_set,
    check_simulate_is_that_of_the_host,
    copier,
    scale,
)

import eagle
import hawk
from hawk import Mutable, Scalar, Terminated, Vector

N = 5_003
X = np.linspace(-3.0, 5.0, N)
up = copier("hip:0")


@hawk.kernel
def functions(x: Scalar, y: Scalar) -> Vector[4]:
    m = hawk.math
    return hawk.vector(m.sin(x), m.exp(0.1 * x), m.log(abs(y) + 1e-9), m.sqrt(abs(x)) / (y * y + 1.0))


@hawk.kernel
def countdown(left: Mutable[Scalar], ticks: Mutable[Scalar], terminated: Terminated):
    left = left - 1.0
    ticks = ticks + 1.0
    terminated = left <= 0.0


def test_the_device_says_what_it_is():
    assert eagle.device_props("hip").name.startswith("HIP host logic over a shim; never run on AMD hardware")
    (hip,) = [info for info in eagle.backends() if info.kind == "hip"]
    assert hip.usable and "never run on AMD hardware" in hip.archs and hip.device_types == [10, 11]
    assert "conditional" not in hip.groups


def test_an_array_is_one_of_rocm():
    assert up(X).__dlpack_device__() == (10, 0)


def test_planes_decide_and_both_have_the_same_bits():
    plan = eagle.deploy(scale)
    y = plan.run(x=up(X), a=2.0, b=1.0)
    assert y.device == "hip:0"
    assert (y.to_host() == plan.run(x=X, a=2.0, b=1.0)).all()


def test_functions_have_the_bits_of_the_host():
    y = np.random.default_rng(2).normal(size=N)
    found, wanted = eagle.deploy(functions).run(x=up(1e3 * X), y=up(y)).to_host(), functions(1e3 * X, y)
    np.testing.assert_array_equal(found.view(np.int64), wanted.view(np.int64))


def test_a_kernel_is_called_with_them():
    assert (scale(up(X), 2.0, 1.0).to_host() == 2.0 * X + 1.0).all()


def test_a_plan_of_the_kind_alone_takes_nothing_of_the_host():
    plan = eagle.deploy(scale, backend="hip")
    assert (plan.run(x=up(X), a=0.5, b=1.0).to_host() == 0.5 * X + 1.0).all()
    with pytest.raises(
        eagle.BufferRefused, match="is on the host, and the structure is a DeviceKernel of hip:0; the rule"
    ):
        plan.run(x=X, a=0.5, b=1.0)


def test_a_mix_is_refused_and_nothing_is_moved():
    with pytest.raises(eagle.BufferRefused, match="'out' of kernel 'scale' is on the host, 'x' is on hip:0; the rule"):
        eagle.deploy(scale).run(x=up(X), a=1.0, b=1.0, out=np.zeros(N))


def test_an_artifact_without_code_for_hip_is_refused_by_name(tmp_path):
    folder = hawk.build(scale, tmp_path).parent
    with pytest.raises(ValueError, match="kernel 'scale' has files of format host; kind 'hip' takes hsaco"):
        eagle.deploy(folder).run(x=up(X), a=1.0, b=1.0)


def test_a_folder_for_both_runs_on_both(tmp_path):
    plan = eagle.deploy(hawk.build(scale, tmp_path, ("host", "hip")).parent)
    assert (plan.run(x=up(X), a=3.0, b=1.0).to_host() == plan.run(x=X, a=3.0, b=1.0)).all()


def test_a_fault_names_the_lowest_sample():
    check_a_fault_names_the_lowest_sample(up, N, 70, 4000)


@pytest.mark.parametrize("max_steps", [7, 2_000])
def test_simulate_has_the_bits_and_the_steps_of_the_host(max_steps):
    check_simulate_is_that_of_the_host(up, N, 20.0, max_steps)


@pytest.mark.amd_compiler
@pytest.mark.parametrize("reorder", [True, False])
def test_until_done_is_a_loop_of_the_host(reorder):
    """What a kind without conditional nodes has in place of `while_`: every sample stops at its own step."""
    wanted = np.random.default_rng(1).integers(1, 200, N)
    planes = {"left": wanted.astype(float), "ticks": np.zeros(N), "terminated": np.zeros(N, bool)}
    there = {name: up(plane) for name, plane in planes.items()}
    result = eagle.until_done(eagle.deploy(countdown).bind(**there), max_steps=1_000, every=8, reorder=reorder)
    assert (result.status, result.done, result.steps) == ("finished", N, wanted.sum())
    assert (there["ticks"].to_host() == wanted).all() and there["terminated"].to_host().all()


@pytest.mark.parametrize("node", ["if_", "while_", "switch"])
def test_conditional_nodes_are_refused_by_name(node):
    @eagle.graph
    def recording(g, x, cell):
        if node == "if_":
            with g.if_(cell) as branch, branch.then:
                g.fill(x, 1.0)
        elif node == "while_":
            with g.while_(cell, cap=3):
                g.fill(x, 1.0)
        else:
            with g.switch(cell, 1) as arms, arms[0]:
                g.fill(x, 1.0)

    with pytest.raises(eagle.BackendUnavailable, match=r"does not provide conditional"):
        recording.build(up(np.zeros(4)), up(np.zeros(1, np.int32)))


@pytest.mark.amd_compiler
def test_a_graph_is_replayed():
    @eagle.graph
    def recording(g, x, out, total):
        g.launch(scale, x=x, a=2.0, b=1.0, out=out)
        g.copy(out, into=x)
        g.reduce("sum", x, into=total)

    x, out, total = up(np.zeros(N)), up(np.zeros(N)), up(np.zeros(1))
    built = recording.build(x, out, total)
    assert built.backend == "hip"
    for replay in (1, 2, 3):
        built()
        assert total.to_host()[0] == (2.0**replay - 1.0) * N


@pytest.mark.amd_compiler
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.bool_])
@pytest.mark.parametrize("op", ["sum", "max", "min", "all"])
def test_reductions(op, dtype):
    values = (np.random.default_rng(4).integers(-9, 10, N)).astype(dtype)

    @eagle.graph
    def recording(g, x):
        return g.reduce(op, x)

    (found,) = recording.build(up(values))().to_host()
    wanted = {"sum": np.sum, "max": np.max, "min": np.min, "all": np.all}[op](values)
    assert found == wanted


@pytest.mark.amd_compiler
@pytest.mark.parametrize("n", [1, 33, 4097])
def test_an_active_set(n):
    check_an_active_set(up, n)


MISSING = """
import numpy as np, eagle, hawk
from hawk import Param, Scalar
@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x
try:
    x = eagle.empty((4,), float, "hip:0")
    eagle.deploy(scale).run(x=x, a=2.0)
    print("no error")
except Exception as error:
    print(f"{type(error).__name__}: {error}".replace(chr(10), " "))
"""


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("EAGLE_HIP_DRIVER", "/no/libamdhip64.so.7", "BackendUnavailable: .*/no/libamdhip64.so.7.*install ROCm 6"),
        ("EAGLE_HIP_KFD", "/no/topology", "BackendUnavailable: .*the kernel shows no AMD devices for computing"),
        ("HAWK_HIP_CLANG", "no-such-clang", r"HawkError: \$HAWK_HIP_CLANG \(no-such-clang\) names no program"),
        ("HAWK_HIP_ARCH", " ", "HawkError: kernel 'scale' is to be compiled for AMD's processors, of which this machi"),
    ],
)
def test_what_is_missing_is_said_by_name(tmp_path, variable, value, words):
    script = tmp_path / "missing.py"
    script.write_text(MISSING)
    environment = {**os.environ, "HAWK_CACHE_DIR": str(tmp_path / "cache"), variable: value}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.match(words, done.stdout), done.stdout
