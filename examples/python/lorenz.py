"""Lorenz ensemble: a million starts, each with its own r, integrated by RK4 to t = 10.

x' = s (y - x), y' = x (r - z) - y, z' = x y - b z with s = 10, b = 8/3 (E. N. Lorenz, 1963). Reports the final
state and the largest z that each sample met.

    python examples/python/lorenz.py --samples 1000000 --out out/lorenz.png
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, arguments, plots, report, save
from hawk import Mutable, Param, Scalar, Terminated

SIGMA, BETA = 10.0, 8.0 / 3.0


def slope(x, y, z, r):
    return SIGMA * (y - x), x * (r - z) - y, x * y - BETA * z


@hawk.kernel
def lorenz(
    r: Scalar,
    dt: Param,
    t_end: Param,
    terminated: Terminated,
    x: Mutable[Scalar],
    y: Mutable[Scalar],
    z: Mutable[Scalar],
    t: Mutable[Scalar],
    z_max: Mutable[Scalar],
):
    h = 0.5 * dt
    ax, ay, az = slope(x, y, z, r)
    bx, by, bz = slope(x + h * ax, y + h * ay, z + h * az, r)
    cx, cy, cz = slope(x + h * bx, y + h * by, z + h * bz, r)
    dx, dy, dz = slope(x + dt * cx, y + dt * cy, z + dt * cz, r)
    x += dt / 6.0 * (ax + 2.0 * bx + 2.0 * cx + dx)
    y += dt / 6.0 * (ay + 2.0 * by + 2.0 * cy + dy)
    z += dt / 6.0 * (az + 2.0 * bz + 2.0 * cz + dz)
    z_max = max(z_max, z)
    t += dt
    terminated = t > t_end - 0.5 * dt


def starts(n: int, seed: int = 1) -> dict[str, np.ndarray]:
    """r over 0..50 in order, starts within 0.01 of (1, 0, 0)."""
    rng = np.random.default_rng(seed)
    near = rng.uniform(-0.01, 0.01, (3, n))
    return {
        "r": np.linspace(0.0, 50.0, n),
        "x": 1.0 + near[0],
        "y": near[1].copy(),
        "z": near[2].copy(),
        "t": np.zeros(n),
        "z_max": near[2].copy(),
    }


def solve(planes: dict[str, np.ndarray], dt: float = 0.005, t_end: float = 10.0) -> eagle.SimResult:
    """Runs every sample to t_end; the planes are updated in place."""
    return eagle.simulate(lorenz, max_steps=10 * round(t_end / dt), dt=dt, t_end=t_end, **planes)


def check_volume(dt: float = 0.001, t_end: float = 0.5) -> float:
    """Phase-space volume shrinks by exp(-(s + 1 + b) t) whatever r is (Liouville): relative error of that factor."""
    n, eps = 500, 1e-5
    r = np.repeat(np.linspace(0.0, 50.0, n), 6)
    offset = np.tile(np.vstack([eps * np.eye(3), -eps * np.eye(3)]), (n, 1))
    planes = {"r": r, "x": 1.0 + offset[:, 0], "y": offset[:, 1].copy(), "z": offset[:, 2].copy()}
    planes |= {"t": np.zeros(6 * n), "z_max": np.zeros(6 * n)}
    solve(planes, dt, t_end)
    state = np.stack([planes["x"], planes["y"], planes["z"]], axis=-1).reshape(n, 6, 3)
    factor = np.linalg.det((state[:, :3] - state[:, 3:]) / (2.0 * eps))
    expected = np.exp(-(SIGMA + 1.0 + BETA) * t_end)
    return float(np.max(np.abs(factor / expected - 1.0)))


def check_fixed_points() -> float:
    """For 2 <= r <= 10 every orbit spirals into (+-q, +-q, r - 1), q = sqrt(b (r - 1)): largest distance at t = 60."""
    planes = starts(1000)
    planes["r"] = np.linspace(2.0, 10.0, 1000)
    solve(planes, 0.005, 60.0)
    q = np.sqrt(BETA * (planes["r"] - 1.0))
    return float(
        max(
            np.max(np.abs(np.abs(planes["x"]) - q)),
            np.max(np.abs(np.abs(planes["y"]) - q)),
            np.max(np.abs(planes["z"] - (planes["r"] - 1.0))),
        )
    )


def check() -> list[Check]:
    """(what, found, bound) of each property that the equations promise."""
    return [
        ("volume contraction, relative error", check_volume(), 1e-4),
        ("distance to the fixed points for r in 2..10", check_fixed_points(), 1e-6),
    ]


def picture(planes: dict[str, np.ndarray], path: Path) -> None:
    """The largest z against r as points; the final z against r as a density, on a grid that the samples fill."""
    figure, (left, right) = plots(1, 2, f"Lorenz ensemble, {len(planes['r']):,} samples")
    left.plot(planes["r"], planes["z_max"], ".", markersize=1, color="#3b0f70", rasterized=True)
    left.set_title("largest z up to t = 10")
    cells = int(np.clip(np.sqrt(len(planes["r"])) / 2, 50, 400))
    right.set_facecolor("black")
    *_, image = right.hist2d(planes["r"], planes["z"], bins=cells, cmap="magma", norm="log")
    right.set_title("z at t = 10")
    figure.colorbar(image, ax=right, label="samples in a cell")
    for axis in (left, right):
        axis.set_xlabel("r")
        axis.set_ylabel("z")
    save(figure, path)


def main(argv: list[str] | None = None) -> None:
    options = arguments(__doc__, "lorenz", argv)
    planes = starts(options.samples)
    report(solve(planes), check())
    picture(planes, options.out)


if __name__ == "__main__":
    main()
