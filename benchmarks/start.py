"""What the first call and the import cost, each in a fresh process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from .timing import Row

FIRST_CALL = """
import time, numpy as np, hawk
from hawk import Param, Scalar
@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b
x = np.ones(4)
begin = time.perf_counter()
scale(x, 2.0, 1.0)
print(time.perf_counter() - begin)
"""
IMPORT = "import time; {0}; begin = time.perf_counter(); import {1}; print(time.perf_counter() - begin)"


def rows() -> list[Row]:
    cold, warm = [], []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(_seconds(FIRST_CALL, cache))
            warm.append(_seconds(FIRST_CALL, cache))
    numpy = statistics.median(_seconds(IMPORT.format("import sys", "numpy")) for _ in range(7))
    # In one process: the difference of two processes is less than what they vary by, and came out below 0.
    eagle = statistics.median(_seconds(IMPORT.format("import numpy", "eagle")) for _ in range(7))
    return [
        Row("start", "first call of a one-line kernel, not cached", statistics.median(cold), None, "", 250, "ms"),
        Row("start", "the same, cached", statistics.median(warm), None, "", 5, "ms"),
        Row("start", "import eagle after numpy", eagle, numpy, f"import numpy: {numpy * 1e3:.0f} ms", 60, "ms"),
    ]


def _seconds(program: str, cache: str | None = None) -> float:
    """What the program prints. It runs from a file, since a kernel's source must be there to be read."""
    environment = os.environ | ({"HAWK_CACHE_DIR": cache} if cache else {})
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([sys.executable, file.name], env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)
