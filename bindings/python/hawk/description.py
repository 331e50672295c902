"""All there is to know of a kernel once its source is written: what a call, a build and a pickle need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hawk.codegen import generate
from hawk.ir import Program, digest
from hawk.signature import Signature, signature
from hawk.types import Declaration

ABI = "aether-abi/2"
_DTYPES = {"int": "int64", "bool": "bool"}


@dataclass(frozen=True)
class Description:
    """`order`: names that a call may give by position. `priors`: mutables that are read before they are written.

    `source` (for hosts), `device_source` and `operations` are what a compiler is given; empty for a kernel that was
    loaded from a folder.
    """

    name: str
    scalar: str
    signature: Signature
    order: tuple[str, ...]
    priors: frozenset[str]
    mask: str | None  # the mask that the kernel sets
    digest: str
    step: str
    run: str | None
    source: str = ""
    device_source: str = ""
    operations: int = 0
    access: str = "sample_local"  # empty for a v1 artifact, which says nothing of it
    exec_op: str | None = None
    quantities: tuple[tuple[str, tuple[str, ...]], ...] = ()  # arguments on several planes, given all or none
    abi: str = ABI

    def dtype(self, d: Declaration) -> str:
        """Of one element of the argument."""
        if d.role == "nsamples":
            return "uint32"
        return _DTYPES.get(d.element, self.scalar)

    @property
    def terminated_readonly(self) -> bool:
        return self.mask is None and any(d.role == "terminated" for d in self.signature.arguments)

    def outputs(self) -> list[tuple[str, str | None]]:
        """Output planes in the order of the result, each with its key when the result is a dict."""
        planes = [d.name for d in self.signature.arguments if d.role == "out"]
        kind = result_kind(planes)
        if kind == "tuple":
            planes.sort(key=lambda name: int(name[3:]))
        return [(name, name if kind == "dict" else None) for name in planes]


def result_kind(planes: list[str]) -> str:
    """How outputs of these names come back: one, tuple, dict or none."""
    if not planes:
        return "none"
    if planes == ["out"]:
        return "one"
    return "tuple" if set(planes) == {f"out{k}" for k in range(len(planes))} else "dict"


def describe(program: Program) -> Description:
    """Writes the source of a program; everything else is read off it."""
    made = generate(program)
    mutables = {d.name for d in program.declarations if d.role == "mutable"}
    mask = next((d.name for d in program.declarations if d.role == "terminated"), None)
    return Description(
        name=program.name,
        scalar="float32" if program.single else "float64",
        signature=signature(program),
        order=tuple(d.name for d in program.declarations if d.role != "out"),
        priors=frozenset(mutables & program.read),
        mask=mask if program.finished is not None else None,
        digest=digest(program),
        step=made.step,
        run=made.run,
        source=made.text,
        device_source=made.device_text,
        operations=made.operations,
        quantities=program.quantities,
    )


def native_parameters(description: Description) -> list[tuple[Any, ...]]:
    """The arguments in packing order, as hawk._native.Program takes them."""
    rows = []
    for d in description.signature.arguments:
        supplied = d.name.startswith("__")
        vector = d.role in ("out", "vec_in") or (d.role == "mutable" and d.width is not None)
        prior = supplied or d.name in description.priors
        rows.append((d.name, d.role, description.dtype(d), d.width or 1, 1, vector, False, prior))
    return rows
