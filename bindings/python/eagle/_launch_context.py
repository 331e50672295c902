"""launch_context: one stream for eagle's neighbours."""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from ._core import raw_stream

__all__ = ["launch_context"]


def _cupy_stream(handle: int) -> Any:
    cupy = sys.modules.get("cupy")
    return None if cupy is None else cupy.cuda.ExternalStream(handle)


def _torch_stream(handle: int) -> Any:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return None
    return torch.cuda.stream(torch.cuda.ExternalStream(handle))


@contextlib.contextmanager
def launch_context(stream: Any) -> Iterator[tuple[str, ...]]:
    """Makes `stream` the current stream of CuPy and torch inside a `with` block, and puts back what was current.

    `stream`: a raw handle, or a stream of CuPy or torch; it outlives the block. A framework takes part when it is
    imported before the block, torch only where it sees a device. Gives the names of those that do. TypeError for what
    is no stream.
    """
    if stream is None:
        raise TypeError(
            "stream is None; launch_context needs a raw handle (an int, 0 or more, below 2^63), or a stream of CuPy or "
            "torch"
        )
    handle = raw_stream(stream, "launch_context")
    with contextlib.ExitStack() as stack:
        names = []
        for name, make in (("cupy", _cupy_stream), ("torch", _torch_stream)):
            current = make(handle)
            if current is not None:
                stack.enter_context(current)
                names.append(name)
        yield tuple(names)
