"""What careless programs give kind cuda, and the words they get: host logic on the fake driver."""

import os

import numpy as np
import pytest
from test_cuda_faults import alive

import eagle
import hawk
from hawk import Param, Scalar
from stand_ins import up

X = np.linspace(-1.0, 2.0, 50)


@hawk.kernel
def line(x: Scalar, a: Param) -> Scalar:
    return a * x + 1.0


@hawk.kernel
def half(x: Scalar) -> Scalar:
    return 0.5 * x


class Interface:
    """An array of the interface alone, which names no device."""

    def __init__(self, address, shape):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": "<f8", "data": (address, False), "strides": None, "version": 3,
        }  # fmt: skip


def test_an_array_of_no_elements_has_no_address():
    """With several devices the driver is asked whose memory an address is, and 0 is nobody's."""
    assert eagle.deploy(line).run(x=Interface(0, (0,)), a=2.0).to_host().shape == (0,)
    assert line(Interface(0, (0,)), 2.0).to_host().shape == (0,)


def test_an_array_without_memory():
    with pytest.raises(
        eagle.BufferRefused, match=r"'x' of kernel 'line' has shape \(4,\) and no memory; it needs real"
    ):
        line(Interface(0, (4,)), 2.0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stream": 2**64}, "'stream' is not an integer of 64 bits"),
        ({"shape": (2**64,)}, "'shape' is not an integer of 64 bits"),
        ({"data": (2**64, False)}, "'data' is not a pair"),
        ({"data": ("here", False)}, "'data' is not a pair"),
    ],
)
def test_numbers_that_no_array_has(changes, words):
    x = Interface(up(X).ptr, (50,))
    x.__cuda_array_interface__ |= changes
    said = rf"has an array interface whose {words}.*: its producer is at fault"
    for call in (lambda: line(x, 2.0), lambda: eagle.interop.import_buffer(x)):
        with pytest.raises(eagle.InteropError, match=said):
            call()


def test_two_kernels_of_one_name():
    other = hawk.kernel(name="line")(half.function)
    for _ in range(2):
        np.testing.assert_array_equal(line(up(X), 2.0).to_host(), 2.0 * X + 1.0)
        np.testing.assert_array_equal(other(up(X)).to_host(), 0.5 * X)


@pytest.mark.parametrize("raw", [-1, 2**63, 2**64 - 1, 2**64])
def test_a_number_that_is_no_handle(raw):
    """2^64 - 1 is not taken for -1, which would mean no order at all."""
    with pytest.raises(TypeError, match=rf"stream is {raw}; .*needs a raw handle \(an int, 0 or more, below 2\^63\)"):
        eagle.deploy(line).run(x=up(X), a=2.0, stream=raw)


def test_a_handle_of_no_stream():
    with pytest.raises(eagle.BadHandle, match=r"INVALID_HANDLE \(400\); the stream.* is gone: name one that lives"):
        eagle.deploy(line).run(x=up(X), a=2.0, stream=0xDEADBEE0)
    np.testing.assert_array_equal(eagle.deploy(line).run(x=up(X), a=2.0).to_host(), 2.0 * X + 1.0)


def test_a_host_function_that_uses_the_device():
    x, y, there = up(X), up(np.zeros(50)), np.zeros(50)

    @eagle.graph
    def recording(g, x, y, there):
        line(x, 2.0, out=y)
        g.copy(y, into=there)
        g.host(lambda: y_there.to_host(), reads=[there])

    y_there = y
    built = recording.build(x, y, there)
    with pytest.raises(RuntimeError, match=r"NOT_PERMITTED.*a function of the host .* may not use the device: do that"):
        built()
        built.synchronize()
    np.testing.assert_array_equal(y.to_host(), 2.0 * X + 1.0)


def test_a_host_function_that_lets_go_of_arrays():
    """The driver may not be called there, and their memory goes with the next call."""
    held, seen = [up(X) for _ in range(3)], np.zeros(50)

    @eagle.graph
    def recording(g, seen):
        g.host(held.clear, reads=[seen])

    built, before = recording.build(seen, backend="cuda"), alive()["memory"]
    built()
    built.synchronize()
    assert held == []
    up(np.zeros(1))
    assert alive()["memory"] == before - 3


def test_a_pipe_in_the_place_of_device_code_is_not_waited_for(tmp_path):
    folder = line.build(tmp_path, targets=("cuda",)).parent
    (code,) = (path for path in folder.iterdir() if path.suffix in (".cubin", ".ptx"))
    code.unlink()
    os.mkfifo(code)
    with pytest.raises(RuntimeError, match=rf"{code.name}': it is no regular file; put the file itself there"):
        eagle.Artifact.load(folder).kernel(kind="cuda")


@pytest.mark.parametrize("device", [("2", "0"), (2, None), (2, 2**40), (2,), None])
def test_a_device_that_is_none(device):
    class Odd:
        def __dlpack_device__(self):
            return device

        def __dlpack__(self, **options):
            return up(X).__dlpack__(stream=-1)

    with pytest.raises(eagle.InteropError, match=r"answers __dlpack_device__ with .*; it must be \(type, id\)"):
        line(Odd(), 2.0)
