"""import_buffer and torch: through its C exchange table, both ways, and what the table does not tell."""

import gc

import numpy as np
import pytest
import torch

import eagle
import hawk
from eagle.interop import BufferRefused, Requirements, import_buffer


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (torch.float64, "float64"),
        (torch.float32, "float32"),
        (torch.bfloat16, "bfloat16"),
        (torch.int32, "int32"),
        (torch.uint8, "uint8"),
        (torch.bool, "bool"),
        (torch.complex64, "complex64"),
    ],
)
def test_a_tensor_is_viewed_where_it_lies(dtype, name):
    t = torch.zeros((4, 6), dtype=dtype)[1:, ::2]
    view = import_buffer(t)
    assert (view.ptr, view.shape, view.dtype) == (t.data_ptr(), (3, 3), name)
    assert view.strides == tuple(s * t.element_size() for s in t.stride())
    assert (view.device, view.access, view.route, view.producer) == ("cpu", "read-write", "exchange", "torch.Tensor")
    assert view.owner is t and view.stream is None
    back = torch.from_dlpack(view)
    assert back.data_ptr() == t.data_ptr() and back.dtype == dtype and back.stride() == t.stride()


def test_writes_are_seen_on_both_sides():
    t = torch.zeros(4, dtype=torch.float64)
    host = np.asarray(import_buffer(t))
    host[1] = 5.0
    t[2] = 7.0
    assert t.tolist() == [0.0, 5.0, 7.0, 0.0] and host.tolist() == t.tolist()
    x = np.zeros(4)
    tensor = torch.from_dlpack(import_buffer(x))
    tensor[3] = 2.0
    assert x.tolist() == [0.0, 0.0, 0.0, 2.0]
    legacy = torch.utils.dlpack.from_dlpack(import_buffer(x).__dlpack__())
    legacy[0] = 1.0
    assert x[0] == 1.0


def test_the_view_keeps_the_memory_of_a_tensor_that_nobody_else_has():
    view = import_buffer(torch.full((1000,), 3.0))
    gc.collect()
    others = [torch.full((1000,), 9.0) for _ in range(100)]
    assert (np.asarray(view) == 3.0).all() and len(others) == 100


def test_what_the_table_does_not_tell_is_asked_for():
    t = torch.ones(4)
    with pytest.raises(BufferRefused, match=r"requires grad.*pass x\.detach\(\)"):
        import_buffer(t.clone().requires_grad_())
    with pytest.raises(BufferRefused, match=r"negative bit.*pass x\.resolve_neg\(\)"):
        import_buffer(torch.zeros(3, dtype=torch.complex64).conj().imag)
    with pytest.raises(BufferRefused, match=r"conjugate bit.*pass x\.resolve_conj\(\)"):
        import_buffer(torch.zeros(3, dtype=torch.complex64).conj())
    assert import_buffer(t.clone().requires_grad_().detach()).size == 4


def test_tensors_without_memory_of_the_host_are_refused():
    for made, reason in (
        (torch.zeros(3, device="meta"), "on meta"),
        (torch.eye(3).to_sparse(), "doesn't have storage"),
    ):
        with pytest.raises(BufferRefused) as refused:
            import_buffer(made)
        said = str(refused.value)
        assert said.startswith("argument 'obj' is a Tensor that its library hands out no memory of (")
        assert reason in said and "\n" not in said
        assert said.endswith(
            "it needs a dense tensor of plain numbers with memory of its own: a sparse one is made dense with "
            "x.to_dense()"
        )
    with pytest.raises(BufferRefused, match=r"argument 'x' of kernel 'double' is a Tensor that its library hands out"):
        eagle.deploy(double).run(x=torch.eye(3).to_sparse())


def test_requirements_hold_for_tensors():
    t = torch.zeros((2, 3)).t()
    with pytest.raises(
        BufferRefused, match=r"dtype is float32, needed is float64; layout is strided by \(4, 12\) bytes"
    ):
        import_buffer(t, require=Requirements(dtype="float64", contiguous=True))
    assert import_buffer(t.contiguous(), require=Requirements("float32", 6, (3, 2), True, 4, "cpu", 0, True)).size == 6


@hawk.kernel
def double(x: hawk.Scalar) -> hawk.Scalar:
    return x + x


def test_views_given_to_a_kernel_run():
    t = torch.arange(4.0, dtype=torch.float64)
    np.testing.assert_array_equal(double(import_buffer(t)), [0.0, 2.0, 4.0, 6.0])
