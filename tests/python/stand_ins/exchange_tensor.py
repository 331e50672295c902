"""A stand-in for torch's tensor: it has the parts that eagle uses, DLPack's C exchange table among them. torch's own
code does not run here."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from dlpack_structures import CODES, CURRENT, VIEW, ExchangeTable, capsule


@VIEW
def _view_of(tensor: Any, into: Any) -> int:
    array, t = tensor.array, into.contents
    t.data, t.byte_offset, t.lanes = array.ptr, 0, 1
    t.device_type, t.device_id = array.__dlpack_device__()
    t.ndim, t.code, t.bits = array.ndim, CODES[array.dtype.kind], 8 * array.dtype.itemsize
    tensor.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    t.shape, t.strides = ctypes.addressof(tensor.shape), None
    return 0


def tensor_class(current: Callable[[int], int]) -> type:
    """A class of tensors over eagle's memory, `Tensor(array)`. `current(device)` is its library's current stream there,
    raw; 0 is the default one."""

    @CURRENT
    def current_stream(device_type: int, device_id: int, into: Any) -> int:
        into[0] = current(device_id) or None
        return 0

    table = ExchangeTable(major=1, minor=2, view_of_object=_view_of, current_stream=current_stream)

    class Tensor:
        __dlpack_c_exchange_api__ = capsule(table)
        __torch_dispatch__ = None
        requires_grad = False
        kept_alive = (table, current_stream)

        def __init__(self, array: Any) -> None:
            self.array = array

        def is_neg(self) -> bool:
            return False

        def is_conj(self) -> bool:
            return False

        def __dlpack__(self, **options: Any) -> Any:
            raise AssertionError("the table is the faster way")

    return Tensor
