"""Stand-ins for array libraries: DLPack tensors of any device type, versioned and legacy, and the array interfaces.

Memory is NumPy's, whatever device a tensor names; nothing here is read through a device. A producer counts the tensors
that its consumers have given back.
"""

import ctypes
from typing import Any

import numpy as np
from dlpack_structures import CODES, DELETER, Legacy, Tensor, Versioned, capsule

LENT: dict[int, "Producer"] = {}  # a tensor that is out keeps its producer, and with it the deleter's code


class Producer:
    """An array of `values` that says it lies on `device`; keeps what it was asked with in `asked`."""

    def __init__(
        self,
        values: np.ndarray,
        device: tuple[int, int] = (1, 0),
        *,
        legacy: bool = False,
        flags: int = 0,
        major: int = 1,
        claims: tuple[int, int] | None = None,
    ) -> None:
        self.values, self.device, self.legacy, self.flags, self.major = values, device, legacy, flags, major
        self.claims = claims or device
        self.asked: list[dict[str, Any]] = []
        self.given: list[Any] = []
        self.taken_back = 0

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.claims

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options)
        form = Legacy if self.legacy else Versioned
        managed = form()
        managed.deleter = DELETER(self.delete)
        if form is Versioned:
            managed.major, managed.minor, managed.flags = self.major, 0, self.flags
        self.describe(managed.tensor)
        self.given.append(managed)
        LENT[ctypes.addressof(managed)] = self
        return capsule(managed)

    def describe(self, tensor: Tensor) -> None:
        values = self.values
        tensor.data, tensor.byte_offset, tensor.ndim, tensor.lanes = values.ctypes.data, 0, values.ndim, 1
        tensor.device_type, tensor.device_id = self.device
        tensor.code, tensor.bits = CODES[values.dtype.kind], 8 * values.itemsize
        self.extents = (ctypes.c_int64 * max(values.ndim, 1))(*values.shape)
        self.steps = (ctypes.c_int64 * max(values.ndim, 1))(*(s // values.itemsize for s in values.strides))
        tensor.shape, tensor.strides = ctypes.addressof(self.extents), ctypes.addressof(self.steps)

    def delete(self, address: int) -> None:
        self.taken_back += 1
        LENT.pop(address, None)


class Interface:
    """An array that is told by a dict, `__array_interface__` or `__cuda_array_interface__`."""

    def __init__(self, values: np.ndarray, name: str = "__array_interface__", **changes: Any) -> None:
        self.values = values
        setattr(self, name, {**values.__array_interface__, **changes})
