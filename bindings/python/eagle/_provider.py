"""Kernels of hawk called with arrays of a device: eagle is the provider that hawk finds by the entry point
`hawk.providers`."""

import inspect
import weakref
from collections.abc import Callable
from typing import Any

from . import _core
from ._core import Plan
from ._deploy import kernel_of

__all__ = ["provide"]

_known: "weakref.WeakKeyDictionary[Any, tuple[Plan, list[str]]]" = weakref.WeakKeyDictionary()


def provide(kernel: Any, device_type: int, device_id: int) -> Callable[[tuple[Any, ...], dict[str, Any]], Any] | None:
    """How a call of `kernel` with arrays there is made; None where no backend that is installed serves the device."""
    if not _core.is_served(device_type):
        return None
    plan, order = _plan_of(kernel)

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return plan.run(**dict(zip(order, args, strict=False)), **kwargs)

    return call


def _plan_of(kernel: Any) -> tuple[Plan, list[str]]:
    """The plan of all calls, and the names that they may give by position."""
    found = _known.get(kernel)
    if found is None:
        parameters = inspect.signature(kernel).parameters.values()
        order = [p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        found = _known.setdefault(kernel, (Plan(kernel_of(kernel)), order))
    return found
