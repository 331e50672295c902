"""Arithmetic on constants, done only where the compiled kernel would get the same bits."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable

from hawk.ir.nodes import BOOL, INT, REAL, Value

Number = bool | int | float

_COMPARE: dict[str, Callable[[Number, Number], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}
_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}


def inside(number: int) -> int | None:
    """The number, where int64 holds it."""
    return number if -(2**63) <= number < 2**63 else None


def round_to(number: float, single: bool) -> float:
    """The value as the kernel holds it: float32 kernels round every constant to nearest, overflow is an infinity."""
    if not single or not math.isfinite(number):
        return number
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def _real(op: str, a: float, b: float) -> float | None:
    # A double holds more than twice float32's digits, so that one rounding after the double's own gives float32's
    # result for these four operations.
    if op in _ARITHMETIC:
        return float(_ARITHMETIC[op](a, b))
    if op == "div" and b != 0.0:
        return a / b
    return None


def _int(op: str, a: int, b: int) -> int | None:
    if op in _ARITHMETIC:
        return inside(int(_ARITHMETIC[op](a, b)))
    if op in ("idiv", "imod") and b != 0 and not (a == -(2**63) and b == -1):
        return a // b if op == "idiv" else a % b
    return None


def _unary(op: str, type_: str, value: Value, single: bool) -> Number | None:
    number = value.data
    assert isinstance(number, (bool, int, float))
    if op == "neg":
        return inside(-number) if isinstance(number, int) else -number
    if op == "not":
        return not number
    if op == "cast" and type_ == REAL:
        return round_to(float(number), single)
    if op == "cast" and type_ == INT and value.type == BOOL:
        return int(number)
    if op == "cast" and type_ == INT and isinstance(number, float) and abs(number) < 2.0**62:
        return int(number)
    return None


def fold(op: str, args: tuple[Value, ...], type_: str, single: bool) -> Number | None:
    """The constant result of an operation on constants, or None where it is left to run time."""
    if len(args) == 1:
        return _unary(op, type_, args[0], single)
    if len(args) != 2:
        return None
    a, b = args[0].data, args[1].data
    assert isinstance(a, (bool, int, float)) and isinstance(b, (bool, int, float))
    if op in _COMPARE:
        return _COMPARE[op](a, b)
    if type_ == BOOL:
        return {"and": a and b, "or": a or b, "xor": a != b}.get(op)
    if type_ == INT:
        return _int(op, int(a), int(b))
    if type_ == REAL:
        result = _real(op, float(a), float(b))
        return None if result is None or math.isnan(result) else round_to(result, single)
    return None
