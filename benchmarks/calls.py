"""What one call costs at one sample, where the work itself is nothing."""

from __future__ import annotations

import numpy as np

import eagle
import hawk
from hawk import Param, Scalar

from .timing import Row, per_call


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


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
    return [Row("calls", name, per_call(call, names), numpy_call, against, goal, "us") for name, call, goal in calls]
