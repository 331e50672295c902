"""Times as ratios: the two sides of a row take turns, so that a busy neighbour slows both."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table. Times in seconds; `goal` is the most that the value may be, in `unit`: less is better."""

    group: str
    name: str
    ours: float
    reference: float | None
    against: str
    goal: float
    unit: str  # "ratio": our time over the reference's, for the same work or the same bytes; else "us" or "ms"

    @property
    def value(self) -> float:
        if self.unit == "ratio":
            assert self.reference is not None
            return self.ours / self.reference
        return self.ours * {"us": 1e6, "ms": 1e3}[self.unit]

    @property
    def reached(self) -> bool:
        return self.value <= self.goal

    def as_dict(self) -> dict[str, object]:
        return asdict(self) | {"value": self.value, "reached": self.reached}


def seconds_of(call: Callable[[], object]) -> float:
    """Seconds of one call on the wall."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def in_turn(first: Callable[[], float], second: Callable[[], float], rounds: int) -> tuple[float, float]:
    """What each returns (seconds): the medians of `rounds` rounds in turn, after one of each to warm up."""
    first()
    second()
    times = [(first(), second()) for _ in range(rounds)]
    return statistics.median(t for t, _ in times), statistics.median(t for _, t in times)


def per_call(statement: str, names: dict[str, object], seconds: float = 0.5, rounds: int = 9) -> float:
    """Seconds of one short statement: the least over rounds of the mean over a loop of about `seconds` / `rounds`."""
    timer = timeit.Timer(statement, globals=names)
    count = 1
    while timer.timeit(count) < seconds / rounds / 2:
        count *= 2
    return min(timer.repeat(rounds, count)) / count
