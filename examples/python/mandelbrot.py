"""Mandelbrot set: z -> z^2 + c for every pixel until it escapes, each pixel stopping at its own step.

Real arithmetic, escape when x^2 + y^2 > 4, at most 1000 iterations; the exact steps of each sample are the picture.

    python examples/python/mandelbrot.py --samples 1000000 --out out/mandelbrot.png
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, arguments, plots, report, save
from hawk import Mutable, Scalar, Terminated

CAP = 1000


def iterate(cx: Scalar, cy: Scalar, terminated: Terminated, x: Mutable[Scalar], y: Mutable[Scalar]):
    """One iteration; the sample finishes when it has left the circle of radius 2."""
    x0 = x
    x = x0 * x0 - y * y + cx
    y = 2.0 * x0 * y + cy
    terminated = x * x + y * y > 4.0


mandelbrot = hawk.kernel(iterate)
mandelbrot32 = hawk.kernel(dtype="float32", name="mandelbrot32")(iterate)


def pixels(n: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
    """About n points of [-2.2, 0.8] x [-1.5, 1.5], symmetric about the real axis."""
    side = max(2, math.isqrt(n))
    offset = np.arange(side) - (side - 1) / 2.0  # exactly symmetric, so that the picture is
    cx, cy = np.meshgrid(-0.7 + offset * (3.0 / (side - 1)), offset * (3.0 / (side - 1)))
    return cx.ravel().astype(dtype), cy.ravel().astype(dtype)


def escape_counts(cx: np.ndarray, cy: np.ndarray) -> eagle.SimResult:
    """`steps_per_sample` counts the iterations until escape; `done` is False where CAP iterations stayed inside."""
    kernel = mandelbrot if cx.dtype == np.float64 else mandelbrot32
    return eagle.simulate(kernel, max_steps=CAP, cx=cx, cy=cy, x=np.zeros_like(cx), y=np.zeros_like(cy))


def inside_by_formula(cx: np.ndarray, cy: np.ndarray) -> np.ndarray:
    """Points of the main cardioid and of the disc of period two, which never escape, with a margin for rounding."""
    q = (cx - 0.25) ** 2 + cy**2
    return (q * (q + cx - 0.25) < 0.2499 * cy**2) | ((cx + 1.0) ** 2 + cy**2 < 0.0624)


def check(cx: np.ndarray, cy: np.ndarray, result: eagle.SimResult) -> list[Check]:
    """(what, found, bound) of what is known about the set."""
    counts, inside = result.steps_per_sample, ~result.finished_mask
    side = math.isqrt(len(cx))
    rows = counts.reshape(side, side)
    # The set's area is 1.50659 (Foerstemann 2012); a finite cap and pixels of finite size leave it a little larger.
    area = inside.mean() * 9.0
    return [
        ("points of the cardioid and the disc that escaped", float(np.sum(~inside[inside_by_formula(cx, cy)])), 0.0),
        ("pixels unlike their mirror image", float(np.sum(rows != rows[::-1])), 0.0),
        ("area less 1.50659", abs(area - 1.50659), 0.02 + 12.0 / side),
        ("pixels beyond radius 2 that did not escape at once", float(np.sum(counts[cx**2 + cy**2 > 4.001] != 1)), 0.0),
    ]


def picture(counts: np.ndarray, path: Path) -> None:
    """Escape counts on a logarithmic scale, the set itself black."""
    side = math.isqrt(len(counts))
    shades = np.ma.masked_where(counts == CAP, np.log(counts))
    figure, axis = plots(1, 1, f"Mandelbrot set, {side} x {side} samples, at most {CAP} steps each")
    figure.set_size_inches(9, 9.4)
    import matplotlib

    colours = matplotlib.colormaps["twilight_shifted"].with_extremes(bad="black")
    axis.imshow(shades.reshape(side, side), origin="lower", extent=(-2.2, 0.8, -1.5, 1.5), cmap=colours)
    axis.set_xlabel("Re c")
    axis.set_ylabel("Im c")
    save(figure, path)


def main(argv: list[str] | None = None) -> None:
    options = arguments(__doc__, "mandelbrot", argv)
    for dtype in (np.float32, np.float64):
        cx, cy = pixels(options.samples, dtype)
        result = escape_counts(cx, cy)
        print(cx.dtype, end=": ")
        report(result, check(cx, cy, result))
    picture(result.steps_per_sample, options.out)


if __name__ == "__main__":
    main()
