"""What a writer of sidecars must do beside what readers need: every key of the type that the format gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raptor.schema.document import short
from raptor.schema.fields import Fields, show
from raptor.schema.planes import MUTABLE_DTYPES, PLANE_DTYPES, ROLES

MUTABLE_KEYS = ("name", "dtype", "width", "default", "shape", "prior")


def check_written_sidecar(fields: Fields) -> None:
    """Raises ValueError naming the key."""
    for key in ("per_sample", "vector_inputs", "matrix_inputs", "host_cpu"):
        fields.texts(key)
    if fields.text("format") == "":
        fields.refuse("format", "a non-empty string")
    fields.list("buffers")
    _each(fields, "arg_widths", _is_extent, "an int from 1 to 2^32 - 1")
    _each(fields, "arg_shapes", lambda value: value is None or _is_extent(value), "an int of at least 1, or null")
    _each(fields, "arg_dtypes", lambda value: value in PLANE_DTYPES, f"one of {', '.join(PLANE_DTYPES)}")
    _each(fields, "mat_shapes", _is_shape, "[rows, columns]")
    _check_parts(fields)
    if fields.list("host_cpu") != sorted(fields.list("host_cpu")):
        fields.refuse("host_cpu", "sorted")
    _check_packing_order(fields)


def _is_extent(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**32


def _is_shape(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_extent, value))


def _each(fields: Fields, key: str, right: Callable[[Any], bool], needed: str) -> None:
    for name, value in fields.object(key).items():
        if not right(value):
            raise ValueError(f"{fields.where}: '{key}' gives '{short(name)}' {show(value)}; it must be {needed}")


def _check_parts(fields: Fields) -> None:
    for key in ("finish", "derivative"):
        if fields.has(key):
            Fields(fields.at(key), f"{fields.where}, {key}").closed(
                ("mask",) if key == "finish" else ("kind", "primal", "wrt")
            )
    for param in fields.list("params"):
        if isinstance(param, dict):
            Fields(param, f"{fields.where}, params").ordered(("name", "dtype"))
    for entry in fields.list("mutables"):
        _check_mutable(Fields(entry, f"{fields.where}, mutables"))
    if fields.has("entries"):
        for target, entry in fields.object("entries").items():
            Fields(entry, f"{fields.where}, entries.{short(target)}").ordered(("step", "run"))


def _check_mutable(entry: Fields) -> None:
    entry.text_of("dtype", MUTABLE_DTYPES)
    if not _is_extent(entry.at("width")):
        entry.refuse("width", "an int from 1 to 2^32 - 1")
    if isinstance(entry.at("default"), bool) or not isinstance(entry.at("default"), (int, float)):
        entry.refuse("default", "a number")
    if entry.has("shape") and not _is_shape(entry.at("shape")):
        entry.refuse("shape", "[rows, columns]")
    entry.ordered(MUTABLE_KEYS)


def _check_packing_order(fields: Fields) -> None:
    found = [(role, name) for role, name in fields.list("arg_spec")]
    wanted = sorted(found, key=lambda entry: (ROLES.index(entry[0]), entry[1]))
    for entry, right in zip(found, wanted, strict=True):
        if entry != right:
            raise ValueError(
                f"{fields.where}: 'arg_spec' has {show(list(entry))} where {show(list(right))} belongs; it is ordered "
                "by role, then by name"
            )
