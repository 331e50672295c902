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
    x, out = np.ones(1), np.zeros(1)
    plan = eagle.deploy(scale)
    bound = plan.bind(x=x, a=2.0, b=1.0, out=out)
    numpy_call = per_call(lambda: 2.0 * x + 1.0)
    against = f"NumPy's 2 * x + 1: {numpy_call * 1e6:.2f} us"
    calls = [
        ("bound.launch() on 1 sample", bound.launch, 0.15),
        ("kernel(x, a, b, out=y) on 1 sample", lambda: scale(x, 2.0, 1.0, out=out), 0.4),
        ("plan.run(x=x, a=2.0, b=1.0) on 1 sample", lambda: plan.run(x=x, a=2.0, b=1.0), 1.0),
    ]
    return [Row("calls", name, per_call(call), numpy_call, against, goal, "us") for name, call, goal in calls]
