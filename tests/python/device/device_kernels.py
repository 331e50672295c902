"""Kernels of the tests of this folder, and what NumPy makes of them."""

import ctypes
import os
from typing import Any, Self

from device_programs import divide as divide
from device_programs import scale as scale
from device_programs import turn as turn

import eagle
import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated


@hawk.kernel
def both(x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    return x + y, x - y


@hawk.kernel
def countdown(left: Mutable[Scalar], terminated: Terminated):
    left = left - 1.0
    terminated = left <= 0.0


@hawk.kernel
def fall(dt: Param, y: Mutable[Scalar], v: Mutable[Scalar], landed: Terminated):
    v -= 9.81 * dt
    y += v * dt
    landed = y <= 0.0


@hawk.kernel
def sinking(x: Mutable[Index], by: Index, done: Terminated):
    x = x - 1 // by
    done = x <= 0


@hawk.kernel
def heat(y: Scalar, warmth: Mutable[Scalar], landed: Terminated):
    warmth += 0.5 * y


def up(array: Any, device: str = "sim:0") -> Any:
    """A copy on a device."""
    made = eagle.empty(array.shape, array.dtype, device)
    eagle.copy(array, into=made)
    return made


class Seam:
    """The backend's own functions, for what a neighbour of eagle's does on the device."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(os.environ["EAGLE_BACKEND_SIM"])

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, f"eagle_backend_{name}")(*arguments)
        assert status == 0, f"{name} answers {status}"


class Stream:
    """A stream that the default stream knows nothing of, of device 0 unless another is named."""

    def __init__(self, device: int = 0) -> None:
        self._seam, self._handle, raw = Seam(), ctypes.c_void_p(), ctypes.c_uint64()
        non_blocking = 1
        desc = (ctypes.c_uint32 * 4)(16, non_blocking, device, 0)
        self._seam.call("stream_create", ctypes.byref(desc), ctypes.byref(self._handle))
        self._seam.call("stream_ptr", self._handle, ctypes.byref(raw))
        self.ptr = raw.value

    def copy(self, source: Any, into: Any) -> None:
        device_to_device = 2
        arguments = [ctypes.c_uint64(n) for n in (into.ptr, source.ptr, source.nbytes)]
        self._seam.call("memcpy", *arguments, ctypes.c_int32(device_to_device), ctypes.c_uint64(self.ptr))

    def synchronize(self) -> None:
        self._seam.call("stream_synchronize", self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._seam._library.eagle_backend_stream_release(self._handle)


class Foreign:
    """Memory of a device as another library has it: DLPack, and nothing else."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)
