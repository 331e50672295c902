"""What a kernel's arguments are declared as.

`Scalar` (N,) real; `Index` (N,) int64; `Vector[w]` (w, N) real; `Param` one real number, `Param[Index]` one integer;
`Mutable[T]` the same planes written in place; `Terminated` (N,) bool, a set mask skips the sample; a `Quantity` is one
value carried on several of these planes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

MOST_COMPONENTS = 64


@dataclass(frozen=True)
class Declaration:
    """One argument of a kernel. `element`: real, int or bool; `width`: components of a sample, None for a scalar."""

    name: str
    role: str  # of the sidecar: mutable, out, vec_in, per_sample, terminated, uniform
    element: str
    width: int | None = None

    def type_text(self) -> str:
        return self.element if self.width is None else f"{self.element}[{self.width}]"

    def components(self) -> list[int | None]:
        return [None] if self.width is None else list(range(self.width))


@dataclass(frozen=True)
class Spec:
    """A declaration without its name, as an annotation gives it."""

    text: str
    role: str
    element: str
    width: int | None = None

    def named(self, name: str) -> Declaration:
        return Declaration(name, self.role, self.element, self.width)

    def __repr__(self) -> str:
        return self.text


class _Kind(type):
    """Makes the bare class (`Scalar`) print as it is written."""

    def __repr__(cls) -> str:
        return cls.__name__


class Scalar(metaclass=_Kind):
    """One real a sample: a plane (N,) of float64 (float32 in a float32 kernel)."""


class Index(metaclass=_Kind):
    """One integer a sample: a plane (N,) of int64."""


class Terminated(metaclass=_Kind):
    """The mask (N,): a sample whose byte is set is skipped; the kernel may set it once, to a bool."""


class Vector(metaclass=_Kind):
    """`Vector[w]`: w reals a sample, a plane (w, N); w is an integer from 1 to 64."""

    def __class_getitem__(cls, width: object) -> Spec:
        if isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= MOST_COMPONENTS:
            raise ValueError(f"Vector[{width!r}]: the width must be an integer from 1 to {MOST_COMPONENTS}")
        return Spec(f"Vector[{width}]", "vec_in", "real", width)


class Param(metaclass=_Kind):
    """One real number for the whole call; `Param[Index]` is an integer."""

    def __class_getitem__(cls, kind: object) -> Spec:
        if kind is Index:
            return Spec("Param[Index]", "uniform", "int")
        if kind is Scalar:
            return Spec("Param", "uniform", "real")
        raise ValueError(f"Param[{kind!r}]: a parameter is Param (real) or Param[Index] (integer)")


class Mutable(metaclass=_Kind):
    """`Mutable[Scalar]`, `Mutable[Index]`, `Mutable[Vector[w]]`: a plane that the kernel reads and writes in place."""

    def __class_getitem__(cls, kind: object) -> Spec | Quantity:
        if isinstance(kind, Quantity):
            return kind.written()
        spec = input_spec(kind)
        if spec is None or spec.role not in ("per_sample", "vec_in"):
            raise ValueError(
                f"Mutable[{kind!r}]: use Mutable[Scalar], Mutable[Index], Mutable[Vector[w]] or a Quantity"
            )
        return replace(spec, text=f"Mutable[{spec.text}]", role="mutable")


class Quantity:
    """One value carried on several planes, its wires: `Quantity("angle", {"s": Scalar, "c": Scalar}, atan2)`.

    Declares an argument, as a type does. An argument `a` of it takes the planes `a_s` and `a_c`, which a caller gives
    both or not at all. In the body `a.s` is a wire, and `a` the value that `reconstruct` makes of the wires, in their
    order; it is a function as a kernel calls one. In `Mutable[angle]` the wires are assigned, as in `a.s = x`.

    Raises ValueError for a name, wires or a reconstruct that do not fit.
    """

    def __init__(self, name: str, wires: Mapping[str, object], reconstruct: Callable[..., Any]) -> None:
        if not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(f"Quantity({name!r}, ...): the name must be an identifier")
        if not isinstance(wires, Mapping) or len(wires) < 2:
            raise ValueError(f"Quantity('{name}', {wires!r}, ...): the wires must be a dict of at least two")
        self.name = name
        self.wires: dict[str, Spec] = {}
        for wire, kind in wires.items():
            spec = input_spec(kind)
            if not (isinstance(wire, str) and wire.isidentifier()):
                raise ValueError(f"Quantity('{name}', ...): the wire {wire!r} must be an identifier")
            if not isinstance(spec, Spec) or spec.role not in ("per_sample", "vec_in"):
                raise ValueError(
                    f"Quantity('{name}', ...): the wire '{wire}' is {kind!r}; use Scalar, Index or Vector[w]"
                )
            self.wires[wire] = spec
        if not callable(reconstruct):
            raise ValueError(f"Quantity('{name}', ...): reconstruct is {reconstruct!r}; give a function of the wires")
        self.reconstruct = reconstruct
        self.mutable = False

    def written(self) -> Quantity:
        """The same with wires that a kernel writes."""
        made = Quantity(self.name, dict(self.wires), self.reconstruct)
        made.wires = {wire: replace(spec, role="mutable") for wire, spec in self.wires.items()}
        made.mutable = True
        return made

    def planes(self, argument: str) -> dict[str, Declaration]:
        """By wire, the plane that an argument of this name has on it."""
        return {wire: spec.named(f"{argument}_{wire}") for wire, spec in self.wires.items()}

    def __repr__(self) -> str:
        return f"Mutable[{self.name}]" if self.mutable else self.name


_BARE: dict[object, Spec] = {
    Scalar: Spec("Scalar", "per_sample", "real"),
    Index: Spec("Index", "per_sample", "int"),
    Terminated: Spec("Terminated", "terminated", "bool"),
    Param: Spec("Param", "uniform", "real"),
}


def input_spec(annotation: object) -> Spec | None:
    """What an argument's annotation declares, or None when it is none of hawk's."""
    if isinstance(annotation, Spec):
        return annotation
    return _BARE.get(annotation) if isinstance(annotation, type) else None


def output_spec(annotation: object) -> Spec | None:
    """What a return annotation declares: Scalar, Index or Vector[w]; None when it is none of them."""
    spec = input_spec(annotation)
    if spec is None or spec.role not in ("per_sample", "vec_in"):
        return None
    return replace(spec, role="out")
