"""a * x + b where memory is the limit, beside STREAM's triad measured in the same run."""

from __future__ import annotations

import os

import numpy as np

import eagle

from .calls import scale
from .reference import Reference
from .timing import Row, in_turn, seconds_of

SAMPLES = 10_000_000


def rows() -> list[Row]:
    reference, threads = Reference(), len(os.sched_getaffinity(0))
    x, y, out = np.ones(SAMPLES), np.ones(SAMPLES), np.zeros(SAMPLES)
    bound = eagle.deploy(scale).bind(x=x, a=2.0, b=1.0, out=out)

    def triad() -> float:
        """Per byte of the triad's three arrays, scaled to the two arrays of a * x + b."""
        return seconds_of(lambda: reference.triad(out, x, y, 2.0, threads, False)) * 2 / 3

    ours, theirs = in_turn(lambda: seconds_of(bound.launch), triad, 15)
    numpy = min(seconds_of(lambda: np.add(2.0 * x, 1.0)) for _ in range(5))
    against = f"a {threads}-thread STREAM triad, a byte that STREAM counts (NumPy: {numpy / ours:.1f} times as long)"
    return [Row("throughput", "a * x + b over 1e7 samples", ours, theirs, against, 1 / 0.9, "ratio")]
