"""Rows about arrays of CuPy, with the marker `matrix_cuda`."""

import numpy as np
import pytest
from matrix_kernels import affine

import eagle
from raptor.conformance import certified_framework, register_row

N = 100_003
SPIN = """
extern "C" __global__ void spin(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
}
"""
LONG = np.int64(400_000_000)


@register_row("CP-CAPTURE-REJECT", device="cuda")
def test_an_array_of_the_host_is_refused_and_nothing_is_allocated():
    cupy = certified_framework("cupy")
    x, out = cupy.arange(N, dtype=cupy.float64), np.zeros(N)

    @eagle.graph
    def mixed(g, x, out):
        g.launch(affine, x=x, a=2.0, b=1.0, out=out)

    pool = cupy.get_default_memory_pool()
    free, used = cupy.cuda.runtime.memGetInfo()[0], pool.used_bytes()
    with pytest.raises(eagle.BufferRefused) as caught:
        mixed.build(x, out)
    assert "'x'" in str(caught.value) and "'out'" in str(caught.value)
    assert (cupy.cuda.runtime.memGetInfo()[0], pool.used_bytes()) == (free, used)
    assert (out == 0.0).all()


@register_row("STREAM-CUPY-PRODUCER-ORDER", device="cuda")
@pytest.mark.parametrize("where", ["a stream of the caller's", "the legacy null stream"])
def test_a_write_that_was_enqueued_is_seen_by_a_replay(where):
    cupy = certified_framework("cupy")
    spin = cupy.RawKernel(SPIN, "spin")
    x, seen = cupy.zeros(N), cupy.zeros(N)

    @eagle.graph
    def copied(g, x, seen):
        g.launch(affine, x=x, a=1.0, b=0.0, out=seen)

    built = copied.build(x, seen)
    built()
    stream = cupy.cuda.Stream(non_blocking=True) if where.startswith("a stream") else cupy.cuda.Stream.null
    other = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.runtime.deviceSynchronize()
    with stream:
        spin((1,), (1,), (LONG,))
        x.fill(3.0)
    built.launch(stream=stream)
    cupy.cuda.runtime.deviceSynchronize()
    assert (seen == 3.0).all()
    # Without the fence: a copy on a stream that waits for nobody reads what was there before.
    with stream:
        spin((1,), (1,), (LONG,))
        x.fill(4.0)
    with other:
        early = x.copy()
    cupy.cuda.runtime.deviceSynchronize()
    assert (early == 3.0).all()
