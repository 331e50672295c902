"""Tensors: the C exchange table and what it does not tell. A stand-in for torch has the parts that are used."""

import ctypes
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from dlpack_structures import CODES, VIEW, ExchangeTable, capsule

from hawk import _native
from raptor.errors import BufferRefused

Kernels = Callable[..., Any]


@VIEW
def view_of(tensor: Any, into: Any) -> int:
    values = tensor.values
    t = into.contents
    t.data, t.byte_offset = values.ctypes.data, 0
    t.device_type, t.device_id = tensor.device
    t.ndim, t.lanes = values.ndim, 1
    t.code, t.bits = CODES[values.dtype.kind], 8 * values.itemsize
    tensor.shape = (ctypes.c_int64 * values.ndim)(*values.shape)
    tensor.steps = (ctypes.c_int64 * values.ndim)(*(s // values.itemsize for s in values.strides))
    t.shape, t.strides = ctypes.addressof(tensor.shape), ctypes.addressof(tensor.steps)
    return 0


TABLE = ExchangeTable(major=1, minor=2, view_of_object=view_of)


class Tensor:
    __dlpack_c_exchange_api__ = capsule(TABLE)
    __torch_dispatch__ = None
    requires_grad = False

    def __init__(self, values: np.ndarray, negative: bool = False, conjugate: bool = False) -> None:
        self.values, self.negative, self.conjugate = values, negative, conjugate
        self.device = (1, 0)

    def is_neg(self) -> bool:
        return self.negative

    def is_conj(self) -> bool:
        return self.conjugate

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("the table is the faster way")


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
    module = types.ModuleType("torch")
    module.Tensor = Tensor  # type: ignore[attr-defined]
    module.from_numpy = Tensor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", module)
    yield module


def test_tensors_go_in_and_new_tensors_come_out(kernel: Kernels) -> None:
    values = np.arange(6.0)[::2]
    result = kernel("scale")(Tensor(values), 2.0, 1.0)
    assert type(result) is Tensor
    np.testing.assert_array_equal(result.values, [1.0, 5.0, 9.0])
    quotient, remainder = kernel("halves")(Tensor(np.array([5, 6])))
    np.testing.assert_array_equal(quotient.values, [2, 3])
    np.testing.assert_array_equal(remainder.values, [1, 0])


def test_a_tensor_is_not_written_in_place(kernel: Kernels) -> None:
    for call in (
        lambda: kernel("scale")(np.zeros(2), 1.0, 1.0, out=Tensor(np.zeros(2))),
        lambda: kernel("drift")(Tensor(np.zeros(3)), np.zeros(3), 1.0),
    ):
        with pytest.raises(BufferRefused, match=r"torch tensor.*writes it in place.*torch\.Tensor\.numpy"):
            call()


def test_a_tensor_that_requires_grad_names_detach(kernel: Kernels) -> None:
    tensor = Tensor(np.zeros(2))
    tensor.requires_grad = True
    with pytest.raises(BufferRefused, match=r"'x'.*requires grad.*x\.detach\(\)"):
        kernel("scale")(tensor, 1.0, 1.0)


def test_a_pending_negative_bit_names_resolve_neg(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'x'.*negative bit.*x\.resolve_neg\(\)"):
        kernel("scale")(Tensor(np.zeros(2), negative=True), 1.0, 1.0)


def test_a_pending_conjugate_bit_names_resolve_conj(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'x'.*conjugate bit.*x\.resolve_conj\(\)"):
        kernel("scale")(Tensor(np.zeros(2, dtype=complex), conjugate=True), 1.0, 1.0)


def test_a_tensor_on_a_device_names_it(kernel: Kernels) -> None:
    tensor = Tensor(np.zeros(2))
    tensor.device = (2, 1)
    before = _native.set_device_hook(None)
    with pytest.raises(BufferRefused, match=r"'x'.*device type 2, number 1"):
        kernel("scale")(tensor, 1.0, 1.0)
    _native.set_device_hook(before)


def test_a_tensor_without_memory_is_refused(kernel: Kernels) -> None:
    class Empty(Tensor):
        """Dispatches on its own, as fake tensors do, so that the table is not asked."""

        __torch_dispatch__ = classmethod(lambda cls, *args: None)

        def __dlpack__(self, **options: Any) -> Any:
            raise RuntimeError("no storage to export")

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    with pytest.raises(RuntimeError, match=r"no storage to export"):
        kernel("scale")(Empty(np.zeros(2)), 1.0, 1.0)
