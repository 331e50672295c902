"""Manifests and sidecars of kernel artifacts.

`validate_*` is for writers: it enforces the order and the set of keys beside everything that readers check. `read_*` is
for readers: any order, unknown keys ignored. Both raise ValueError alone, naming the document, the key and the value.
"""

import json
from pathlib import Path
from typing import Any

from raptor.schema.document import MAX_BYTES, MAX_DEPTH, parse, write
from raptor.schema.folder import check_folder, file_of_folder
from raptor.schema.manifest import MANIFEST_KEYS, RECORD_KEYS, read_manifest, validate_manifest
from raptor.schema.sidecar import ROLES, SIDECAR_KEYS, read_sidecar, validate_sidecar

__all__ = [
    "MANIFEST_KEYS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "RECORD_KEYS",
    "ROLES",
    "SIDECAR_KEYS",
    "check_folder",
    "file_of_folder",
    "json_schema",
    "parse",
    "read_manifest",
    "read_sidecar",
    "validate_manifest",
    "validate_sidecar",
    "write",
]


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what writers write: of a `manifest`, a `sidecar` or a `neural_block`.

    For tools that know JSON Schema. It says less than `validate_*`: neither the order of keys nor where keys must agree
    with each other. The three refer to each other by their `$id`, `urn:raptor:<name>`. ValueError for another name.
    """
    if name not in ("manifest", "sidecar", "neural_block"):
        raise ValueError(f"there is no JSON Schema {name!r}; there are manifest, sidecar and neural_block")
    path = Path(__file__).parent / "json" / f"{name}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))
