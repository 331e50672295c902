"""Descriptors of neural blocks: recognised and checked, never launched."""

from __future__ import annotations

from typing import Any

from raptor.schema.axis import check_version
from raptor.schema.document import short
from raptor.schema.fields import Fields

_EXTENTS = ("in_degree", "out_degree", "input_width", "output_width", "state_width")
_REFERENCES = ("forward_exec", "vjp_exec", "jvp_exec")
_FORBIDDEN = ("aether_abi", "derivative", "buffers", "mutables", "mat_shapes", "host_entry")


def check_block(value: Any, where: str) -> None:
    """Raises ValueError naming the key of the descriptor that is wrong. The version is looked at first."""
    fields = Fields(value, where)
    if fields.has("schema_version") or fields.has("version"):
        check_version(fields)
    fields.filled("kernel")
    fields.text_of("scalar_type", ("float32", "float64"))
    if fields.list("arg_spec"):
        fields.refuse("arg_spec", "empty in a neural block")
    for key in _EXTENTS:
        fields.extent(key, 1)
    fields.extent("param_width", 0)
    if fields.integer("output_width") > fields.integer("state_width"):
        fields.refuse("output_width", f"at most state_width, {fields.integer('state_width')}")
    fields.text_of("scatter_policy", ("unique_write", "accumulate"))
    _check_reference(fields, "forward_exec")
    for key in ("vjp_exec", "jvp_exec"):
        if fields.has(key):
            _check_reference(fields, key)
    for key in _FORBIDDEN:
        if fields.has(key) and fields.at(key) not in (None, "", [], {}):
            fields.forbid(key, "a neural block must not have")


BLOCK_KEYS = (
    "schema_version", "pattern", "kernel", "scalar_type", *_EXTENTS, "arg_spec", "param_width", "scatter_policy",
    *_REFERENCES, *_FORBIDDEN,
)  # fmt: skip


def check_written_block(value: Any, where: str) -> None:
    """For writers: no key but those of a descriptor. Their order is free."""
    Fields(value, where).closed(BLOCK_KEYS)


def _check_reference(fields: Fields, key: str) -> None:
    reference = Fields(fields.at(key), f"{fields.where}, {key}")
    reference.text_of("kind", ("kernel",))
    if not reference.text("kernel"):
        reference.refuse("kernel", "the id of a kernel")
    for name in reference.table:
        if name not in ("kind", "kernel"):
            raise ValueError(
                f"{reference.where}: has the unknown key '{short(name)}'; it may hold 'kind' and 'kernel' only"
            )
