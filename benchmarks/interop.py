"""What it costs to take an array of another library in."""

from __future__ import annotations

import timeit
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import repeat
from operator import attrgetter
from typing import Any

import numpy as np
import torch

from eagle.interop import import_buffer

from .timing import Row, per_call


class OfTorch:
    """torch's `__dlpack__` without its C exchange table."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor

    def __dlpack__(self, **options: object) -> object:
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def from_c(call: Callable[[Any], object], given: object, count: int = 50_000, rounds: int = 15) -> float:
    """Seconds of `call(given)` from C, as import_buffer makes it: a loop of C less the loop itself."""

    def seconds(each: Callable[[Any], object]) -> float:
        once = partial(deque, maxlen=0)
        return min(timeit.repeat(lambda: once(map(each, repeat(given, count))), number=1, repeat=rounds)) / count

    return max(0.0, seconds(call) - seconds(type))


def rows() -> list[Row]:
    x, tensor = np.ones(1000), torch.ones(1000)
    names = {"import_buffer": import_buffer, "x": x, "t": tensor, "p": OfTorch(tensor)}
    view = per_call("memoryview(x)", names)
    producer = per_call("p.__dlpack_device__(); p.__dlpack__(max_version=(1, 1))", names)
    # What no route to a tensor gets around: the table tells neither, and torch gives the lock up to answer the first.
    asked = from_c(torch.Tensor.is_neg, tensor) + from_c(attrgetter("requires_grad"), tensor)
    against = f"memoryview(x): {view * 1e9:.0f} ns"
    of_torch = f"torch's own is_neg and requires_grad, in a loop of C: {asked * 1e9:.0f} ns"
    own = f"the producer's own calls: {producer * 1e9:.0f} ns"
    return [
        Row("interop", "import_buffer(x) of NumPy", per_call("import_buffer(x)", names), view, against, 0.15, "us"),
        Row("interop", "import_buffer(t) of torch", per_call("import_buffer(t)", names), asked, of_torch, 0.15, "us"),
        Row(
            "interop",
            "import_buffer(p) through __dlpack__",
            per_call("import_buffer(p)", names),
            producer,
            own,
            producer * 1e6 + 0.1,
            "us",
        ),
    ]
