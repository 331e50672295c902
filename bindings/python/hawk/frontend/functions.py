"""Which functions a kernel may call, by identity."""

from __future__ import annotations

import builtins
import math
import sys
from dataclasses import dataclass

from hawk import math as hmath
from hawk.ir.nodes import BOOL, REAL


@dataclass(frozen=True)
class Function:
    """`kind` says how arguments are taken: real, number (a real or an integer), select, cast or sequence."""

    name: str
    arity: int
    kind: str = "real"
    result: str = REAL


_REAL = {"sqrt": 1, "exp": 1, "log": 1, "sin": 1, "cos": 1, "tanh": 1, "pow": 2, "atan": 1, "atan2": 2, "floor": 1,
         "ceil": 1, "trunc": 1, "rint": 1, "copysign": 2, "fmin": 2, "fmax": 2, "fma": 3}  # fmt: skip
FUNCTIONS = {name: Function(name, arity) for name, arity in _REAL.items()}
FUNCTIONS |= {name: Function(name, 1, result=BOOL) for name in ("isnan", "isinf", "isfinite")}
FUNCTIONS["abs"] = Function("abs", 1, "number")
FUNCTIONS["minimum"] = Function("minimum", 2, "number")
FUNCTIONS["maximum"] = Function("maximum", 2, "number")
FUNCTIONS["select"] = Function("select", 3, "select")

_MATH = ("sqrt", "exp", "log", "sin", "cos", "tanh", "pow", "atan", "atan2", "copysign", "isnan", "isinf", "isfinite")
# Python's own give integers, so that `k = math.floor(x)` is an integer here too.
_MATH_TO_INT = ("floor", "ceil", "trunc")
_NUMPY = {
    "abs": "abs", "absolute": "abs", "fabs": "abs", "arctan": "atan", "arctan2": "atan2", "power": "pow",
    "where": "select", "rint": "rint", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "sqrt": "sqrt",
    "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tanh": "tanh", "copysign": "copysign", "fmin": "fmin",
    "fmax": "fmax", "minimum": "minimum", "maximum": "maximum", "isnan": "isnan", "isinf": "isinf",
    "isfinite": "isfinite",
}  # fmt: skip


def _known() -> dict[int, tuple[object, Function]]:
    table: dict[int, tuple[object, Function]] = {}

    def add(function: object, entry: Function) -> None:
        table[id(function)] = (function, entry)

    for name, entry in FUNCTIONS.items():
        add(getattr(hmath, name), entry)
    for name in _MATH:
        add(getattr(math, name), FUNCTIONS[name])
    for name in _MATH_TO_INT:
        add(getattr(math, name), Function(name, 1, "whole"))
    add(math.fabs, Function("abs", 1))
    if hasattr(math, "fma"):
        add(math.fma, FUNCTIONS["fma"])
    add(builtins.abs, FUNCTIONS["abs"])
    add(builtins.pow, Function("pow", 2, "power"))
    for name, kind in (("min", "minimum"), ("max", "maximum")):
        add(getattr(builtins, name), Function(kind, 2, "fold"))
    for function in (float, int, bool, len, tuple):
        add(function, Function(function.__name__, 1, function.__name__))
    return table


_TABLE = _known()
_numpy_known = False


def find(function: object) -> Function | None:
    """The kernel function that this Python object names, or None."""
    global _numpy_known
    entry = _TABLE.get(id(function))
    if entry is not None:
        return entry[1]
    numpy = sys.modules.get("numpy")
    if numpy is None or _numpy_known or not hasattr(numpy, "isfinite"):
        return None
    for name, own in _NUMPY.items():
        ufunc = getattr(numpy, name)
        _TABLE[id(ufunc)] = (ufunc, FUNCTIONS[own])
    _numpy_known = True
    entry = _TABLE.get(id(function))
    return None if entry is None else entry[1]


# What to write for a function of `math` or `numpy` that there is none of.
INSTEAD = {
    "tan": "sin(x) / cos(x)",
    "asin": "atan2(x, sqrt((1 - x) * (1 + x)))",
    "arcsin": "atan2(x, sqrt((1 - x) * (1 + x)))",
    "acos": "atan2(sqrt((1 - x) * (1 + x)), x)",
    "arccos": "atan2(sqrt((1 - x) * (1 + x)), x)",
    "radians": "x * (math.pi / 180)",
    "degrees": "x * (180 / math.pi)",
    "exp2": "pow(2.0, x)",
    "log2": "log(x) * (1 / math.log(2))",
    "log10": "log(x) * (1 / math.log(10))",
    "log1p": "log(1 + x)",
    "expm1": "exp(x) - 1",
    "sinh": "0.5 * (exp(x) - exp(-x))",
    "cosh": "0.5 * (exp(x) + exp(-x))",
    "hypot": "sqrt(x * x + y * y)",
    "square": "x * x",
    "clip": "min(max(x, low), high)",
    "sign": "select(x > 0, 1.0, select(x < 0, -1.0, 0.0))",
    "fmod": "x - y * trunc(x / y)",
    "round": "hawk.math.rint(x)",
    "sum": "a loop, or the terms added one by one",
    "dot": "a loop, or the products added one by one",
    "norm": "sqrt of the squares added one by one",
    "array": "hawk.vector(a, b)",
    "print": "an output plane that the caller prints",
    **dict.fromkeys(
        ("random", "rand", "randn", "randint", "normal", "standard_normal", "uniform", "gauss"),
        "an argument: a plane of numbers that the caller draws",
    ),
}
