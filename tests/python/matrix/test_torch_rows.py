"""Rows about tensors of torch in host memory."""

import numpy as np
import pytest
from matrix_kernels import affine, branched

import eagle
from raptor.conformance import certified_framework, register_row

torch = certified_framework("torch")


def crossed(plan, given, **numbers):
    """What a run makes of a tensor: a tensor of other memory, the tensor itself as it was."""
    before = given.clone()
    made = plan.run(x=given, **numbers)
    assert isinstance(made, torch.Tensor) and made.dtype == given.dtype and made.device.type == "cpu"
    assert torch.equal(given, before)
    begin, end = made.data_ptr(), made.data_ptr() + made.nbytes
    assert not (begin <= given.data_ptr() < end), "the result lies in memory of its own"
    return made


@register_row("T-IN-CPU-COPY")
@pytest.mark.parametrize("count", [1, 5, 100_003])
def test_a_cpu_tensor_comes_back_as_a_copy(count):
    plan = eagle.deploy(affine)
    whole = torch.arange(2 * count, dtype=torch.float64)
    for given in (whole[:count].clone(), whole[::2], whole[:count].flip(0)):
        made = crossed(plan, given, a=1.0, b=0.0)
        assert torch.equal(made, given)
        wanted = given.clone()
        given += 1000.0  # a write on the caller's side is not seen in the result
        assert torch.equal(made, wanted)
        made -= 77.0  # and the other way round
        assert torch.equal(given, wanted + 1000.0)
    narrow = torch.linspace(0.0, 1.0, count, dtype=torch.float32)
    made = crossed(eagle.deploy(branched), narrow, limit=0.5)
    assert made.numpy().tobytes() == np.asarray(branched(narrow.numpy(), 0.5)).tobytes()


def test_a_cpu_tensor_is_not_written_in_place_and_what_it_hides_is_refused():
    plan = eagle.deploy(affine)
    x = torch.zeros(4, dtype=torch.float64)
    with pytest.raises(eagle.BufferRefused, match=r"torch tensor.*crosses by copy.*pass torch\.Tensor\.numpy\(x\)"):
        plan.run(x=x, a=1.0, b=0.0, out=torch.zeros(4, dtype=torch.float64))
    y = torch.zeros(4, dtype=torch.float64)
    over_y = torch.Tensor.numpy(y)
    assert plan.run(x=x, a=1.0, b=5.0, out=over_y) is over_y and y.tolist() == [5.0] * 4
    with pytest.raises(eagle.BufferRefused, match=r"requires grad.*x\.detach\(\)"):
        plan.run(x=x.clone().requires_grad_(), a=1.0, b=0.0)
    with pytest.raises(eagle.BufferRefused, match=r"negative bit.*x\.resolve_neg\(\)"):
        plan.run(x=torch._neg_view(x), a=1.0, b=0.0)
