"""Tensors on the simulated device: a stand-in for torch has the parts that are used, its exchange table and its current
stream among them."""

import sys
import types

import numpy as np
import pytest
from device_kernels import Stream, countdown, scale, up
from exchange_tensor import tensor_class

import eagle

SAMPLES = 4_099
X = np.linspace(-3.0, 5.0, SAMPLES)


current = [0]
Tensor = tensor_class(lambda device: current[0])


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    module = types.ModuleType("torch")
    module.Tensor = module.from_dlpack = Tensor
    monkeypatch.setitem(sys.modules, "torch", module)
    current[0] = 0


def test_tensors_go_in_and_come_out():
    plan, out = eagle.deploy(scale), Tensor(up(np.zeros(SAMPLES)))
    y = plan.run(x=Tensor(up(X)), a=2.0, b=1.0)
    assert type(y) is Tensor
    np.testing.assert_array_equal(y.array.to_host(), 2.0 * X + 1.0)
    assert plan.run(x=y, a=2.0, b=1.0, out=out) is out  # in place, as what lies on a device is written
    np.testing.assert_array_equal(out.array.to_host(), 2.0 * (2.0 * X + 1.0) + 1.0)
    assert type(scale(y, 1.0, 0.0)) is Tensor
    bound = plan.bind(x=y, a=1.0, b=0.0, out=out).launch()
    np.testing.assert_array_equal(bound["out"].array.to_host(), 2.0 * X + 1.0)


def test_the_current_stream_of_the_library_is_followed():
    plan = eagle.deploy(scale)
    with Stream() as stream:
        current[0] = stream.ptr
        for i in range(32):
            source, x, result = up(X), up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
            stream.copy(source, into=x)
            y = plan.run(x=Tensor(x), a=float(i), b=1.0)
            stream.copy(y.array, into=result)
            stream.synchronize()
            np.testing.assert_array_equal(result.to_host(), i * X + 1.0)


def test_two_current_streams_are_both_waited_for():
    """As tensors and arrays of another library may have them; the first is the one that is followed."""
    plan = eagle.deploy(scale)
    with Stream() as stream, Stream() as other:
        for _ in range(16):
            x, out, source = up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES)), up(X)
            streams = iter([stream.ptr, other.ptr])

            class Moving(Tensor):
                """Of a library whose current stream changes from one tensor to the next."""

                @property
                def requires_grad(self, streams=streams):
                    current[0] = next(streams)
                    return False

            other.copy(source, into=x)
            plan.run(out=Moving(out), x=Moving(x), a=2.0, b=1.0)
            stream.synchronize()
            np.testing.assert_array_equal(out.to_host(), 2.0 * X + 1.0)


def test_simulate_takes_tensors():
    wanted = np.random.default_rng(1).integers(1, 30, SAMPLES).astype(float)
    left = Tensor(up(wanted))
    result = eagle.simulate(countdown, max_steps=100, left=left)
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    assert result.left is left


def test_graphs_take_tensors_and_follow_their_stream():
    @eagle.graph
    def recording(g, x, y):
        scale(x, 2.0, 1.0, out=y)
        return y

    first, out = Tensor(up(X)), Tensor(up(np.zeros(SAMPLES)))
    assert recording.build(first, out)() is out  # of the default stream
    np.testing.assert_array_equal(out.array.to_host(), 2.0 * X + 1.0)
    with Stream() as stream:
        current[0] = stream.ptr
        x, y, result = up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
        built = recording.build(Tensor(x), Tensor(y))
        for i in range(16):
            source = up(X + i)
            stream.copy(source, into=x)
            built()
            stream.copy(y, into=result)
            stream.synchronize()
            np.testing.assert_array_equal(result.to_host(), 2.0 * (X + i) + 1.0)
