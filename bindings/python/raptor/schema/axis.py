"""What a manifest and a sidecar have in common: version, tag, and how a body may be executed."""

from __future__ import annotations

from raptor.schema.fields import Fields

SUPPORTED = 2
PATTERNS = ("vector", "pure", "neural_block")
TARGETS = ("device", "host")
ACCESS = ("sample_local", "cross_sample_read", "cross_sample_write", "mapreduce")
OPERATIONS = ("sum", "times", "max", "land")


def check_version(fields: Fields, supported: int = SUPPORTED) -> int:
    key = "schema_version" if fields.has("schema_version") or not fields.has("version") else "version"
    version = fields.integer(key)
    if version < 1:
        fields.refuse(key, "1 or 2")
    if version > supported:
        raise ValueError(
            f"{fields.where} was built for plugin schema v{version}, but this loader supports v{supported}; "
            "upgrade eagle to load it"
        )
    return version


def check_tag(fields: Fields, version: int) -> None:
    wanted = f"aether-abi/{version}"
    if fields.text("aether_abi") != wanted:
        fields.refuse("aether_abi", f"'{wanted}' in schema v{version}")


def check_axis(fields: Fields, version: int) -> None:
    if version == 1:
        for key in ("exec_targets", "exec_access", "exec_op"):
            fields.forbid(key, "schema v1 has not (it came with v2)")
        return
    targets = fields.texts("exec_targets")
    if not targets or any(target not in TARGETS for target in targets):
        fields.refuse("exec_targets", "a non-empty list drawn from 'device' and 'host'")
    if len(set(targets)) != len(targets):
        fields.refuse("exec_targets", "a list without duplicates")
    access = fields.text_of("exec_access", ACCESS)
    if access == "mapreduce":
        fields.text_of("exec_op", OPERATIONS)
    else:
        fields.forbid("exec_op", f"belongs to exec_access 'mapreduce' only (here it is '{access}')")
