"""Pendulum: th' = p, p' = -sin th by leapfrog, from rest at up to 3.1 rad, until one whole swing is done.

Leapfrog is symplectic, so the energy error stays bounded however long a run is (Hairer, Lubich and Wanner, Geometric
Numerical Integration, 2006). A sample ends when p changes sign for the second time; the period is interpolated inside
that step.

    python examples/python/pendulum.py --samples 1000000 --out out/pendulum.png
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, arguments, plots, report, save
from hawk import Index, Mutable, Param, Scalar, Terminated
from hawk.math import sin


@hawk.kernel
def swing(
    dt: Param,
    terminated: Terminated,
    th: Mutable[Scalar],
    p: Mutable[Scalar],
    t: Mutable[Scalar],
    turns: Mutable[Index],
    period: Mutable[Scalar],
):
    before = p
    half = before - 0.5 * dt * sin(th)
    th += dt * half
    p = half - 0.5 * dt * sin(th)
    if (before < 0.0 and p >= 0.0) or (before > 0.0 and p <= 0.0):
        turns += 1
        period = t + dt * before / (before - p)
    t += dt
    terminated = turns >= 2


@hawk.kernel
def step(
    dt: Param,
    steps: Index,
    terminated: Terminated,
    th: Mutable[Scalar],
    p: Mutable[Scalar],
    k: Mutable[Index],
    worst: Mutable[Scalar],
    start: Scalar,
):
    half = p - 0.5 * dt * sin(th)
    th += dt * half
    p = half - 0.5 * dt * sin(th)
    worst = max(worst, abs(0.5 * p * p - hawk.math.cos(th) - start))
    k += 1
    terminated = k >= steps


def starts(n: int) -> dict[str, np.ndarray]:
    """At rest, from 0.1 to 3.1 rad."""
    return {
        "th": np.linspace(0.1, 3.1, n),
        "p": np.zeros(n),
        "t": np.zeros(n),
        "turns": np.zeros(n, np.int64),
        "period": np.zeros(n),
    }


def solve(planes: dict[str, np.ndarray], dt: float = 0.005) -> eagle.SimResult:
    """Runs every pendulum through one swing; the planes are updated in place."""
    return eagle.simulate(swing, max_steps=round(40 / dt), dt=dt, **planes)


def exact_period(amplitude: np.ndarray) -> np.ndarray:
    """2 pi / agm(1, cos(amplitude / 2)), the arithmetic-geometric mean of Gauss."""
    a, b = np.ones_like(amplitude), np.cos(0.5 * amplitude)
    for _ in range(12):
        a, b = 0.5 * (a + b), np.sqrt(a * b)
    return 2.0 * np.pi / a


def energy_error(n: int, steps: int, dt: float) -> np.ndarray:
    """Largest |energy - energy at the start| that each of n samples met over `steps` steps."""
    th = np.linspace(0.1, 3.1, n)
    start, worst = -np.cos(th), np.zeros(n)
    eagle.simulate(
        step,
        max_steps=steps,
        dt=dt,
        steps=np.full(n, steps),
        th=th,
        p=np.zeros(n),
        k=np.zeros(n, np.int64),
        worst=worst,
        start=start,
    )
    return worst


def check(amplitude: np.ndarray, planes: dict[str, np.ndarray], dt: float = 0.005, steps: int = 100_000) -> list[Check]:
    """(what, found, bound): the period against its closed form, and the energy over a long run and a finer one."""
    error = np.abs(planes["period"] / exact_period(amplitude) - 1.0)
    coarse, fine = energy_error(500, steps, 0.02), energy_error(500, steps, 0.01)
    drift = energy_error(500, 10 * steps // 100, 0.02)
    return [
        ("period against 2 pi / agm(1, cos(a/2)), relative", float(error.max()), 1e-4),
        (f"energy error over {steps:,} steps of 0.02", float(coarse.max()), 2e-4),
        ("its ratio to the error of half the step, less 4", abs(float(np.median(coarse / fine)) - 4.0), 0.1),
        ("its growth from a run of a tenth, less 1", float(np.max(coarse / drift)) - 1.0, 0.05),
    ]


def picture(amplitude: np.ndarray, planes: dict[str, np.ndarray], path: Path) -> None:
    """The period over the amplitude, its error, and the energy error of a long run."""
    figure, axes = plots(1, 2, f"Pendulum, {len(amplitude):,} samples")
    exact = exact_period(amplitude)
    axes[0].plot(amplitude, exact, color="black", linewidth=3, alpha=0.3, label="2 pi / agm(1, cos(a/2))")
    axes[0].plot(amplitude, planes["period"], linewidth=1, label="leapfrog")
    axes[0].set_ylabel("period")
    axes[0].legend()
    axes[1].semilogy(amplitude, np.abs(planes["period"] / exact - 1.0) + 1e-16, label="period, relative")
    few = np.linspace(0.1, 3.1, 500)
    axes[1].semilogy(few, energy_error(500, 100_000, 0.02), label="energy, 100,000 steps of 0.02")
    axes[1].set_ylabel("error")
    axes[1].legend()
    for axis in axes:
        axis.set_xlabel("amplitude, rad")
    save(figure, path)


def main(argv: list[str] | None = None) -> None:
    options = arguments(__doc__, "pendulum", argv)
    planes = starts(options.samples)
    amplitude = planes["th"].copy()
    report(solve(planes), check(amplitude, planes))
    picture(amplitude, planes, options.out)


if __name__ == "__main__":
    main()
