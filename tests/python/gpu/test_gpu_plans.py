"""Kernels of hawk on a card, against the same on the host."""

import numpy as np
import pytest

import eagle
import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector

N = 100_003


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def functions(x: Scalar, y: Scalar) -> Vector[6]:
    m = hawk.math
    root = m.sqrt(abs(x)) / (y * y + 1.0)
    return hawk.vector(m.sin(x), m.exp(0.1 * x), m.log(abs(y) + 1e-9), m.tanh(y), m.atan2(y, x), root)


@hawk.kernel
def divide(n: Mutable[Index], by: Index):
    n = n // by


@hawk.kernel
def fall(dt: Param, y: Mutable[Scalar], v: Mutable[Scalar], landed: Terminated):
    v = v - 9.81 * dt
    y = y + v * dt
    landed = y <= 0.0


@hawk.kernel
def count(x: Mutable[Scalar]):
    x = x + 1.0


def up(array):
    made = eagle.empty(array.shape, array.dtype, "cuda:0")
    eagle.copy(array, into=made)
    return made


def test_the_device_is_a_card():
    assert "fake" not in eagle.device_props("cuda").name


@pytest.mark.parametrize("n", [1, 31, 32, 33, 257, N])
def test_a_step_has_the_bits_of_the_host(n):
    x = np.random.default_rng(1).normal(size=n) * 10
    y = eagle.deploy(scale).run(x=up(x), a=1.7, b=-0.3)
    assert (y.to_host() == scale(x, 1.7, -0.3)).all()


def test_functions_have_the_bits_of_the_host():
    """The same operations, rounded alike: what a function is, is written in hawk's own headers."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=N) * 1e3, rng.normal(size=N)
    found, wanted = eagle.deploy(functions).run(x=up(x), y=up(y)).to_host(), functions(x, y)
    np.testing.assert_array_equal(found.view(np.int64), wanted.view(np.int64))


def test_a_fault_names_the_lowest_sample():
    by = np.ones(N, np.int64)
    by[[70_000, 77]] = 0
    n = np.arange(N)
    there = up(n)
    bound = eagle.deploy(divide).bind(n=there, by=up(by))
    with pytest.raises(ZeroDivisionError, match="sample 77"):
        bound.launch()
        bound.synchronize()
    assert (there.to_host() == n).all()


@pytest.mark.parametrize("max_steps", [7, 5_000])
def test_simulate_has_the_bits_and_the_steps_of_the_host(max_steps):
    start = np.random.default_rng(3).uniform(0.5, 200.0, N)
    host = {"y": start.copy(), "v": np.zeros(N), "landed": np.zeros(N, bool)}
    there = {name: up(plane) for name, plane in host.items()}
    wanted = eagle.simulate(fall, max_steps=max_steps, dt=0.01, **host)
    found = eagle.simulate(fall, max_steps=max_steps, dt=0.01, **there)
    assert (found.status, found.steps, found.done) == (wanted.status, wanted.steps, wanted.done)
    for name, plane in host.items():
        assert (there[name].to_host() == plane).all(), name


def test_a_graph_with_a_loop_is_replayed():
    @eagle.graph
    def chain(g, x, total):
        with g.repeat(10):
            g.launch(count, x=x)
        g.reduce("sum", x, into=total)

    x, total = up(np.zeros(N)), up(np.zeros(1))
    built = chain.build(x, total)
    for replay in (1, 2, 3):
        built()
        assert total.to_host()[0] == 10.0 * replay * N
