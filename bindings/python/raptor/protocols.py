"""What the members of the family ask of each other, as protocols that need no import of the one who implements them.

`isinstance` sees whether the members are there; `require` compares their signatures too and says what is wrong.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, runtime_checkable

from raptor.errors import CapabilityError

__all__ = [
    "CAPABILITIES",
    "PROTOCOLS",
    "Backend",
    "CapabilityError",
    "Executable",
    "KernelLauncher",
    "KernelProvider",
    "Marshal",
    "faults",
    "require",
]

CAPABILITIES = frozenset({"forward", "vjp", "jvp", "train_step"})


@runtime_checkable
class KernelProvider(Protocol):
    """Gives a compiled kernel, described by a versioned manifest."""

    def build(self, directory: str | PathLike[str]) -> str | PathLike[str]:
        """Writes an artifact into the folder; returns the path of its manifest."""
        ...


@runtime_checkable
class Executable(Protocol):
    """A compiled program. Arrays by name in, arrays by name out.

    What its backend's `capabilities` leave out raises `CapabilityError`.
    """

    def forward(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The program's outputs."""
        ...

    def vjp(self, cotangents: Mapping[str, Any]) -> Mapping[str, Any]:
        """Cotangents of the inputs and parameters, at the point of the last forward."""
        ...

    def jvp(self, tangents: Mapping[str, Any]) -> Mapping[str, Any]:
        """Tangents of the outputs, at the point of the last forward."""
        ...

    def parameters(self) -> Mapping[str, Any]:
        """The arrays that a training step updates."""
        ...


@runtime_checkable
class Backend(Protocol):
    """What a program binds to, by name."""

    name: str

    def capabilities(self) -> frozenset[str]:
        """Which of forward, vjp, jvp and train_step it can do."""
        ...

    def compile(self, program: Any) -> Executable:
        """The program, ready to be run many times."""
        ...


@runtime_checkable
class KernelLauncher(Protocol):
    """Launches one kernel over planes."""

    def launch(self, planes: Mapping[str, Any]) -> None:
        """One step of every sample; the planes are read and written in place."""
        ...


@runtime_checkable
class Marshal(Protocol):
    """Turns arrays into the layout that a compiled call expects."""

    def marshal(self, arrays: Mapping[str, Any]) -> Sequence[Any]:
        """The blocks of the call in packing order. They keep alive what they point to."""
        ...


PROTOCOLS: tuple[type, ...] = (KernelProvider, Executable, Backend, KernelLauncher, Marshal)
_MISSING = object()


def faults(value: object, protocol: type) -> list[str]:
    """What keeps `value` from being one: members that are missing, not callable, or called otherwise. Empty when it is
    one.

    A method may take more than the protocol says where the rest has defaults, and may name a positional argument
    otherwise only when it takes it by position alone.
    """
    if protocol not in PROTOCOLS:
        raise TypeError(f"{protocol!r} is none of the protocols {', '.join(p.__name__ for p in PROTOCOLS)}")
    found: list[str] = []
    for name in getattr(protocol, "__annotations__", {}):
        member = getattr(value, name, _MISSING)
        if member is _MISSING:
            found.append(f"has no attribute '{name}'")
        elif not isinstance(member, str):
            found.append(f"has '{name}' of type {type(member).__name__}; it must be a str")
    for name, declared in vars(protocol).items():
        if inspect.isfunction(declared) and not name.startswith("_"):
            found += _method_faults(getattr(value, name, _MISSING), name, declared)
    if protocol is Backend and not found:
        found += _capability_faults(value)
    return found


def require(value: object, protocol: type) -> None:
    """Raises TypeError naming every fault."""
    found = faults(value, protocol)
    if found:
        kind = value.__name__ if isinstance(value, type) else type(value).__name__
        raise TypeError(f"{kind} is no {protocol.__name__}: it {'; it '.join(found)}")


def _method_faults(member: object, name: str, declared: Any) -> list[str]:
    if member is _MISSING:
        return [f"has no method '{name}'"]
    if not callable(member):
        return [f"has '{name}', which cannot be called ({type(member).__name__})"]
    wanted = list(inspect.signature(declared).parameters.values())[1:]
    try:
        signature = inspect.signature(member)
    except (TypeError, ValueError):
        return [f"has '{name}' without a signature that can be read; write it in Python, or give it __text_signature__"]
    shown = f"{name}({', '.join(p.name for p in wanted)})"
    for arguments, names in (([0] * len(wanted), {}), ([], {p.name: 0 for p in wanted})):
        try:
            signature.bind(*arguments, **names)
        except TypeError as error:
            how = "by name" if names else "by position"
            if names and _by_position_alone(signature, len(wanted)):
                continue
            return [f"has {name}{signature}, which cannot be called {how} as {shown} ({error})"]
    return []


def _by_position_alone(signature: inspect.Signature, count: int) -> bool:
    first = list(signature.parameters.values())[:count]
    return len(first) == count and all(p.kind is p.POSITIONAL_ONLY for p in first)


def _capability_faults(value: Any) -> list[str]:
    said = value.capabilities()
    if not isinstance(said, frozenset):
        return [f"has capabilities() that returned a {type(said).__name__}; it must be a frozenset"]
    unknown = sorted(map(str, said - CAPABILITIES))
    if unknown:
        return [f"has the unknown capability '{unknown[0]}'; there are {', '.join(sorted(CAPABILITIES))}"]
    return []
