"""Manifests and sidecars of kernel artifacts.

`validate_*` is for writers: it enforces the order and the set of keys beside everything that readers check. `read_*` is
for readers: any order, unknown keys ignored. Both raise ValueError alone, naming the document, the key and the value.
"""

from raptor.schema.document import MAX_BYTES, MAX_DEPTH, parse, write
from raptor.schema.manifest import MANIFEST_KEYS, RECORD_KEYS, read_manifest, validate_manifest
from raptor.schema.sidecar import ROLES, SIDECAR_KEYS, read_sidecar, validate_sidecar

__all__ = [
    "MANIFEST_KEYS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "RECORD_KEYS",
    "ROLES",
    "SIDECAR_KEYS",
    "parse",
    "read_manifest",
    "read_sidecar",
    "validate_manifest",
    "validate_sidecar",
    "write",
]
