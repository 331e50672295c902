"""The picture of the demo: how long each oscillator took, and where in its swing it came to rest."""

import math
import os
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import LogNorm
from matplotlib.ticker import FixedLocator, NullLocator

INK, PAPER, ACCENT = "#1c2230", "#f7f5f0", "#c8553d"


def _map(values: Any, side: int) -> Any:
    grid = np.full(side * side, np.nan)
    grid[: values.size] = values
    return grid.reshape(side, side)


def _axes(ax: Any, title: str) -> None:
    ax.set(xscale="log", yscale="log", xlabel="natural frequency, rad/s", ylabel="damping ratio", title=title)
    for axis, ticks in ((ax.xaxis, [3, 5, 10, 20, 30]), (ax.yaxis, [0.05, 0.1, 0.2, 0.5, 1, 2])):
        axis.set_major_locator(FixedLocator(ticks))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter("{x:g}")
    ax.axhline(1.0, color="white", lw=1, ls=(0, (6, 4)), alpha=0.8)
    ax.text(0.985, 1.03, "critical damping", transform=ax.get_yaxis_transform(), color="white", ha="right", fontsize=10)


def _draw_map(figure: Any, ax: Any, planes: dict[str, Any], values: Any, title: str, label: str, **how: Any) -> None:
    side = math.isqrt(values.size - 1) + 1
    omega = np.geomspace(planes["omega"].min(), planes["omega"].max(), side)
    zeta = np.geomspace(planes["zeta"].min(), planes["zeta"].max() if side > 1 else planes["zeta"].min() + 1, side)
    mesh = ax.pcolormesh(omega, zeta, _map(values, side), shading="nearest", rasterized=True, **how)
    _axes(ax, title)
    bar = figure.colorbar(mesh, ax=ax, label=label, pad=0.02)
    if "vmax" in how:
        bar.set_ticks(range(-180, 181, 90))


def _draw_speed(ax: Any, result: Any, numpy_seconds: float) -> None:
    rates = [result.steps / seconds / 1e6 for seconds in (numpy_seconds, result.wall_s)]
    names = ["NumPy\n1 thread", f"eagle\n{len(os.sched_getaffinity(0))} threads"]
    bars = ax.barh(names, rates, color=["#8d99ae", ACCENT], height=0.6)
    for bar, rate in zip(bars, rates, strict=True):
        ax.text(rate, bar.get_y() + bar.get_height() / 2, f"  {rate:,.0f}", va="center", color=INK)
    ax.set(xlabel="million steps per second", title="same batch, same bits", xlim=(0, max(rates) * 1.25))


def _draw_steps(ax: Any, steps: Any) -> None:
    bins = np.geomspace(max(1, steps.min()), steps.max() + 1, 80)
    ax.hist(steps, bins=bins, color="#3d6b7d")
    ax.axvline(steps.mean(), color=ACCENT, lw=1.5)
    ax.text(steps.mean() * 1.06, ax.get_ylim()[1] * 0.9, f"mean {steps.mean():.0f}", color=ACCENT)
    ax.set(xscale="log", xlabel="steps until rest", ylabel="oscillators", title="each stops at its own step")


def draw(path: Path, planes: dict[str, Any], result: Any, numpy_seconds: float) -> Path:
    """Writes the picture to `path` and returns it."""
    style: Any = {
        "figure.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "text.color": INK,
        "axes.labelcolor": INK,
        "font.size": 11,
    }
    with plt.rc_context(style):
        figure = plt.figure(figsize=(15, 10.5), layout="constrained")
        grid = figure.add_gridspec(2, 2, height_ratios=[2.6, 1])
        steps = result.steps_per_sample
        phase = np.degrees(np.arctan2(result["v"] / planes["omega"], result["x"]))
        top = [figure.add_subplot(grid[0, i]) for i in range(2)]
        _draw_map(
            figure, top[0], planes, steps.astype(float), "steps until rest", "steps", cmap="magma", norm=LogNorm()
        )
        _draw_map(
            figure,
            top[1],
            planes,
            phase,
            "where in its swing it came to rest",
            "phase, degrees",
            cmap="twilight",
            vmin=-180,
            vmax=180,
        )
        _draw_steps(figure.add_subplot(grid[1, 0]), steps)
        _draw_speed(figure.add_subplot(grid[1, 1]), result, numpy_seconds)
        figure.suptitle(
            f"{result.samples:,} damped oscillators, {result.steps:,} steps in {result.wall_s:.2f} s", fontsize=16
        )
        figure.savefig(path, dpi=130)
        plt.close(figure)
    return path
