"""Kernels whose samples are folded to one value, and the order of a fold as docs/artifacts.md has it, written here a
second time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import hawk

Operation = Callable[[Any, Any], Any]

FOLDS: dict[str, tuple[Operation, np.float64]] = {
    "sum": (lambda a, b: a + b, np.float64(0.0)),
    "times": (lambda a, b: a * b, np.float64(1.0)),
    "max": (lambda a, b: max(a, b), np.float64(-np.inf)),
    "land": (lambda a, b: np.float64(a != 0.0 and b != 0.0), np.float64(1.0)),
}


def folded(kernel: hawk.Kernel, folder: Path, operation: str, targets: tuple[str, ...] = ("host",)) -> Path:
    """The artifact of a kernel, declaring that its samples are folded."""
    hawk.build(kernel, folder, targets)
    for name in ("manifest.json", f"{kernel.name}.json"):
        document = json.loads((folder / name).read_text())
        keys = list(document)
        keys.insert(keys.index("exec_access") + 1, "exec_op")
        document |= {"exec_access": "mapreduce", "exec_op": operation}
        (folder / name).write_text(json.dumps({key: document[key] for key in keys}))
    return folder


def in_blocks(values: np.ndarray, operation: Operation, first: np.float64) -> Any:
    """Blocks of 4,096, one value after the other from the identity, and so the results of the blocks."""
    whole = first
    for begin in range(0, len(values), 4096):
        block = first
        for value in values[begin : begin + 4096]:
            block = operation(block, value)
        whole = operation(whole, block)
    return whole
