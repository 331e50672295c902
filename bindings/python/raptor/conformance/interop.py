"""The rows of the matrix, declared once. docs/interop.md is their readable face; where they differ, this is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

CERTIFIED = ("numpy", "cupy", "torch", "warp")
ROADMAP = ("jax", "tensorflow")
OWNERS = ("eagle", "hawk", "downstream")
KINDS = ("ALIAS", "COPY", "STREAM", "ENV", "INVARIANCE")


@dataclass(frozen=True)
class RowDecl:
    """One row. `framework`: one of CERTIFIED, or None where there is no crossing; `owner`: whose suite carries the
    test; `kind`: how data crosses, or what else is certified. ValueError for a word that is none of these.
    """

    framework: str | None
    owner: str
    kind: str

    def __post_init__(self) -> None:
        if self.framework in ROADMAP:
            raise ValueError(f"a row names the framework '{self.framework}', which is ROADMAP: no row certifies it")
        for what, value, known in (
            ("framework", self.framework, (*CERTIFIED, None)),
            ("owner", self.owner, OWNERS),
            ("kind", self.kind, KINDS),
        ):
            if value not in known:
                raise ValueError(f"a row has the {what} {value!r}; it must be one of {', '.join(map(str, known))}")
        if self.kind in ("ALIAS", "COPY", "STREAM") and self.framework is None:
            raise ValueError(f"a row of kind {self.kind} has no framework; a crossing has one on its other side")
        if self.kind == "INVARIANCE" and self.framework is not None:
            raise ValueError(f"an INVARIANCE row names the framework '{self.framework}'; it crosses to none")


ROWS: Mapping[str, RowDecl] = MappingProxyType(
    {
        "CP-CAPTURE-REJECT": RowDecl("cupy", "eagle", "ENV"),
        "T-IN-CUDA-ALIAS": RowDecl("torch", "eagle", "ALIAS"),
        "T-OUT-CUDA-ALIAS": RowDecl("torch", "eagle", "ALIAS"),
        "T-IN-CPU-COPY": RowDecl("torch", "eagle", "COPY"),
        "T-BRIDGE-COPY": RowDecl("torch", "downstream", "COPY"),
        "T-BACKEND-CPU-IN-ALIAS": RowDecl("torch", "downstream", "ALIAS"),
        "T-BACKEND-CUDA-IN-ALIAS": RowDecl("torch", "downstream", "ALIAS"),
        "T-DEVICE-FAILLOUD": RowDecl("torch", "downstream", "ENV"),
        "STREAM-TORCH-PRODUCER-ORDER": RowDecl("torch", "eagle", "STREAM"),
        "STREAM-CUPY-PRODUCER-ORDER": RowDecl("cupy", "eagle", "STREAM"),
        "STREAM-TORCH-CONSUMER-ORDER": RowDecl("torch", "eagle", "STREAM"),
        "STREAM-IDENTITY": RowDecl("torch", "eagle", "STREAM"),
        "WP-IN-CUDA-ALIAS": RowDecl("warp", "eagle", "ALIAS"),
        "WP-OUT-CUDA-ALIAS": RowDecl("warp", "eagle", "ALIAS"),
        "STREAM-WARP-PRODUCER-ORDER": RowDecl("warp", "eagle", "STREAM"),
        "execution_partition_identity": RowDecl(None, "eagle", "INVARIANCE"),
        "execution_host_device_twin": RowDecl(None, "eagle", "INVARIANCE"),
        "execution_illegal_placement_refused": RowDecl(None, "eagle", "ENV"),
        "execution_layout_selfcheck_refused": RowDecl(None, "eagle", "ENV"),
        "HAWK-DIFF-POSITIVE-ROUNDTRIP": RowDecl(None, "hawk", "INVARIANCE"),
        "HAWK-EXEC-DEPLOY-LOADABLE": RowDecl(None, "hawk", "ENV"),
        "HAWK-EXEC-REFERENCE-HOST": RowDecl(None, "hawk", "INVARIANCE"),
        "HAWK-EXEC-REFERENCE-RANKPARTITION": RowDecl(None, "hawk", "INVARIANCE"),
    }
)


def rows_of(owner: str) -> list[str]:
    """The ids of an owner's rows, in the order of the declaration. ValueError for an owner that is none."""
    if owner not in OWNERS:
        raise ValueError(f"the owner {owner!r} is unknown; rows belong to {', '.join(OWNERS)}")
    return [row for row, declared in ROWS.items() if declared.owner == owner]
