"""manifest.json: what an artifact folder holds."""

from __future__ import annotations

from typing import Any

from raptor import dtypes
from raptor.schema.axis import PATTERNS, SUPPORTED, check_axis, check_tag, check_version
from raptor.schema.blocks import check_block, check_written_block
from raptor.schema.document import check_json, parse, short
from raptor.schema.fields import Fields

MANIFEST_KEYS = (
    "schema_version", "pattern", "aether_abi", "exec_targets", "exec_access", "exec_op", "blocks", "plugins",
)  # fmt: skip
RECORD_KEYS = ("id", "order", "enabled", "artifact", "sidecar", "format")
FORMATS = tuple(dtypes.FORMATS)

Manifest = dict[str, Any]


def read_manifest(data: bytes | str, name: str = "manifest.json", *, supported: int = SUPPORTED) -> Manifest:
    """The manifest that the text holds, checked; keys in any order, unknown ones kept. Raises ValueError.

    `supported`: the latest schema version that the caller loads; a later one is refused in the words of every loader.
    """
    document = parse(data, name)
    _check(document, name, supported)
    return dict(document)


def validate_manifest(document: Manifest, name: str = "manifest.json") -> None:
    """For writers: all that a reader checks, and the keys and their order.

    Raises ValueError; TypeError naming the place of an object that JSON has no form for.
    """
    check_json(document, name)
    fields = Fields(document, name)
    fields.at("schema_version")
    _check(document, name)
    fields.ordered(MANIFEST_KEYS)
    for index, block in enumerate(document.get("blocks", [])):
        check_written_block(block, f"{name}, blocks[{index}]")
    for index, record in enumerate(document["plugins"]):
        Fields(record, _record_name(name, index)).ordered(RECORD_KEYS)


def _record_name(name: str, index: int) -> str:
    return f"{name}, plugins[{index}]"


def _check(document: Any, name: str, supported: int = SUPPORTED) -> None:
    fields = Fields(document, name)
    version = check_version(fields, supported)
    pattern = fields.text_of("pattern", PATTERNS)
    check_tag(fields, version)
    check_axis(fields, version)
    if pattern == "neural_block":
        for index, block in enumerate(fields.list("blocks")):
            check_block(block, f"{name}, blocks[{index}]")
    else:
        fields.forbid("blocks", f"belongs to pattern 'neural_block' only (here it is '{pattern}')")
    ids: set[str] = set()
    for index, record in enumerate(fields.list("plugins")):
        identity = _check_record(record, _record_name(name, index), index)
        if identity in ids:
            raise ValueError(f"{name}: two plugin records have the id '{short(identity)}'; an id names one record")
        ids.add(identity)


def _check_record(value: Any, where: str, index: int) -> str:
    fields = Fields(value, where)
    identity = fields.filled("id")
    if fields.integer("order") != index:
        fields.refuse("order", f"its index in the list, {index}")
    fields.flag("enabled")
    for key in ("artifact", "sidecar"):
        name = fields.text(key)
        if name in ("", ".", "..") or any(char in name for char in "/\\\0"):
            fields.refuse(key, "the name of a file inside the artifact folder")
    fields.text_of("format", FORMATS)
    return identity
