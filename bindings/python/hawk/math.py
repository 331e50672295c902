"""Functions that a kernel may call. Called outside a kernel, they give the same value for Python numbers.

A kernel knows them by identity: `hawk.math.sin`, `math.sin` and `numpy.sin` are one function. Invalid arguments give a
NaN and poles an infinity, as IEEE 754 and C99 have it, never an exception. On a vector they work component by
component.
"""

from __future__ import annotations

import math as _math
from typing import TypeVar

T = TypeVar("T")

__all__ = [
    "abs", "atan", "atan2", "ceil", "copysign", "cos", "exp", "floor", "fma", "fmax", "fmin", "isfinite", "isinf",
    "isnan", "log", "maximum", "minimum", "pow", "rint", "select", "sin", "sqrt", "tanh", "trunc",
]  # fmt: skip

_abs = abs


def _or_nan(function: object, *args: float) -> float:
    try:
        return float(function(*args))  # type: ignore[operator]
    except ValueError:
        return _math.nan


def sqrt(x: float) -> float:
    """Square root; NaN below zero."""
    return -0.0 if x == 0 and _math.copysign(1.0, x) < 0 else _or_nan(_math.sqrt, x)


def exp(x: float) -> float:
    """e to the power x; overflows to infinity."""
    try:
        return _math.exp(x)
    except OverflowError:
        return _math.inf


def log(x: float) -> float:
    """Natural logarithm; -infinity at 0, NaN below."""
    return -_math.inf if x == 0 else _or_nan(_math.log, x)


def sin(x: float) -> float:
    """Sine of x in radians; NaN at an infinity."""
    return _or_nan(_math.sin, x)


def cos(x: float) -> float:
    """Cosine of x in radians; NaN at an infinity."""
    return _or_nan(_math.cos, x)


def tanh(x: float) -> float:
    """Hyperbolic tangent."""
    return _math.tanh(x)


def pow(x: float, y: float) -> float:
    """x to the power y; C99's special values."""
    try:
        return _math.pow(x, y)
    except OverflowError:
        odd = float(y).is_integer() and y % 2 == 1
        return -_math.inf if x < 0 and odd else _math.inf
    except ValueError:
        if x != 0:
            return _math.nan
        odd = float(y).is_integer() and y % 2 == 1
        return _math.copysign(_math.inf, x) if odd else _math.inf


def atan(x: float) -> float:
    """Inverse tangent, in radians."""
    return _math.atan(x)


def atan2(y: float, x: float) -> float:
    """Angle of the point (x, y), in radians from -pi to pi."""
    return _math.atan2(y, x)


def _whole(function: object, x: float) -> float:
    if not _math.isfinite(x):
        return float(x)
    return _math.copysign(float(function(x)), x)  # type: ignore[operator]


def floor(x: float) -> float:
    """Largest whole number not above x, as a real (`int(...)` of it is an integer)."""
    return _whole(_math.floor, x) if x >= 0 or not _math.isfinite(x) else float(_math.floor(x)) or -0.0


def ceil(x: float) -> float:
    """Smallest whole number not below x, as a real."""
    return _whole(_math.ceil, x)


def trunc(x: float) -> float:
    """x without its fraction, as a real."""
    return _whole(_math.trunc, x)


def rint(x: float) -> float:
    """Nearest whole number, ties to the even one, as a real."""
    return _whole(round, x)


def copysign(size: float, sign: float) -> float:
    """The size of the first with the sign of the second."""
    return _math.copysign(size, sign)


def abs(x: T) -> T:
    """Magnitude; of a real or an integer."""
    return _abs(x)  # type: ignore[arg-type, return-value]


def minimum(a: float, b: float) -> float:
    """The smaller; a NaN wins, -0 is below +0. The builtin `min` means this."""
    if a != a or b != b:
        return _math.nan
    return fmin(a, b)


def maximum(a: float, b: float) -> float:
    """The larger; a NaN wins, +0 is above -0. The builtin `max` means this."""
    if a != a or b != b:
        return _math.nan
    return fmax(a, b)


def fmin(a: float, b: float) -> float:
    """The smaller; a NaN loses."""
    if a != a or b != b:
        return b if a != a else a
    if a == b:
        return a if _math.copysign(1.0, a) < 0 else b
    return a if a < b else b


def fmax(a: float, b: float) -> float:
    """The larger; a NaN loses."""
    if a != a or b != b:
        return b if a != a else a
    if a == b:
        return b if _math.copysign(1.0, a) < 0 else a
    return a if a > b else b


def isnan(x: float) -> bool:
    """Is it no number?"""
    return x != x


def isinf(x: float) -> bool:
    """Is it an infinity?"""
    return _math.isinf(x)


def isfinite(x: float) -> bool:
    """Is it neither an infinity nor NaN?"""
    return _math.isfinite(x)


def select(condition: bool, a: T, b: T) -> T:
    """a where the condition holds, else b. Both are computed; a conditional expression computes one."""
    return a if condition else b


def fma(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    if not (_math.isfinite(a) and _math.isfinite(b) and _math.isfinite(c)):
        return a * b + c
    from fractions import Fraction

    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c
    try:
        return float(exact)
    except OverflowError:
        return _math.copysign(_math.inf, exact)
