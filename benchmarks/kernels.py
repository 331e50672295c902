"""A million oscillators through `eagle.simulate` beside the hand-written loops: same arithmetic, same bits."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

import eagle
import hawk
from hawk import Mutable, Param, Scalar, Terminated

from .reference import Reference
from .timing import Row, in_turn, seconds_of

SAMPLES, STEPS, DT, ROUNDS = 1_000_000, 1000, 1e-3, 7


@hawk.kernel
def euler(
    omega: Scalar,
    dt: Param,
    t_end: Param,
    terminated: Terminated,
    x: Mutable[Scalar],
    v: Mutable[Scalar],
    t: Mutable[Scalar],
):
    x0 = x
    x = x0 + dt * v
    v = v - dt * omega * omega * x0
    t += dt
    terminated = t >= t_end


def slope(x, v, w2, c):
    return -(w2 * x) - c * v


@hawk.kernel
def rk4(
    w2: Scalar,
    c: Scalar,
    last: Scalar,
    dt: Param,
    terminated: Terminated,
    x: Mutable[Scalar],
    v: Mutable[Scalar],
    k: Mutable[Scalar],
):
    h = 0.5 * dt
    v1, a1 = v, slope(x, v, w2, c)
    v2 = v + h * a1
    a2 = slope(x + h * v1, v2, w2, c)
    v3 = v + h * a2
    a3 = slope(x + h * v2, v3, w2, c)
    v4 = v + dt * a3
    a4 = slope(x + dt * v3, v4, w2, c)
    x = x + dt / 6.0 * ((v1 + 2.0 * (v2 + v3)) + v4)
    v = v + dt / 6.0 * ((a1 + 2.0 * (a2 + a3)) + a4)
    k += 1.0
    terminated = k >= last


def rows() -> list[Row]:
    reference, threads = Reference(), len(os.sched_getaffinity(0))
    against = f"hand-written {reference.instructions}, {threads} threads"
    omega = np.linspace(1.0, 3.0, SAMPLES)
    damping = np.linspace(0.05, 0.5, SAMPLES)
    same = np.full(SAMPLES, float(STEPS))
    spread = np.floor(np.exp(np.random.default_rng(1).uniform(0.0, np.log(STEPS), SAMPLES)))

    def euler_ours(state: dict[str, np.ndarray]) -> object:
        return eagle.simulate(euler, max_steps=STEPS, omega=omega, dt=DT, t_end=1.0, **state)

    def rk4_ours(last: np.ndarray) -> Callable[[dict[str, np.ndarray]], object]:
        return lambda state: eagle.simulate(rk4, max_steps=STEPS, w2=omega, c=damping, last=last, dt=DT, **state)

    def rk4_theirs(name: str, last: np.ndarray) -> Callable[[dict[str, np.ndarray]], object]:
        return lambda state: reference.rk4(name, state, (omega, damping, last), DT, threads)

    return [
        _row(
            f"Euler oscillator, every sample {STEPS} steps",
            "xvt",
            euler_ours,
            lambda state: reference.euler(state, omega, DT, 1.0, STEPS, threads),
            against,
        ),
        _row(
            f"RK4 damped oscillator, every sample {STEPS} steps",
            "xvk",
            rk4_ours(same),
            rk4_theirs("tiles", same),
            against,
        ),
        _row(
            f"RK4, stop steps log-uniform in 1..{STEPS}",
            "xvk",
            rk4_ours(spread),
            rk4_theirs("refilled", spread),
            f"{against}, lanes refilled",
        ),
    ]


def _row(name: str, planes: str, ours: Callable, theirs: Callable, against: str) -> Row:
    """Times of both on fresh state; their results must be equal to the bit."""
    results: dict[str, dict[str, np.ndarray]] = {}

    def timed(side: str, call: Callable) -> float:
        state = results[side] = {p: np.ones(SAMPLES) if p == "x" else np.zeros(SAMPLES) for p in planes}
        for plane in state.values():
            plane += 0.0  # touches every page before the clock starts
        return seconds_of(lambda: call(state))

    mine, other = in_turn(lambda: timed("ours", ours), lambda: timed("reference", theirs), ROUNDS)
    for plane in planes:
        if not np.array_equal(results["ours"][plane], results["reference"][plane]):
            raise SystemExit(f"{name}: plane {plane} differs from the reference")
    return Row("kernels", name, mine, other, against, 1.1, "ratio")
