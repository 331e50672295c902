"""What the checks of the published core share: kernels with arguments, and programs that are captured and replayed.

Memory of kind cpu is the host's, so arrays of NumPy are its planes and cells. Runs with the package's own interpreter.
"""

import ctypes
import os
from collections.abc import Callable

import numpy as np

from eagle import _core

KERNELS = ctypes.CDLL(os.environ["COMPAT_KERNELS"])


def entry(name: str) -> int:
    """The address of a kernel."""
    address = ctypes.cast(getattr(KERNELS, name), ctypes.c_void_p).value
    assert address
    return address


class Call:
    """A kernel with its arguments, whose storage lives as long."""

    def __init__(self, name: str, *values: object) -> None:
        self.function = entry(name)
        self.planes = [value for value in values if isinstance(value, np.ndarray)]
        self.storage = [np.array([value.ctypes.data if isinstance(value, np.ndarray) else value]) for value in values]

    @property
    def params(self) -> list[int]:
        """The addresses of the arguments."""
        return [box.ctypes.data for box in self.storage]

    def launch(self, stream: int, count: int = 1, base: int = 0, n_samples: int | None = None) -> int:
        """Puts it on a stream."""
        partition = _core.Partition(base, count, base + count if n_samples is None else n_samples)
        return _core.run_device(self.function, self.params, partition, stream)


class Program:
    """One capture: kernels of it live as long as the object."""

    def __init__(self) -> None:
        self.stream = _core.Stream(non_blocking=True)
        self.raw = self.stream.ptr()
        self.kept: list[object] = []

    def twice_and(self, add: int, plane: np.ndarray, stream: int | None = None, count: int = 1) -> None:
        """y = 2 y + add."""
        call = Call("twice_and", add, plane)
        self.kept.append(call)
        call.launch(self.raw if stream is None else stream, count)

    def set_cell(self, value: int, cell: np.ndarray, stream: int) -> None:
        """*cell = value."""
        call = Call("set_cell", np.uint32(value), cell)
        self.kept.append(call)
        call.launch(stream)

    def capture(self, record: Callable[[], None]) -> object:
        """What record() puts on the streams, as a captured graph."""
        capturer = _core.StreamCapturer(self.raw)
        capturer.begin()
        record()
        return capturer.end()

    def launcher(self, record: Callable[[], None]) -> object:
        """The same, ready to run as it is."""
        graph = _core.Graph.from_captured(self.capture(record))
        graph.stream(self.raw)
        self.kept.append(graph)
        return graph.launcher()


def replay(launcher: object) -> None:
    """One replay, waited for."""
    launcher.launch()
    launcher.synchronize()


def cell(value: int = 0, n: int = 1) -> np.ndarray:
    """Words that a conditional reads."""
    return np.full(n, value, np.uint32)


def at(array: np.ndarray, element: int = 0) -> int:
    """The address of an element."""
    return array.ctypes.data + element * array.itemsize
