"""Which test carries which row, known as soon as the test's module is imported: presence, not execution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from raptor.conformance.interop import ROWS, rows_of

# Where register_row leaves what it knows: a tuple of (row, device).
ATTRIBUTE = "__raptor_rows__"

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Registered:
    """A test that carries a row. `device`: the kind of device it runs on, as the ledger tells it."""

    row: str
    device: str
    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


_registered: dict[tuple[str, str], Registered] = {}


def register_row(row: str, *, device: str = "cpu") -> Callable[[F], F]:
    """Decorates the test that carries `row`; a row may have one test a device kind.

    `device`: the kind that the test runs on: `cpu`, `cuda`, `sim`, ... What ran on a simulated device says `sim`.
    ValueError, where it stands, for a row that is not declared or that another test carries on that device; TypeError
    for what is no function.
    """
    if row not in ROWS:
        raise ValueError(f"the row {row!r} is not declared in raptor.conformance.interop; its rows: {', '.join(ROWS)}")
    if not isinstance(device, str) or not device.isidentifier():
        raise ValueError(f"the row '{row}' is registered for the device {device!r}; give a kind such as 'cpu' or 'sim'")

    def decorate(test: F) -> F:
        if not callable(test) or isinstance(test, type):
            raise TypeError(f"the row '{row}' is registered on {test!r}; put register_row above a test function")
        made = Registered(row, device, test.__module__, test.__qualname__)
        earlier = _registered.setdefault((row, device), made)
        if earlier != made:
            raise ValueError(
                f"the row '{row}' on '{device}' is carried by {earlier} and by {made}; one test carries it"
            )
        setattr(test, ATTRIBUTE, (*getattr(test, ATTRIBUTE, ()), (row, device)))
        return test

    return decorate


def registered() -> list[Registered]:
    """Every registered test of this session, in the order of the declaration."""
    order = list(ROWS)
    return sorted(_registered.values(), key=lambda found: (order.index(found.row), found.device))


def missing_rows(owner: str) -> list[str]:
    """Rows of the owner without a registered test. ValueError for an owner that is none."""
    there = {found.row for found in registered()}
    return [row for row in rows_of(owner) if row not in there]


def require_rows(owner: str, *, awaited: Iterable[str] = ()) -> None:
    """The presence gate: AssertionError naming the owner's rows without a test.

    `awaited`: rows whose subject is not built yet. They may be missing, and may not be there: a row that has a test is
    awaited no longer. The registry is filled by importing, so a suite with this gate runs whole, in one process.
    """
    awaited = set(awaited)
    unknown = awaited - set(rows_of(owner))
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))} is awaited, but is no row of '{owner}'")
    missing = [row for row in missing_rows(owner) if row not in awaited]
    if missing:
        raise AssertionError(
            f"no test carries {', '.join(missing)} of '{owner}': write it and put register_row above it (a session "
            "that ran a part of the suite alone sees this too: run it whole)"
        )
    arrived = sorted(awaited - set(missing_rows(owner)))
    if arrived:
        raise AssertionError(f"{', '.join(arrived)} of '{owner}' has a test and is still awaited: strike it there")
