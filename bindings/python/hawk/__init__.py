"""Kernels of one sample, written in Python, compiled for many.

import hawk
from hawk import Mutable, Param, Scalar

@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x

scale(x, 2.0)                       # on the calling thread, no other package needed
hawk.build([scale], "folder")       # an artifact that C++ and Python load
"""

from typing import TYPE_CHECKING

import hawk._native as _native
from hawk import math as math
from hawk.artifact import build, load
from hawk.decorator import Kernel, kernel
from hawk.errors import HawkError
from hawk.frontend import vector
from hawk.providers import call_on_device
from hawk.types import Quantity
from raptor.errors import BufferRefused, CapabilityError, InteropError, LayoutError, LayoutWarning, PerformanceWarning

if TYPE_CHECKING:
    from hawk._declared import Index, Mutable, Param, Scalar, Terminated, Vector
else:
    from hawk.types import Index, Mutable, Param, Scalar, Terminated, Vector

_native.set_device_hook(call_on_device)

# Without `math`: `from hawk import *` leaves the name to the standard library's.
__all__ = [
    "BufferRefused",
    "CapabilityError",
    "HawkError",
    "Index",
    "InteropError",
    "Kernel",
    "LayoutError",
    "LayoutWarning",
    "Mutable",
    "Param",
    "PerformanceWarning",
    "Quantity",
    "Scalar",
    "Terminated",
    "Vector",
    "build",
    "kernel",
    "load",
    "vector",
]
