"""`<kernel>.json`: how one kernel is called."""

from __future__ import annotations

from typing import Any

from raptor.schema.axis import PATTERNS, SUPPORTED, check_axis, check_tag, check_version
from raptor.schema.blocks import check_block, check_written_block
from raptor.schema.document import check_json, parse, short
from raptor.schema.fields import Fields
from raptor.schema.planes import ROLES, check_planes
from raptor.schema.written import check_written_sidecar

SIDECAR_KEYS = (
    "format", "schema_version", "pattern", "aether_abi", "exec_targets", "exec_access", "exec_op", "scalar_type",
    "kernel", "params", "params_schema", "per_sample", "vector_inputs", "matrix_inputs", "mat_shapes", "mutables",
    "arg_widths", "arg_shapes", "arg_dtypes", "buffers", "arg_spec", "terminated_readonly", "finish", "derivative",
    "host_cpu", "digest", "entries",
)  # fmt: skip
OPTIONAL_KEYS = frozenset({"exec_op", "finish", "derivative"})
# What v1 does not have, or may leave out: its parameters are bare names, its one entry has the kernel's name.
_CAME_WITH_V2 = frozenset({"exec_targets", "exec_access", "params_schema", "entries"})
SUPPLIED = ("__control", "__next", "__steps")

Sidecar = dict[str, Any]

__all__ = ["ROLES", "SIDECAR_KEYS", "Sidecar", "read_sidecar", "validate_sidecar"]


def read_sidecar(data: bytes | str, name: str, *, supported: int = SUPPORTED) -> Sidecar:
    """The sidecar that the text holds, checked; keys in any order, unknown ones kept. Raises ValueError.

    `supported`: as in `read_manifest`.
    """
    document = parse(data, name)
    _check(document, name, supported)
    return dict(document)


def validate_sidecar(document: Sidecar, name: str) -> None:
    """For writers: all that a reader checks, every key there, and in order.

    Raises ValueError; TypeError naming the place of an object that JSON has no form for.
    """
    check_json(document, name)
    fields = Fields(document, name)
    fields.at("schema_version")
    _check(document, name)
    if document["pattern"] == "neural_block":
        check_written_block(document, name)
        return
    absent = OPTIONAL_KEYS if document["schema_version"] == 2 else OPTIONAL_KEYS | _CAME_WITH_V2
    for key in SIDECAR_KEYS:
        if key not in absent:
            fields.at(key)
    fields.ordered(SIDECAR_KEYS)
    check_written_sidecar(fields)


def _check(document: Any, name: str, supported: int = SUPPORTED) -> None:
    fields = Fields(document, name)
    version = check_version(fields, supported)
    if fields.text_of("pattern", PATTERNS) == "neural_block":
        check_block(document, name)
        return
    check_tag(fields, version)
    check_axis(fields, version)
    fields.filled("kernel")
    fields.text_of("scalar_type", ("float64", "float32"))
    roles = check_planes(fields)
    readonly = fields.has("terminated_readonly") and fields.flag("terminated_readonly")
    mask = _check_finish(fields, roles, readonly)
    if fields.has("host_cpu"):
        fields.texts("host_cpu")
    if fields.has("digest"):
        fields.text("digest")
    if fields.has("derivative"):
        _check_derivative(fields)
    if version == 2:
        _check_entries(fields, roles, mask)


def _check_finish(fields: Fields, roles: dict[str, str], readonly: bool) -> str | None:
    if not fields.has("finish"):
        return None
    mask = Fields(fields.at("finish"), f"{fields.where}, finish").filled("mask")
    if roles.get(mask) != "terminated":
        raise ValueError(
            f"{fields.where}: 'finish' names the mask '{short(mask)}', which arg_spec does not have with the role "
            "terminated"
        )
    if readonly:
        raise ValueError(
            f"{fields.where}: 'terminated_readonly' is true, but 'finish' says that the kernel sets its mask; one of "
            "them is wrong"
        )
    return mask


def _check_derivative(fields: Fields) -> None:
    derivative = Fields(fields.at("derivative"), f"{fields.where}, derivative")
    derivative.text_of("kind", ("vjp", "jvp"))
    derivative.filled("primal")
    derivative.texts("wrt")


def _check_entries(fields: Fields, roles: dict[str, str], mask: str | None) -> None:
    for target, value in fields.object("entries").items():
        entry = Fields(value, f"{fields.where}, entries.{short(target)}")
        entry.filled("step")
        if not entry.has("run"):
            continue
        entry.filled("run")
        if mask is None:
            raise ValueError(
                f"{fields.where}: target '{short(target)}' has a run entry, but the kernel has no 'finish'; only a "
                "finishing kernel can run to its end"
            )
        for plane in SUPPLIED:
            if plane not in roles:
                raise ValueError(
                    f"{fields.where}: target '{short(target)}' has a run entry, but arg_spec has no plane '{plane}', "
                    "through which a run is steered"
                )
