"""Arrays and streams as CuPy's, torch's and Numba's are, over memory of the fake driver. None of these libraries runs
here: what is shown with them is eagle's side of the contract, and `make card` shows it with the libraries."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
from exchange_tensor import tensor_class
from fake_driver import LEGACY, order

import eagle


def up(array: np.ndarray, device: str = "cuda:0") -> Any:
    made = eagle.empty(array.shape, array.dtype, device)
    eagle.copy(array, into=made)
    return made


class Library:
    """A library's current streams, one a device, as raw handles."""

    def __init__(self) -> None:
        self.streams: dict[int, int] = {}

    def current(self, device: int) -> int:
        return self.streams.get(device, LEGACY)

    @contextlib.contextmanager
    def using(self, raw: int, device: int = 0) -> Iterator[None]:
        before = self.current(device)
        self.streams[device] = raw
        try:
            yield
        finally:
            self.streams[device] = before


cupy, torch, old_torch, numba = Library(), Library(), Library(), Library()


class Array:
    """Memory of eagle's, under the face of another library."""

    library: Library

    def __init__(self, host: np.ndarray, device: str = "cuda:0") -> None:
        self.array = up(host, device)

    @property
    def device_id(self) -> int:
        return int(self.array.__dlpack_device__()[1])

    def to_host(self) -> np.ndarray:
        return self.array.to_host()

    def ordered_capsule(self, stream: int | None, **options: Any) -> Any:
        """The producer's duty: the consumer's stream, the legacy default one unless it names another, waits."""
        if stream != -1:
            order(self.library.current(self.device_id), stream or LEGACY, self.device_id)
        return self.array.__dlpack__(stream=-1, **options)

    @property
    def interface(self) -> dict[str, Any]:
        return {
            "shape": self.array.shape,
            "typestr": np.dtype(self.array.dtype).str,
            "data": (self.array.ptr, False),
            "strides": None,
            "version": 3,
            "stream": self.library.current(self.device_id) or 1,  # 0 is not allowed there
        }


class CupyArray(Array):
    """As cupy.ndarray: DLPack and the interface of CUDA's arrays."""

    library = cupy

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream: int | None = None, max_version: Any = None) -> Any:
        return self.ordered_capsule(stream, max_version=max_version)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.interface


class NumbaArray(Array):
    """As Numba's device arrays: the interface alone, which names no device."""

    library = numba

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.interface


class TorchTensor(Array, tensor_class(torch.current)):
    """As torch.Tensor since DLPack's exchange table."""

    library = torch

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class OldTorchTensor(Array):
    """As torch.Tensor of a version that has no table yet."""

    library = old_torch
    requires_grad = False

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream: int | None = None, max_version: Any = None) -> Any:
        return self.ordered_capsule(stream, max_version=max_version)

    def is_neg(self) -> bool:
        return False

    def is_conj(self) -> bool:
        return False


class _Handle:
    def __init__(self, raw: int, attribute: str) -> None:
        setattr(self, attribute, raw)


class _External(contextlib.AbstractContextManager):
    """A stream made elsewhere: inside `with` it is the current one of device 0."""

    def __init__(self, library: Library, raw: int) -> None:
        self._using = library.using(raw)

    def __enter__(self) -> Any:
        self._using.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._using.__exit__(*error)


def cupy_module() -> types.ModuleType:
    module = types.ModuleType("cupy")
    module.ndarray = CupyArray
    module.cuda = types.SimpleNamespace(
        get_current_stream=lambda device_id=-1: _Handle(cupy.current(max(device_id, 0)), "ptr"),
        ExternalStream=lambda raw: _External(cupy, raw),
    )
    return module


def torch_module(tensor: type = TorchTensor) -> types.ModuleType:
    module = types.ModuleType("torch")
    module.Tensor, module.from_dlpack = tensor, lambda array: _wrapped(tensor, array)
    module.cuda = types.SimpleNamespace(
        is_available=lambda: True,
        current_stream=lambda device=None: _Handle(tensor.library.current(device or 0), "cuda_stream"),
        ExternalStream=lambda raw: _External(tensor.library, raw),
        stream=lambda external: external,
    )
    return module


def _wrapped(tensor: type, array: Any) -> Any:
    made = tensor.__new__(tensor)
    made.array = array
    return made


@contextlib.contextmanager
def imported(*modules: types.ModuleType) -> Iterator[None]:
    """The modules as if they were imported."""
    before = {module.__name__: sys.modules.get(module.__name__) for module in modules}
    sys.modules.update({module.__name__: module for module in modules})
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
