"""What a name in a kernel can stand for, beside one number."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

from hawk.ir import Builder, Value


@dataclass(frozen=True)
class Vec:
    """A vector: its components."""

    parts: tuple[Value, ...]


@dataclass(frozen=True)
class Static:
    """An object known when the kernel is decorated: a function, a module, a range, a string, None."""

    value: Any


@dataclass(frozen=True)
class Missing:
    """A name that has no one value here; `why` says so to who uses it."""

    why: str


# A number, a vector, a tuple of bindings, a dict of bindings (returned only), something static, or nothing usable.
Binding = Any
NONE = Static(None)


def describe(binding: Binding) -> str:
    """In words, for an error."""
    if isinstance(binding, Value):
        if binding.is_const:
            return f"the constant {binding.data!r}"
        return {"real": "a real number", "int": "an integer", "bool": "a bool"}[binding.type]
    if isinstance(binding, Vec):
        return f"a vector of {len(binding.parts)}"
    if isinstance(binding, tuple):
        return f"a tuple of {len(binding)}"
    if isinstance(binding, dict):
        return "a dict"
    if isinstance(binding, Static):
        if binding.value is None:
            return "None"
        return _describe_object(binding.value)
    return "nothing"


def name_of(value: object) -> str:
    """Of a function or class its name, of anything else that of its class. Reading an attribute may raise anything."""
    try:
        name = getattr(value, "__name__", None)
    except Exception:
        name = None
    return name if isinstance(name, str) else type(value).__name__


def _describe_object(value: object) -> str:
    kind, name = type(value).__name__, name_of(value)
    if name != kind:
        return f"{kind} {name}"
    try:
        return f"{kind} {value!r}"
    except Exception:
        return f"an object of {kind}"


def lift(value: object, builder: Builder) -> Binding:
    """A Python object of the surroundings, frozen. Numbers become constants; arrays of one axis become vectors."""
    if isinstance(value, bool):
        return builder.const(value)
    if isinstance(value, int):
        return builder.const(int(value)) if -(2**63) <= value < 2**63 else Static(int(value))
    if isinstance(value, float):
        return builder.const(float(value))
    if isinstance(value, (tuple, list)):
        return tuple(lift(item, builder) for item in value)
    if type(value).__module__ == "numpy":
        return _lift_numpy(value, builder)
    return Static(value)


def _lift_numpy(value: Any, builder: Builder) -> Binding:
    if isinstance(value, numbers.Number) or type(value).__name__ in ("bool", "bool_"):
        return lift(value.item(), builder) if not isinstance(value.item(), complex) else Static(value)
    if getattr(value, "ndim", None) != 1 or value.dtype.kind not in "iuf" or not len(value):
        return Static(value)
    parts = [lift(float(item) if value.dtype.kind == "f" else int(item), builder) for item in value.tolist()]
    return Vec(tuple(parts)) if all(isinstance(part, Value) for part in parts) else Static(value)
