"""SIR sweep: a grid of contact and recovery rates, each epidemic run until it has died out.

S' = -beta S I, I' = beta S I - gamma I, R' = gamma I (Kermack and McKendrick, 1927), fractions of the population.
A sample ends when I falls below 1e-12. Reports the attack rate, the peak of I and its time.

    python examples/python/sir.py --samples 1000000 --out out/sir.png
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, arguments, plots, report, save
from hawk import Mutable, Param, Scalar, Terminated

I0 = 1e-4


def slope(s, i, beta, gamma):
    new = beta * s * i
    return -new, new - gamma * i


@hawk.kernel
def sir(
    beta: Scalar,
    gamma: Scalar,
    dt: Param,
    gone: Param,
    terminated: Terminated,
    s: Mutable[Scalar],
    i: Mutable[Scalar],
    t: Mutable[Scalar],
    peak: Mutable[Scalar],
    peak_time: Mutable[Scalar],
):
    h = 0.5 * dt
    s1, i1 = slope(s, i, beta, gamma)
    s2, i2 = slope(s + h * s1, i + h * i1, beta, gamma)
    s3, i3 = slope(s + h * s2, i + h * i2, beta, gamma)
    s4, i4 = slope(s + dt * s3, i + dt * i3, beta, gamma)
    s += dt / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4)
    i += dt / 6.0 * (i1 + 2.0 * i2 + 2.0 * i3 + i4)
    t += dt
    if i > peak:
        peak = i
        peak_time = t
    terminated = i < gone


def grid(n: int) -> dict[str, np.ndarray]:
    """About n samples: beta over 0.1..3 and gamma over 0.1..1, per day."""
    side = max(2, math.isqrt(n))
    beta, gamma = np.meshgrid(np.linspace(0.1, 3.0, side), np.linspace(0.1, 1.0, side), indexing="ij")
    count = side * side
    return {
        "beta": beta.ravel(),
        "gamma": gamma.ravel(),
        "s": np.full(count, 1.0 - I0),
        "i": np.full(count, I0),
        "t": np.zeros(count),
        "peak": np.full(count, I0),
        "peak_time": np.zeros(count),
    }


def solve(planes: dict[str, np.ndarray], dt: float = 0.05, max_steps: int = 1_000_000) -> eagle.SimResult:
    """Runs every epidemic to its end; the planes are updated in place."""
    return eagle.simulate(sir, max_steps=max_steps, dt=dt, gone=1e-12, **planes)


def order_of_convergence() -> float:
    """log2 of how much smaller the error of the final size gets when the step is halved; RK4 promises 4."""
    errors = []
    for dt in (0.1, 0.05):
        planes = grid(2500)
        solve(planes, dt)
        errors.append(np.max(final_size_error(planes)))
    return float(np.log2(errors[0] / errors[1]))


def final_size_error(planes: dict[str, np.ndarray]) -> np.ndarray:
    """|ln(S / S0) + R0 (1 - S)|: I + S - ln(S) / R0 is constant along a solution, and I is gone at the end."""
    return np.abs(np.log(planes["s"] / (1.0 - I0)) + planes["beta"] / planes["gamma"] * (1.0 - planes["s"]))


def check(planes: dict[str, np.ndarray]) -> list[Check]:
    """(what, found, bound): conserved quantities of the equations, at the end and at the peak."""
    r0 = planes["beta"] / planes["gamma"]
    s0 = 1.0 - I0
    grows = r0 * s0 > 1.01
    peak = 1.0 - (1.0 + np.log(r0[grows] * s0)) / r0[grows]
    return [
        ("final size relation ln(S/S0) = -R0 (1 - S)", float(np.max(final_size_error(planes))), 5e-5),
        ("order of convergence of that, less 4", abs(order_of_convergence() - 4.0), 0.5),
        ("peak of I against its closed form", float(np.max(np.abs(planes["peak"][grows] - peak))), 2e-4),
        (
            "samples without an outbreak whose I grew",
            float(np.max(planes["peak"][r0 * s0 < 1.0] - I0, initial=0.0)),
            0.0,
        ),
    ]


def picture(planes: dict[str, np.ndarray], path: Path) -> None:
    """Attack rate, peak, its time and the length of the epidemic over the grid."""
    side = math.isqrt(len(planes["s"]))
    maps = {
        "attack rate 1 - S": 1.0 - planes["s"],
        "peak of I": planes["peak"],
        "day of the peak": np.where(planes["peak"] > I0, planes["peak_time"], np.nan),
        "days until I < 1e-12": planes["t"],
    }
    figure, axes = plots(2, 2, f"SIR sweep, {side * side:,} epidemics (dashed: R0 = 1)")
    for axis, (title, values) in zip(axes.flat, maps.items(), strict=True):
        norm = "log" if title.startswith("day") else None
        image = axis.imshow(
            values.reshape(side, side).T,
            origin="lower",
            extent=(0.1, 3.0, 0.1, 1.0),
            aspect="auto",
            cmap="viridis",
            norm=norm,
        )
        axis.plot([0.1, 1.0], [0.1, 1.0], color="white", linewidth=1, linestyle="--")
        axis.set_xlabel("beta, per day")
        axis.set_ylabel("gamma, per day")
        axis.set_title(title)
        figure.colorbar(image, ax=axis)
    save(figure, path)


def main(argv: list[str] | None = None) -> None:
    options = arguments(__doc__, "sir", argv)
    planes = grid(options.samples)
    report(solve(planes), check(planes))
    picture(planes, options.out)


if __name__ == "__main__":
    main()
