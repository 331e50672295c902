"""The current streams of other libraries are waited for before a launch and told after it, for stand-ins of CuPy, torch
and Numba: host logic on the fake driver. A stream is held back by a host function, so that an order that is missing is
seen every time."""

import time

import numpy as np
import pytest
from fake_driver import BLOCKING, LEGACY, NON_BLOCKING, PER_THREAD, Stream

import eagle
import hawk
from hawk import Param, Scalar
from stand_ins import (
    CupyArray,
    NumbaArray,
    OldTorchTensor,
    TorchTensor,
    cupy,
    cupy_module,
    imported,
    torch,
    torch_module,
    up,
)

N = 2_051
OLD, NEW = np.zeros(N), np.linspace(1.0, 2.0, N)
A_WHILE = 0.05  # in which a launch that waits for nobody is done many times over

FACES = [CupyArray, NumbaArray, TorchTensor, OldTorchTensor]
STREAMS = {
    "legacy default": lambda: Stream(LEGACY),
    "per thread": lambda: Stream(PER_THREAD),
    "non-blocking": lambda: Stream(flags=NON_BLOCKING),
    "blocking": lambda: Stream(flags=BLOCKING),
}


held = []  # plans that are bound, until a test is over


@hawk.kernel
def line(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@pytest.fixture(scope="module")
def plan():
    return eagle.deploy(line)


@pytest.fixture(autouse=True, params=FACES, ids=lambda face: face.__name__)
def face(request, plan):
    """The class of the arrays, with its library as if it were imported. What a first launch loads is loaded before a
    stream is held back."""
    tensor = request.param if issubclass(request.param, TorchTensor | OldTorchTensor) else TorchTensor
    with imported(cupy_module(), torch_module(tensor)):
        for device in ("cuda:0", "cuda:1"):
            plan.run(x=up(OLD, device), a=1.0, b=0.0)
        line(up(OLD), 1.0, 0.0)
        yield request.param
        held.clear()


def memory_of(output):
    """Outputs are tensors where a tensor of torch was given."""
    return getattr(output, "array", output)


def launched(way, plan, x, out):
    """What came of it: `out`, where the way is one that takes an output."""
    if way == "a plan":
        return plan.run(x=x, a=2.0, b=1.0)
    if way == "a bound plan":
        # It waits for its work when it goes.
        held.append(plan.bind(x=x, a=2.0, b=1.0, out=out).launch())
        return out
    return line(x, 2.0, 1.0)


@pytest.mark.parametrize("way", ["a plan", "a bound plan", "a call"])
@pytest.mark.parametrize("stream", STREAMS)
def test_it_waits_for_the_producers_stream(face, plan, stream, way):
    x, out, source = face(OLD), face(OLD), up(NEW)
    with STREAMS[stream]() as producer, face.library.using(producer.ptr):
        gate = producer.gate()
        producer.copy(source, into=x.array)
        y = launched(way, plan, x, out)
        time.sleep(A_WHILE)
        gate.set()
        np.testing.assert_array_equal(memory_of(y).to_host(), 2.0 * NEW + 1.0)


def test_a_launch_in_the_order_of_another_stream_does_not(face, plan):
    """What the test above relies on: without the order, the launch reads what was there before."""
    x, source = face(OLD), up(NEW)
    with Stream() as producer, Stream() as other, face.library.using(other.ptr):
        gate = producer.gate()
        producer.copy(source, into=x.array)
        y = plan.run(x=x, a=2.0, b=1.0)
        other.synchronize()
        gate.set()
        np.testing.assert_array_equal(memory_of(y).to_host(), 2.0 * OLD + 1.0)


@pytest.mark.parametrize("way", ["a plan", "a bound plan", "a call"])
@pytest.mark.parametrize("stream", STREAMS)
def test_what_comes_next_on_that_stream_waits_for_it(face, plan, stream, way):
    x, out, result = face(NEW), face(OLD), up(OLD)
    with Stream(LEGACY) as default, STREAMS[stream]() as consumer, face.library.using(consumer.ptr):
        gate = default.gate()  # every launch is behind what the device was given before
        y = launched(way, plan, x, out)
        consumer.copy(memory_of(y), into=result)
        time.sleep(A_WHILE)
        gate.set()
        consumer.synchronize()
        np.testing.assert_array_equal(result.to_host(), 2.0 * NEW + 1.0)


def test_a_stream_that_is_not_the_current_one_is_not_told(face, plan):
    x, result, early = face(NEW), up(OLD), up(OLD)
    with Stream(LEGACY) as default, Stream() as current, Stream() as other, face.library.using(current.ptr):
        gate = default.gate()
        y = memory_of(plan.run(x=x, a=2.0, b=1.0))
        other.copy(y, into=early)
        other.synchronize()
        gate.set()
        current.copy(y, into=result)
        current.synchronize()
        np.testing.assert_array_equal(result.to_host(), 2.0 * NEW + 1.0)
        assert not np.array_equal(early.to_host(), 2.0 * NEW + 1.0)


def test_the_stream_of_the_device_of_the_array_is_asked_for(face, plan):
    """The current stream of device 0 is another, and is held back for good."""
    x, source = face(OLD, "cuda:1"), up(NEW, "cuda:1")
    with Stream(device=0) as elsewhere, Stream(device=1) as producer:
        elsewhere.gate()
        with face.library.using(elsewhere.ptr, 0), face.library.using(producer.ptr, 1):
            gate = producer.gate()
            producer.copy(source, into=x.array)
            y = plan.run(x=x, a=2.0, b=1.0)
            time.sleep(A_WHILE)
            gate.set()
            assert memory_of(y).device == "cuda:1"
            np.testing.assert_array_equal(memory_of(y).to_host(), 2.0 * NEW + 1.0)


def test_a_stream_that_is_named_is_followed_beside_the_current_one(face, plan):
    x, source, result = face(OLD), up(NEW), up(OLD)
    with Stream() as named, Stream() as current, face.library.using(current.ptr):
        gate = named.gate()
        named.copy(source, into=x.array)
        y = plan.run(x=x, a=2.0, b=1.0, stream=named.ptr)
        named.copy(memory_of(y), into=result)
        time.sleep(A_WHILE)
        gate.set()
        named.synchronize()
        np.testing.assert_array_equal(result.to_host(), 2.0 * NEW + 1.0)


def test_import_buffer_puts_the_consumers_stream_behind_the_producers(face, plan):
    x, source, result = face(OLD), up(NEW), up(OLD)
    with Stream() as producer, Stream() as consumer, face.library.using(producer.ptr):
        gate = producer.gate()
        producer.copy(source, into=x.array)
        view = eagle.interop.import_buffer(x, stream=consumer.ptr)
        assert view.ptr == x.array.ptr
        consumer.copy(x.array, into=result)
        time.sleep(A_WHILE)
        gate.set()
        consumer.synchronize()
        np.testing.assert_array_equal(result.to_host(), NEW)


def test_inside_a_launch_context_the_libraries_and_launches_share_the_stream(face, plan):
    if face is NumbaArray:
        face = CupyArray  # Numba takes no part in a launch context
    x, source, result = face(OLD), up(NEW), up(OLD)
    with Stream() as stream:
        with eagle.launch_context(stream) as names:
            assert names == ("cupy", "torch")
            assert cupy.current(0) == face.library.current(0) == stream.ptr
            gate = stream.gate()
            stream.copy(source, into=x.array)
            y = plan.run(x=x, a=2.0, b=1.0)
            stream.copy(memory_of(y), into=result)
        time.sleep(A_WHILE)
        gate.set()
        stream.synchronize()
        assert cupy.current(0) == torch.current(0) == LEGACY
        np.testing.assert_array_equal(result.to_host(), 2.0 * NEW + 1.0)
