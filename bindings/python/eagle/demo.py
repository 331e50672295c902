"""python -m eagle demo: damped oscillators over a map of frequency and damping, each run until it has come to rest."""

import math
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from ._demo_kernel import oscillator
from ._simulate import SimResult, simulate

DT = 0.01
REST = 1e-4  # an oscillator is at rest when this share of its energy is left
CAP = 20_000
FREQUENCY = (3.0, 30.0)  # rad/s, across the map
DAMPING = (0.05, 2.0)  # of critical, up the map
BLOCK = 8192  # samples that NumPy works on at a time, so that they stay in the cache


def batch(samples: int) -> dict[str, Any]:
    """`samples` oscillators, row by row over a square map, all let go at x = 1."""
    side = math.isqrt(samples - 1) + 1
    omega, zeta = np.meshgrid(np.geomspace(*FREQUENCY, side), np.geomspace(*DAMPING, side))
    return {
        "omega": omega.ravel()[:samples].copy(),
        "zeta": zeta.ravel()[:samples].copy(),
        "terminated": np.zeros(samples, bool),
        "x": np.ones(samples),
        "v": np.zeros(samples),
    }


def _numpy_block(omega: Any, zeta: Any, x: Any, v: Any, steps: Any) -> None:
    """The kernel's arithmetic, operation by operation, on one block; finished samples are noted and, by and by,
    dropped.
    """
    stiffness, drag = omega * omega, 2.0 * zeta * omega
    limit = REST * stiffness
    place, live, now = np.arange(x.size), x.size, 0
    px, pv = x.copy(), v.copy()
    a, b, done = np.empty_like(px), np.empty_like(px), np.empty(x.size, bool)
    while live and now < CAP:
        now += 1
        np.multiply(drag, pv, out=a)
        np.multiply(stiffness, px, out=b)
        a += b
        a *= DT
        pv -= a
        np.multiply(pv, DT, out=a)
        px += a
        np.multiply(pv, pv, out=a)
        np.multiply(stiffness, px, out=b)
        b *= px
        a += b
        np.less_equal(a, limit, out=done)
        if not done.any():
            continue
        at = np.flatnonzero(done)
        x[place[at]], v[place[at]], steps[place[at]] = px[at], pv[at], now
        limit[at] = -1.0  # noted once
        live -= at.size
        if live < 0.75 * px.size:
            keep = np.flatnonzero(limit > 0)
            stiffness, drag, limit, place = stiffness[keep], drag[keep], limit[keep], place[keep]
            px, pv = px[keep], pv[keep]
            a, b, done = a[: keep.size], b[: keep.size], done[: keep.size]


def with_numpy(planes: dict[str, Any]) -> tuple[Any, Any, Any, float]:
    """The same batch with NumPy: final x and v, steps of each sample, seconds."""
    x, v, steps = planes["x"].copy(), planes["v"].copy(), np.zeros(planes["x"].size, np.int64)
    started = time.perf_counter()
    for begin in range(0, x.size, BLOCK):
        block = slice(begin, begin + BLOCK)
        _numpy_block(planes["omega"][block], planes["zeta"][block], x[block], v[block], steps[block])
    return x, v, steps, time.perf_counter() - started


def with_eagle(planes: dict[str, Any]) -> SimResult:
    """The batch through `eagle.simulate`, in place."""
    return simulate(oscillator, max_steps=CAP, dt=DT, rest=REST, **planes)


def _row(name: str, samples: int, steps: int, seconds: float, threads: int) -> str:
    return f"{name:<8}{samples:>12,}{steps:>16,}{seconds:>10.3f} s{steps / seconds:>16.3g}{threads:>9}"


def _agree(result: SimResult, x: Any, v: Any, steps: Any) -> str | None:
    """What differs, or None."""
    for name, ours, theirs in (("x", result["x"], x), ("v", result["v"], v), ("steps", result.steps_per_sample, steps)):
        if not np.array_equal(ours, theirs):
            worst = int(np.flatnonzero(ours != theirs)[0])
            return f"{name} of sample {worst} is {ours[worst]!r} with eagle and {theirs[worst]!r} with NumPy"
    if int(result.steps) != int(steps.sum()):
        return f"eagle counts {result.steps} steps and NumPy {steps.sum()}"
    return None


def _picture(folder: Path, planes: dict[str, Any], result: SimResult, numpy_seconds: float) -> Path:
    from . import _demo_picture

    return _demo_picture.draw(folder / "oscillators.png", planes, result, numpy_seconds)


def main(samples: int, folder: Path) -> int:
    """Runs the batch both ways, prints the table and writes the picture; 1 when the results differ."""
    if samples < 1:
        print(f"--samples is {samples}; it must be at least 1")
        return 2
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"--out is {str(folder)!r}, which cannot be made ({error.strerror}); it must be a folder of yours")
        return 2
    with_eagle(batch(64))  # compiles the kernel, so that the table is about running it
    planes = batch(samples)
    x, v, steps, numpy_seconds = with_numpy(planes)
    result = with_eagle(planes)
    print(f"{'':<8}{'samples':>12}{'steps':>16}{'time':>12}{'sample-steps/s':>16}{'threads':>9}")
    print(_row("eagle", samples, result.steps, result.wall_s, len(os.sched_getaffinity(0))))
    print(_row("NumPy", samples, int(steps.sum()), numpy_seconds, 1))
    difference = _agree(result, x, v, steps)
    if difference is not None:
        print(f"the results differ: {difference}")
        return 1
    times = numpy_seconds / result.wall_s
    print(f"eagle is {times:.1f} times as fast; every state and every step count agrees to the bit")
    try:
        print(f"picture: {_picture(folder, planes, result, numpy_seconds)}")
    except ImportError:
        print("no picture: matplotlib is not installed (pip install 'libeagle[plot]')")
    return 0
