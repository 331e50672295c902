"""How a kernel's arguments are packed: roles, order and supplied planes, as a sidecar declares them."""

from __future__ import annotations

from dataclasses import dataclass

from hawk.ir import Program
from hawk.types import Declaration

ROLE_ORDER = (
    "mutable", "out", "wide_out", "accum_out", "vec_in", "mat_in", "wide_in", "per_sample", "lookup", "terminated",
    "uniform", "nsamples",
)  # fmt: skip
NSAMPLES = Declaration("n_samples", "nsamples", "int")


@dataclass(frozen=True)
class Signature:
    """`arguments` in packing order, supplied planes (`__control`, ...) and the sample count among them."""

    arguments: tuple[Declaration, ...]
    finishes: bool
    faults: bool

    def of_role(self, *roles: str) -> list[Declaration]:
        """Arguments of these roles, in packing order, without those the loader supplies."""
        return [d for d in self.arguments if d.role in roles and not d.name.startswith("__")]


def signature(program: Program) -> Signature:
    finishes = program.finished is not None
    supplied = ["__control", "__next", "__steps"] if finishes else ["__control"] if program.faults else []
    arguments = [
        *program.declarations,
        *(Declaration(name, "mutable", "int") for name in supplied),
        NSAMPLES,
    ]
    arguments.sort(key=lambda d: (ROLE_ORDER.index(d.role), d.name))
    return Signature(tuple(arguments), finishes, program.faults)
