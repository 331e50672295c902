"""A job that outgrows one machine: the same script on one process, or on several under mpiexec.

The standard map p' = p + K sin q, q' = q + p' (Chirikov, Phys. Rep. 52, 1979) over a grid of K and of starts, iterated
together with its tangent map: the mean logarithm of the tangent's growth is the Lyapunov exponent, which for large K is
ln(K / 2). Each rank steps its own part of the grid, and in the end every rank has all of it, the same bits for any
number of ranks.

    python examples/python/ranks.py --samples 1000000 --out out/ranks.png
    mpiexec -n 4 python -m mpi4py examples/python/ranks.py --samples 1000000

`-m mpi4py` ends the whole job when one rank fails between the calls.
"""

from __future__ import annotations

import hashlib
import math
import time
from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, arguments, plots, save
from hawk import Mutable, Scalar

EACH = 20  # steps a launch
LAUNCHES = 50
LARGEST = 20.0


@hawk.kernel
def steps(
    k: Scalar,
    q: Mutable[Scalar],
    p: Mutable[Scalar],
    u: Mutable[Scalar],
    v: Mutable[Scalar],
    growth: Mutable[Scalar],
):
    for _ in range(EACH):
        c = hawk.math.cos(q)
        p += k * hawk.math.sin(q)
        q += p
        v += k * c * u
        u += v
    size = hawk.math.sqrt(u * u + v * v)
    growth += hawk.math.log(size)
    u = u / size
    v = v / size


def grid(n: int) -> dict[str, np.ndarray]:
    """About n samples: K over 0 to LARGEST, by starts q along a line; the tangent begins as (1, 0)."""
    side = max(2, math.isqrt(n))
    k, q = np.meshgrid(np.linspace(0.0, LARGEST, side), np.linspace(0.1, 6.1, side), indexing="ij")
    count = side * side
    planes = {"k": k.ravel(), "q": q.ravel(), "p": np.full(count, 0.3), "u": np.ones(count), "v": np.zeros(count)}
    return planes | {"growth": np.zeros(count)}


def solve(planes: dict[str, np.ndarray], ranks: eagle.exec.RankPartition) -> np.ndarray:
    """The exponent of every sample, on every rank. `ranks` leaves planes apart while they are stepped."""
    bound = eagle.plan(steps, structure=ranks).bind(**planes)
    for _ in range(LAUNCHES):
        bound.launch()
    ranks.allgather(planes["growth"])
    return planes["growth"] / (EACH * LAUNCHES)


def checks(planes: dict[str, np.ndarray], exponent: np.ndarray) -> list[Check]:
    chaotic = planes["k"] > 8.0
    side = math.isqrt(len(exponent))
    mean = exponent.reshape(side, side).mean(axis=1)
    k = planes["k"].reshape(side, side)[:, 0]
    off = np.abs(mean[k > 8.0] - np.log(k[k > 8.0] / 2.0))
    # Islands of regular motion come and go with K, and make the mean of a row smaller.
    return [
        ("least exponent where K > 8, distance below 0", float(max(0.0, -exponent[chaotic].min())), 0.02),
        ("median distance of a row's mean from ln(K / 2)", float(np.median(off)), 0.02),
        ("exponent at K = 0, where nothing grows", float(abs(mean[0])), 1e-12),
    ]


def picture(planes: dict[str, np.ndarray], exponent: np.ndarray, path: Path) -> None:
    side = math.isqrt(len(exponent))
    figure, axis = plots(1, 1, "Largest Lyapunov exponent of the standard map")
    k = planes["k"].reshape(side, side)[:, 0]
    axis.plot(k, exponent.reshape(side, side).mean(axis=1), label="mean over starts")
    axis.plot(k[k > 2.0], np.log(k[k > 2.0] / 2.0), "--", label="ln(K / 2)")
    axis.set_xlabel("K")
    axis.set_ylabel("exponent, per step")
    axis.legend()
    save(figure, path)


def main(argv: list[str] | None = None) -> None:
    assert __doc__ is not None
    options = arguments(__doc__, "ranks", argv)
    ranks = eagle.exec.RankPartition(gather=False)
    planes = grid(options.samples)
    begin = time.perf_counter()
    exponent = solve(planes, ranks)
    took = time.perf_counter() - begin
    if ranks.rank != 0:
        return
    digest = hashlib.sha256(exponent.tobytes()).hexdigest()[:16]
    n = EACH * LAUNCHES
    print(
        f"{len(exponent):,} samples of {n:,} steps on {ranks.size} ranks, {len(exponent) * n / took:.3g} sample-steps/s"
    )
    print(f"  bits: {digest}")
    for what, found, bound in checks(planes, exponent):
        print(f"  {what}: {found:.3g} (bound {bound:g})")
        if not found <= bound:
            raise SystemExit(f"{what}: {found:g} is above {bound:g}")
    picture(planes, exponent, options.out)


if __name__ == "__main__":
    main()
