"""Rows about tensors of torch on a CUDA device. They carry the marker `matrix_cuda`, by which jobs without a card leave
them out in their own definition.
"""

import numpy as np
from matrix_kernels import affine

import eagle
from eagle.interop import import_buffer
from raptor.conformance import certified_framework, register_row

N = 100_003
# Cycles of a kernel that occupies a stream: tenths of a second, where a launch takes microseconds.
LONG = 400_000_000


def on_card(*values, dtype="float64"):
    """A tensor on the present device; a card that torch does not see fails the row."""
    torch = certified_framework("torch")
    assert torch.cuda.device_count() > 0, "torch sees no CUDA device, or was built for the CPU alone"
    return torch.tensor(*values, dtype=getattr(torch, dtype), device="cuda")


@register_row("T-IN-CUDA-ALIAS", device="cuda")
def test_a_tensor_becomes_a_view_of_its_memory():
    torch = certified_framework("torch")
    x = on_card(np.arange(N))
    view = import_buffer(x)
    assert view.ptr == x.data_ptr() and view.shape == (N,)
    assert (view.device_type, view.device_id) == (2, x.device.index)
    again = torch.from_dlpack(view)
    assert again.data_ptr() == x.data_ptr()
    again += 1.0
    torch.cuda.synchronize()
    assert x[:3].tolist() == [1.0, 2.0, 3.0]
    x.fill_(5.0)
    torch.cuda.synchronize()
    assert again.min().item() == again.max().item() == 5.0
    made = eagle.plan(affine, structure=eagle.exec.DeviceKernel("cuda", x.device.index)).run(x=x, a=2.0, b=1.0)
    assert made.device == x.device and torch.equal(made, 2.0 * x + 1.0)


@register_row("T-OUT-CUDA-ALIAS", device="cuda")
def test_outputs_are_filled_in_place_and_go_out_as_the_same_memory():
    torch = certified_framework("torch")
    x, out = on_card(np.arange(N)), on_card(np.zeros(N))
    address = out.data_ptr()
    plan = eagle.deploy(affine)
    assert plan.run(x=x, a=2.0, b=1.0, out=out) is out and out.data_ptr() == address
    assert torch.equal(out, 2.0 * x + 1.0)
    own = eagle.empty((N,), "float64", device=f"cuda:{x.device.index}")
    plan.run(x=x, a=3.0, b=0.0, out=own)
    view = torch.from_dlpack(own)
    assert view.data_ptr() == import_buffer(own).ptr
    assert torch.equal(view, 3.0 * x)
    view += 1.0
    torch.cuda.synchronize()
    host = np.empty(N)
    eagle.copy(own, into=host)
    np.testing.assert_array_equal(host, 3.0 * np.arange(N) + 1.0)


def behind_a_long_kernel(torch, stream, x, value):
    """Occupies the stream, then writes: whoever does not wait for the stream reads what was there before."""
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LONG)
        x.fill_(value)


@register_row("STREAM-TORCH-PRODUCER-ORDER", device="cuda")
def test_work_on_a_stream_of_torch_is_seen_by_a_launch():
    torch = certified_framework("torch")
    x, plan = on_card(np.zeros(N)), eagle.deploy(affine)
    plan.run(x=x, a=1.0, b=0.0)  # loads what the first launch loads
    ours, other = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    behind_a_long_kernel(torch, ours, x, 7.0)
    with torch.cuda.stream(ours):
        seen = plan.run(x=x, a=1.0, b=0.0)
    torch.cuda.synchronize()
    assert seen.min().item() == seen.max().item() == 7.0
    # Without the fence: in the order of a stream that waits for nobody, the same launch reads what was there before.
    behind_a_long_kernel(torch, ours, x, 9.0)
    with torch.cuda.stream(other):
        early = plan.run(x=x, a=1.0, b=0.0)
    torch.cuda.synchronize()
    assert early.min().item() == early.max().item() == 7.0


@register_row("STREAM-TORCH-CONSUMER-ORDER", device="cuda")
def test_what_torch_does_next_reads_the_finished_value():
    torch = certified_framework("torch")
    x, out, plan = on_card(np.arange(N)), on_card(np.zeros(N)), eagle.deploy(affine)
    plan.run(x=x, a=1.0, b=0.0)
    ours, other = torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(ours):
        torch.cuda._sleep(LONG)  # the launch is late, and its consumer has to wait for it
        plan.run(x=x, a=2.0, b=1.0, out=out)
        consumed = out * 10.0
    with torch.cuda.stream(other):
        early = out * 10.0  # without an order the consumer reads what was there before
    torch.cuda.synchronize()
    assert torch.equal(consumed, 10.0 * (2.0 * x + 1.0))
    assert early.abs().max().item() == 0.0


@register_row("STREAM-IDENTITY", device="cuda")
def test_inside_a_launch_context_both_libraries_have_one_stream():
    torch, cupy = certified_framework("torch"), certified_framework("cupy")
    on_card(np.zeros(1))
    stream = torch.cuda.Stream()
    before = (torch.cuda.current_stream().cuda_stream, cupy.cuda.get_current_stream().ptr)
    with eagle.launch_context(stream):
        assert torch.cuda.current_stream().cuda_stream == stream.cuda_stream
        assert cupy.cuda.get_current_stream().ptr == stream.cuda_stream
    assert (torch.cuda.current_stream().cuda_stream, cupy.cuda.get_current_stream().ptr) == before
