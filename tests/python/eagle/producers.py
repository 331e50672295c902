"""Stand-ins for array libraries: DLPack tensors of any device type, versioned and legacy, and the array interfaces.

Memory is NumPy's, whatever device a tensor names; nothing here is read through a device. A producer counts the tensors
that its consumers have given back.
"""

import ctypes
from typing import Any

import numpy as np

CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Legacy(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {Legacy: b"dltensor", Versioned: b"dltensor_versioned"}  # a capsule keeps the address of its name


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
        return new_capsule(ctypes.addressof(managed), NAMES[form], None)

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


def read_capsule(capsule: Any) -> tuple[str, Any]:
    """Name and structure of a fresh capsule, which stays fresh."""
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = get_name(capsule)
    form = {b"dltensor": Legacy, b"dltensor_versioned": Versioned}[name]
    return name.decode(), form.from_address(get(capsule, name))
