"""What one call costs at one sample, where the work itself is nothing."""

from __future__ import annotations

import numpy as np

import eagle
import hawk
from hawk import Mutable, Param, Scalar

from .published import replay_of_ten_launches
from .timing import Row, per_call, seconds_of


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def grow(x: Mutable[Scalar], rate: Param):
    x = x * rate


@eagle.graph
def ten(g, x):
    for _ in range(10):
        grow(x, 1.0)


@eagle.graph
def ten_thousand(g, x):
    for _ in range(10_000):
        grow(x, 1.0)


def build_rows() -> list[Row]:
    """Recording and building: the fastest of a few."""
    x = np.ones(1)
    seconds = min(seconds_of(lambda: ten_thousand.build(x)) for _ in range(5))
    return [Row("calls", "10,000 calls of a kernel, recorded and built", seconds, None, "", 300, "ms")]


def graph_rows() -> list[Row]:
    """A replay of ten launches beside the ten launches one by one, and beside the published package's replay."""
    x = np.ones(1)
    built, bound = ten.build(x), eagle.deploy(grow).bind(x=x, rate=1.0)
    names = {"built": built, "bound": bound}
    launches = per_call("; ".join(["bound.launch()"] * 10), names)
    against = f"ten bound.launch(): {launches * 1e6:.2f} us"
    published = replay_of_ten_launches()
    if published is not None:
        against += f"; raptor-eagle 0.7.1: {published * 1e6:.0f} us"
    return [Row("calls", "built(): ten launches on 1 sample", per_call("built()", names), launches, against, 0.5, "us")]


def rows() -> list[Row]:
    x, y = np.ones(1), np.zeros(1)
    plan = eagle.deploy(scale)
    bound = plan.bind(x=x, a=2.0, b=1.0, out=y)
    names = {"x": x, "y": y, "plan": plan, "bound": bound, "scale": scale}
    numpy_call = per_call("2.0 * x + 1.0", names)
    against = f"NumPy's 2 * x + 1: {numpy_call * 1e6:.2f} us"
    calls = [
        ("bound.launch() on 1 sample", "bound.launch()", 0.15),
        ("kernel(x, a, b, out=y) on 1 sample", "scale(x, 2.0, 1.0, out=y)", 0.4),
        ("plan.run(x=x, a=2.0, b=1.0) on 1 sample", "plan.run(x=x, a=2.0, b=1.0)", 1.0),
    ]
    made = [Row("calls", name, per_call(call, names), numpy_call, against, goal, "us") for name, call, goal in calls]
    return made + graph_rows() + build_rows()
