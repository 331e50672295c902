"""The fake driver as its other users see it: what a neighbour of eagle's puts on a device, without eagle."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from functools import cache
from types import TracebackType
from typing import Any, Self

_driver = ctypes.CDLL(os.environ["EAGLE_CUDA_DRIVER"]) if "EAGLE_CUDA_DRIVER" in os.environ else None
_HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NON_BLOCKING, BLOCKING = 1, 0
LEGACY, PER_THREAD = 0, 2


def call(name: str, *arguments: Any, version: int = 12000) -> None:
    """Calls a function of the driver; whole numbers are passed as 64 bits."""
    assert _driver is not None
    found = ctypes.c_void_p()
    assert _driver.cuGetProcAddress_v2(name.encode(), ctypes.byref(found), version, ctypes.c_uint64(0), None) == 0, name
    sized = [ctypes.c_uint64(a) if isinstance(a, int) else a for a in arguments]
    code = ctypes.CFUNCTYPE(ctypes.c_int)(found.value)(*sized)
    assert code == 0, f"{name} answers {code}"


def count(what: str) -> int:
    """How many of them are alive, or were done (fake_cuda/Control.h)."""
    assert _driver is not None
    _driver.fake_cuda_count.restype = ctypes.c_longlong
    return int(_driver.fake_cuda_count(what.encode()))


@cache
def _primary(device: int) -> ctypes.c_void_p:
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    return context


def calls() -> int:
    """Calls of the driver so far, eagle's and others'."""
    assert _driver is not None
    _driver.fake_cuda_calls.restype = ctypes.c_ulonglong
    return int(_driver.fake_cuda_calls())


def fail_from(n: int, failures: int, error: int) -> None:
    """From the n-th call on from here, so many calls of the driver answer `error`."""
    assert _driver is not None
    _driver.fake_cuda_fail(ctypes.c_ulonglong(n), ctypes.c_ulonglong(failures), error)


def reset_failures() -> None:
    fail_from(0, 0, 0)


def failed_call() -> str:
    """The function that was failed last."""
    assert _driver is not None
    _driver.fake_cuda_failed_call.restype = ctypes.c_char_p
    return _driver.fake_cuda_failed_call().decode()


def current_context() -> int | None:
    """Of this thread; None for none."""
    found = ctypes.c_void_p()
    call("cuCtxGetCurrent", ctypes.byref(found))
    return found.value


class In:
    """Makes a device's context current for a `with` block, as a framework does."""

    def __init__(self, device: int = 0) -> None:
        self.context, self.before = _primary(device), ctypes.c_void_p()

    def __enter__(self) -> Self:
        call("cuCtxGetCurrent", ctypes.byref(self.before))
        call("cuCtxSetCurrent", self.context)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        call("cuCtxSetCurrent", self.before)


def order(before: int, after: int, device: int) -> None:
    """What is put on the stream `after` from here on waits for what is on `before`: an event and a wait."""
    event = ctypes.c_void_p()
    with In(device):
        call("cuEventCreate", ctypes.byref(event), 2)
        call("cuEventRecord", event, before)
        call("cuStreamWaitEvent", after, event, 0)
        call("cuEventDestroy", event)


class Stream:
    """A stream of somebody else's, of one device. `raw` may name a default stream, which is not made here."""

    def __init__(self, raw: int | None = None, flags: int = NON_BLOCKING, device: int = 0) -> None:
        self.device, self.flags, self.ptr, self.gates = device, flags, raw or 0, []
        self.is_own = raw is None
        if self.is_own:
            made = ctypes.c_void_p()
            with In(device):
                call("cuStreamCreate", ctypes.byref(made), flags)
            self.ptr = made.value or 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for gate in self.gates:
            gate.set()
        self.synchronize()
        if self.is_own:
            with In(self.device):
                call("cuStreamDestroy", self.ptr)

    def copy(self, source: Any, into: Any) -> None:
        """Between arrays of eagle's on the device."""
        bytes_there = source.dtype.itemsize * source.shape[0]
        with In(self.device):
            call("cuMemcpyAsync", into.ptr, source.ptr, bytes_there, self.ptr)

    def gate(self) -> threading.Event:
        """Holds the stream until the event that it returns is set, and for ten seconds at most."""
        gate = threading.Event()
        self.call_host(lambda: gate.wait(10))
        self.gates.append(gate)
        return gate

    def synchronize(self) -> None:
        with In(self.device):
            call("cuStreamSynchronize", self.ptr)

    def call_host(self, function: Callable[[], Any]) -> None:
        """In the stream's order."""
        kept.append(_HOST(lambda _: function() and None))
        with In(self.device):
            call("cuLaunchHostFunc", self.ptr, kept[-1], None)


kept: list[Any] = []  # what streams may still call
