"""Parts of arrays of a device, as another library has them."""

import ctypes
from typing import Any

import numpy as np
from producers import Producer

import eagle


class Part(Producer):
    """`array[key]`, known by its DLPack alone."""

    def __init__(self, array: eagle.DeviceArray, key: Any = slice(None), **options: Any) -> None:
        window = (ctypes.c_byte * array.nbytes).from_address(array.ptr)
        values = np.frombuffer(window, array.dtype).reshape(array.shape)  # an address; nobody reads there
        super().__init__(values[key], array.__dlpack_device__(), **options)
        self.array = array
