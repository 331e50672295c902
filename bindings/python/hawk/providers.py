"""Who runs a kernel whose arrays lie on a device: providers, found by the entry-point group `hawk.providers`.

A provider is a function `provide(kernel, device_type, device_id)` of a DLPack device type and number. It returns how
such a call is made, `call(args, kwargs)`, or None where it does not serve that device. Providers are asked in the order
of their names, at the first call with such arrays; hawk itself runs kernels on the host alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from raptor.errors import BufferRefused

if TYPE_CHECKING:
    from hawk.decorator import Kernel

GROUP = "hawk.providers"

Call = Callable[[tuple[Any, ...], dict[str, Any]], Any]
Provide = Callable[["Kernel", int, int], Call | None]


@functools.cache
def providers() -> tuple[tuple[str, Provide | None, str], ...]:
    """Name, function and trouble of every provider; one that cannot be imported has no function."""
    from importlib.metadata import entry_points

    found: list[tuple[str, Provide | None, str]] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            found.append((entry.name, entry.load(), ""))
        except Exception as error:  # somebody else's package; the others are asked all the same
            found.append((entry.name, None, f"{type(error).__name__}: {error}"))
    return tuple(found)


def call_on_device(
    kernel: Kernel, args: tuple[Any, ...], kwargs: dict[str, Any], argument: str, device_type: int, device_id: int
) -> Any:
    """Makes a call whose arrays all lie on that device, the one given for `argument` among them. BufferRefused, naming
    the device, where nobody takes it."""
    asked = []
    for name, provide, trouble in providers():
        call = provide(kernel, device_type, device_id) if provide is not None else None
        if call is not None:
            return call(args, kwargs)
        asked.append(f"{name} ({trouble or 'serves no such device'})")
    raise BufferRefused(
        f"argument '{argument}' of kernel '{kernel.name}' is on DLPack device type {device_type}, number {device_id}, "
        f"and no provider takes calls there (asked: {', '.join(asked) or 'none is installed'}); copy the arrays to the "
        f"host, or install a provider that serves the device: it registers under the entry point {GROUP}"
    )
