"""Rows about arrays of NVIDIA Warp, with the marker `matrix_cuda`."""

import numpy as np

import eagle
from eagle.interop import import_buffer
from raptor.conformance import certified_framework, register_row

N = 100_003
ROUNDS = 4_000_000


def spinning(wp):
    """A kernel that occupies a stream."""

    @wp.kernel
    def spin(rounds: int, sink: wp.array(dtype=wp.float64)):
        value = wp.float64(1.0)
        for _ in range(rounds):
            value = value * wp.float64(1.0000001) + wp.float64(1e-12)
        sink[0] = value

    return spin


@register_row("WP-IN-CUDA-ALIAS", device="cuda")
def test_an_array_becomes_a_view_of_its_memory():
    wp = certified_framework("warp")
    x = wp.array(np.arange(N, dtype=np.float64), device="cuda:0")
    view = import_buffer(x)
    assert view.ptr == x.ptr and (view.device_type, view.device_id) == (2, 0)
    assert view.access == "unknown"  # legacy DLPack does not tell
    again = wp.from_dlpack(import_buffer(x, assume_writable=True))
    again.fill_(5.0)
    wp.synchronize()
    np.testing.assert_array_equal(x.numpy(), np.full(N, 5.0))


@register_row("WP-OUT-CUDA-ALIAS", device="cuda")
def test_a_buffer_goes_out_as_the_same_memory():
    wp = certified_framework("warp")
    own = eagle.zeros((N,), "float64", device="cuda:0")
    out = wp.from_dlpack(own)
    assert out.ptr == import_buffer(own).ptr
    out.fill_(2.0)
    wp.synchronize()
    host = np.empty(N)
    eagle.copy(own, into=host)
    np.testing.assert_array_equal(host, np.full(N, 2.0))
    eagle.copy(np.arange(N, dtype=np.float64), into=own)
    np.testing.assert_array_equal(out.numpy(), np.arange(N, dtype=np.float64))


@register_row("STREAM-WARP-PRODUCER-ORDER", device="cuda")
def test_a_write_is_seen_by_a_consumer_whose_stream_was_told():
    """`import_buffer` puts the consumer's stream behind the producer's; of a consumer that it was not told of it knows
    nothing, and that one reads what was there before.
    """
    wp, cupy = certified_framework("warp"), certified_framework("cupy")
    spin = spinning(wp)
    x, sink = wp.zeros(N, dtype=wp.float64, device="cuda:0"), wp.zeros(1, dtype=wp.float64, device="cuda:0")
    producer = wp.Stream("cuda:0")
    told, untold = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    wp.launch(spin, dim=1, inputs=[1, sink], device="cuda:0")
    wp.synchronize()
    with wp.ScopedStream(producer):
        wp.launch(spin, dim=1, inputs=[ROUNDS, sink], stream=producer)
        x.fill_(7.0)
        view = import_buffer(x, stream=told.ptr, assume_writable=True)
    with told:
        seen = cupy.from_dlpack(view).copy()
    with untold:
        memory = cupy.cuda.UnownedMemory(view.ptr, 8 * N, view)
        early = cupy.ndarray((N,), cupy.float64, cupy.cuda.MemoryPointer(memory, 0)).copy()
    cupy.cuda.runtime.deviceSynchronize()
    assert (seen == 7.0).all()
    assert (early == 0.0).all()
