"""The kernels of kernels.cpp: what each takes, how they are compiled, and how they become callables."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from hawk import _native

COMPILERS = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]


def plane(name: str, role: str = "per_sample", dtype: str = "float64", width: int = 1) -> tuple[object, ...]:
    """A scalar or vector plane. `out` and vectors come in the 40-byte block."""
    wide = width > 1 or role in ("out", "vec_in")
    return (name, role, dtype, width, 1, wide, False, role == "mutable")


def number(name: str, dtype: str = "float64") -> tuple[object, ...]:
    return (name, "uniform", dtype, 1, 1, False, False, False)


CONTROL = ("__control", "mutable", "int64", 1, 1, False, False, True)

KERNELS: dict[str, dict[str, object]] = {
    "scale": {
        "parameters": [plane("out", "out"), plane("x"), number("a"), number("b")],
        "order": ["x", "a", "b"],
    },
    "add": {"parameters": [plane("out", "out"), plane("x"), plane("y")], "order": ["x", "y"]},
    "scale32": {
        "scalar": "float32",
        "parameters": [plane("out", "out", "float32"), plane("x", dtype="float32"), number("a", "float32")],
        "order": ["x", "a"],
    },
    "drift": {
        "parameters": [plane("p", "mutable", width=3), plane("v", "vec_in", width=3), number("dt")],
        "order": ["p", "v", "dt"],
        "result": "none",
        "outputs": [],
    },
    "pair": {"parameters": [plane("out", "out", width=2), plane("x")], "order": ["x"]},
    "halves": {
        "parameters": [plane("out0", "out", "int64"), plane("out1", "out", "int64"), plane("x", dtype="int64")],
        "order": ["x"],
        "result": "tuple",
        "outputs": [("out0", None), ("out1", None)],
    },
    "countdown": {
        "parameters": [plane("n", "mutable", "int64"), plane("done", "terminated", "bool")],
        "order": ["n", "done"],
        "result": "none",
        "outputs": [],
        "finish_mask": "done",
    },
    "divide": {
        "parameters": [CONTROL, plane("out", "out", "int64"), plane("d", dtype="int64"), plane("x", dtype="int64")],
        "order": ["x", "d"],
    },
    "pick": {
        "parameters": [CONTROL, plane("out", "out"), plane("table", "lookup"), plane("k", dtype="int64")],
        "order": ["k", "table"],
    },
    "slow": {"parameters": [plane("out", "out"), plane("x")], "order": ["x"]},
    "waiter": {"parameters": [plane("out", "out"), plane("x")], "order": ["x"]},
    "third": {"parameters": [plane("out", "out"), plane("x")], "order": ["x"]},
}


def compile_library(source: Path, library: Path) -> None:
    for compiler in COMPILERS:
        if compiler and shutil.which(compiler):
            command = [compiler, "-std=c++20", "-O1", "-fPIC", "-shared", "-fwrapv", str(source), "-o", str(library)]
            subprocess.run(command, check=True)
            return
    raise FileNotFoundError(f"no C++ compiler among {COMPILERS}; these tests compile kernels.cpp")


def program(library: Path, name: str, **changes: object) -> _native.Program:
    description = {"scalar": "float64", "result": "one", "outputs": [("out", None)], **KERNELS[name], **changes}
    return _native.Program(library, **{"entry": name, "kernel": name, **description})


class Compiled(_native.Kernel):
    """Compiled at the first call, as a decorated function is."""

    def __init__(self, make: Callable[[], _native.Program]) -> None:
        self.make = make
        self.compilations = 0

    def _compile(self) -> None:
        self.compilations += 1
        self._install(self.make())
