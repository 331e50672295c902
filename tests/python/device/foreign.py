"""What stands beside eagle on a device: arrays and streams of another library, on the simulated one."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from producers import Producer

import eagle


class Foreign(Producer):
    """A part of a DeviceArray as another library's array, known by its DLPack alone."""

    def __init__(self, array: eagle.DeviceArray, part: Any = slice(None), **options: Any) -> None:
        window = (ctypes.c_byte * array.nbytes).from_address(array.ptr)
        values = np.frombuffer(window, array.dtype).reshape(array.shape)  # an address; nobody reads there
        super().__init__(values[part], array.__dlpack_device__(), **options)
        self.array = array


class _Description(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("device", ctypes.c_int32),
        ("_", ctypes.c_int32),
    )


NON_BLOCKING = 1  # EAGLE_BACKEND_STREAM_NON_BLOCKING: the default stream neither waits for it nor holds it up


class Stream:
    """A stream of kind `sim` that eagle did not make; `ptr` is its raw handle, as CuPy's streams have it."""

    def __init__(self, backend: ctypes.CDLL, handle: ctypes.c_void_p) -> None:
        self._backend, self._handle = backend, handle
        raw = ctypes.c_uint64()
        assert backend.eagle_backend_stream_ptr(handle, ctypes.byref(raw)) == 0
        self.ptr = raw.value

    def synchronize(self) -> None:
        assert self._backend.eagle_backend_stream_synchronize(self._handle) == 0


@contextmanager
def stream(device: int = 0, flags: int = NON_BLOCKING) -> Iterator[Stream]:
    backend = ctypes.CDLL(os.environ["EAGLE_BACKEND_SIM"])
    description = _Description(ctypes.sizeof(_Description), flags, device, 0)
    handle = ctypes.c_void_p()
    assert backend.eagle_backend_stream_create(ctypes.byref(description), ctypes.byref(handle)) == 0
    try:
        yield Stream(backend, handle)
    finally:
        backend.eagle_backend_stream_release(handle)
