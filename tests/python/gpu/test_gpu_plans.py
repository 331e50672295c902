"""Kernels of hawk on a card, against the same on the host."""

import numpy as np
import pytest
from device_programs import check_a_fault_names_the_lowest_sample, check_simulate_is_that_of_the_host, copier, scale

import eagle
import hawk
from hawk import Mutable, Scalar, Vector

N = 100_003
up = copier("cuda:0")


@hawk.kernel
def functions(x: Scalar, y: Scalar) -> Vector[6]:
    m = hawk.math
    root = m.sqrt(abs(x)) / (y * y + 1.0)
    return hawk.vector(m.sin(x), m.exp(0.1 * x), m.log(abs(y) + 1e-9), m.tanh(y), m.atan2(y, x), root)


@hawk.kernel
def count(x: Mutable[Scalar]):
    x = x + 1.0


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
    check_a_fault_names_the_lowest_sample(up, N, 77, 70_000)


@pytest.mark.parametrize("max_steps", [7, 5_000])
def test_simulate_has_the_bits_and_the_steps_of_the_host(max_steps):
    check_simulate_is_that_of_the_host(up, N, 200.0, max_steps)


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
