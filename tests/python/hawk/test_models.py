"""Models that people port, as kernels, judged by what is known of them rather than by themselves."""

import math

import numpy as np
import pytest
from hawk_oracle import check

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated
from lorenz import BETA, lorenz


@hawk.kernel
def sir(
    beta: Scalar,
    gamma: Scalar,
    dt: Param,
    terminated: Terminated,
    s: Mutable[Scalar],
    i: Mutable[Scalar],
    t: Mutable[Scalar],
    peak: Mutable[Scalar],
    t_peak: Mutable[Scalar],
):
    infected = beta * s * i * dt
    s -= infected
    i += infected - gamma * i * dt
    t += dt
    if i > peak:
        peak, t_peak = i, t
    terminated = i < 1e-12


@hawk.kernel
def mandelbrot(
    cx: Scalar,
    cy: Scalar,
    cap: Param[Index],
    escaped: Terminated,
    x: Mutable[Scalar],
    y: Mutable[Scalar],
    n: Mutable[Index],
):
    x, y = x * x - y * y + cx, 2 * x * y + cy
    n += 1
    escaped = x * x + y * y > 4 or n >= cap


@hawk.kernel
def pendulum(
    dt: Param,
    t_end: Param,
    terminated: Terminated,
    theta: Mutable[Scalar],
    p: Mutable[Scalar],
    t: Mutable[Scalar],
    crossings: Mutable[Index],
    first: Mutable[Scalar],
    last: Mutable[Scalar],
):
    before = theta
    p -= 0.5 * dt * math.sin(theta)
    theta += dt * p
    p -= 0.5 * dt * math.sin(theta)
    if before < 0 <= theta:
        when = t + dt * before / (before - theta)
        if crossings == 0:
            first = when
        last = when
        crossings += 1
    t += dt
    terminated = t > t_end - 0.5 * dt


def run(kernel, steps, **planes):
    for _ in range(steps):
        kernel(**planes)
    return planes


def test_one_step_of_each_is_pythons():
    rng = np.random.default_rng(4)
    draws = [[float(v) for v in rng.normal(size=6)] for _ in range(21)]
    check(
        lorenz,
        [
            {"r": 28 + d[0], "terminated": False, "x": d[1], "y": d[2], "z": d[3], "t": 9.99, "z_max": 0.0}
            for d in draws
        ],
        dt=0.01,
        t_end=10.0,
    )
    check(
        sir,
        [
            {"beta": abs(d[0]), "gamma": abs(d[1]), "terminated": False, "s": 0.9, "i": abs(d[2]) * 0.01, "t": 1.0}
            | {"peak": 0.005, "t_peak": 0.5}
            for d in draws
        ],
        dt=0.05,
    )
    check(
        mandelbrot,
        [{"cx": d[0], "cy": d[1], "escaped": False, "x": d[2], "y": d[3], "n": k % 7} for k, d in enumerate(draws)],
        cap=5,
    )


def test_lorenz_comes_to_rest_where_it_must():
    """For 1 < r < 24.74 the points (+-sqrt(b (r - 1)), same, r - 1) attract (Lorenz, 1963)."""
    r = np.array([5.0, 10.0, 14.0])
    state = {"x": np.full(3, 1.0), "y": np.full(3, 1.0), "z": np.full(3, 1.0), "t": np.zeros(3), "z_max": np.zeros(3)}
    run(lorenz, 4000, r=r, dt=0.01, t_end=1e9, terminated=np.zeros(3, bool), **state)
    rest = np.sqrt(BETA * (r - 1))
    np.testing.assert_allclose(abs(state["x"]), rest, rtol=1e-6)
    np.testing.assert_allclose(state["z"], r - 1, rtol=1e-6)
    assert (state["z_max"] >= state["z"]).all()


def test_sir_infects_what_the_final_size_equation_says():
    """log(s_end / s_0) = -(beta / gamma) (s_0 + i_0 - s_end) for the epidemic's whole course."""
    beta, gamma = np.array([0.3, 0.6, 1.5]), np.array([0.2, 0.2, 0.5])
    s, i = np.full(3, 1 - 1e-4), np.full(3, 1e-4)
    done = np.zeros(3, bool)
    planes = {"s": s, "i": i, "t": np.zeros(3), "peak": np.zeros(3), "t_peak": np.zeros(3)}
    dt = 0.002
    for _ in range(500_000):
        sir(beta=beta, gamma=gamma, dt=dt, terminated=done, **planes)
        if done.all():
            break
    assert done.all() and (i < 1e-12).all()
    np.testing.assert_allclose(np.log(s / (1 - 1e-4)), -(beta / gamma) * (1 - s), rtol=2e-3)
    ratio = beta / gamma
    peak = 1 - (1 + np.log(ratio)) / ratio  # where s = gamma / beta
    np.testing.assert_allclose(planes["peak"], peak, rtol=5e-3)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_mandelbrot_counts(dtype):
    """0 never leaves; -2 stays on the border at 2; 0.25 crawls; 2 leaves at its second step; i is periodic."""
    kernel = hawk.kernel(dtype=dtype)(mandelbrot.function)
    cx, cy = np.array([0.0, -2.0, 0.25, 2.0, 0.0, 1.0], dtype), np.array([0.0, 0.0, 0.0, 0.0, 1.0, 0.0], dtype)
    x, y, n = np.zeros(6, dtype), np.zeros(6, dtype), np.zeros(6, np.int64)
    run(kernel, 200, cx=cx, cy=cy, cap=100, escaped=np.zeros(6, bool), x=x, y=y, n=n)
    # z after n steps: 2, 6 (escapes at 2); 1, 2, 5 (2 is not beyond the circle: escapes at 3).
    assert n.tolist() == [100, 100, 100, 2, 100, 3]


def test_a_pendulum_keeps_its_energy_and_its_period():
    """The period of amplitude a is 4 K(sin(a / 2)), with the arithmetic-geometric mean giving K."""
    amplitude = np.array([0.1, 1.0, 2.0, 3.1])
    theta, p = amplitude.copy(), np.zeros(4)
    planes = {"t": np.zeros(4), "crossings": np.zeros(4, np.int64), "first": np.zeros(4), "last": np.zeros(4)}
    run(pendulum, 60_000, dt=0.001, t_end=1e9, terminated=np.zeros(4, bool), theta=theta, p=p, **planes)
    energy = p * p / 2 - np.cos(theta)
    np.testing.assert_allclose(energy, -np.cos(amplitude), atol=1e-6)
    period = (planes["last"] - planes["first"]) / (planes["crossings"] - 1)
    for found, a in zip(period, amplitude, strict=True):
        u, v = 1.0, math.cos(a / 2)
        while u - v > 1e-15:
            u, v = (u + v) / 2, math.sqrt(u * v)
        assert found == pytest.approx(2 * math.pi / u, rel=1e-5)
