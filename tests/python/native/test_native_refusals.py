"""What a call refuses: the class, the words that matter, and that nothing was touched."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from hawk import _native
from raptor.errors import BufferRefused, LayoutError

Kernels = Callable[..., Any]
X = np.arange(3.0)


@pytest.fixture(params=["read-only", "complex", "float32", "big-endian", "object", "short", "overlap"])
def bad_call(request: pytest.FixtureRequest) -> tuple[dict[str, Any], type[Exception], str]:
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    x = np.arange(3.0)
    return {
        "read-only": ({"x": x, "out": frozen}, BufferRefused, "'out'.*read-only"),
        "complex": ({"x": x + 1j}, BufferRefused, "'x'.*complex128.*float64"),
        "float32": ({"x": x, "out": np.zeros(3, np.float32)}, BufferRefused, "'out'.*float32.*written in place"),
        "big-endian": ({"x": x.astype(">f8")}, BufferRefused, "'x'.*big-endian float64.*byte order.*astype"),
        "object": ({"x": x.astype(object)}, BufferRefused, "'x'.*object.*float64"),
        "short": ({"x": x, "out": np.zeros(2)}, LayoutError, r"argument 'x'.*3 samples.*needs 2, as 'out' has"),
        "overlap": ({"x": x, "out": x}, BufferRefused, "'out'.*shares memory with 'x'"),
    }[request.param]


def test_bad_arrays(kernel: Kernels, bad_call: tuple[dict[str, Any], type[Exception], str]) -> None:
    planes, error, words = bad_call
    before = {name: array.copy() for name, array in planes.items()}
    with pytest.raises(error, match=words) as raised:
        kernel("scale")(**planes, a=2.0, b=1.0)
    assert isinstance(raised.value, ValueError)
    for name, array in planes.items():
        np.testing.assert_array_equal(array, before[name])


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((X, 2.0), {}, "'b' of kernel 'scale'.*missing"),
        ((X, 2.0, 1.0), {"c": 3.0}, "unknown argument 'c' for kernel 'scale'; it takes out, x, a, b"),
        ((X, 2.0, 1.0), {"x": X}, "'x' of kernel 'scale' is given twice"),
        ((X, 2.0, 1.0, X), {}, r"3 arguments by position \(x, a, b\), 4 were given"),
        ((X, X, 1.0), {}, r"'a'.*array of shape \(3,\).*needs a number"),
        ((X, "two", 1.0), {}, "'a'.*type str.*needs a number"),
        ((X, [2.0], 1.0), {}, "'a'.*type list.*needs a number"),
        (("text", 2.0, 1.0), {}, "'x'.*type str.*needs an array"),
        ((None, 2.0, 1.0), {}, "'x'.*type NoneType.*needs an array"),
        ((X, 2.0, 1.0), {"out": [0.0] * 3}, "'out'.*list.*writes it in place.*numpy.asarray"),
        ((1.0, 2.0, 1.0), {"out": 0.0}, "'out'.*is a number.*writes it"),
    ],
)
def test_wrong_names_and_kinds(kernel: Kernels, args: tuple[Any, ...], kwargs: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        kernel("scale")(*args, **kwargs)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((X, 2**70, 1.0), "'a'.*outside 64 bits"),
        ((X, 2**53 + 1, 1.0), "'a'.*9007199254740993.*float64 cannot hold"),
        ((X, 1j, 1.0), "'a'.*complex"),
        ((X, np.complex64(1), 1.0), "'a'.*complex"),
        ((1j, 1.0, 1.0), "'x'.*complex"),
    ],
)
def test_numbers_that_do_not_survive(kernel: Kernels, args: tuple[Any, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        kernel("scale")(*args)


def test_an_integer_that_does_not_survive_is_named_by_index(kernel: Kernels) -> None:
    with pytest.raises(ValueError, match=r"9007199254740993 at index 1"):
        kernel("scale")(np.array([0, 2**53 + 1]), 1.0, 1.0)


def test_a_fraction_for_an_integer_plane(kernel: Kernels) -> None:
    assert kernel("halves")(6.0) == (3, 0)
    with pytest.raises(ValueError, match=r"'x'.*2.5.*whole number"):
        kernel("halves")(2.5)
    with pytest.raises(BufferRefused, match=r"'x'.*float64.*needs int64"):
        kernel("halves")(np.array([2.0]))


def test_one_sample_and_a_batch(kernel: Kernels) -> None:
    with pytest.raises(LayoutError, match=r"never both"):
        kernel("add")(X, 1.0)


def test_ragged_lists(kernel: Kernels) -> None:
    with pytest.raises(LayoutError, match=r"'x'.*list.*rows differ"):
        kernel("scale")([[1.0], [1.0, 2.0]], 1.0, 1.0)


def test_masked_arrays_name_the_call_that_resolves_them(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'x'.*masked.*x\.filled"):
        kernel("scale")(np.ma.masked_array(X, mask=[0, 1, 0]), 1.0, 1.0)


def test_pandas_objects_name_the_call_that_resolves_them(kernel: Kernels) -> None:
    series = type("Series", (), {"__module__": "pandas.core.series"})
    with pytest.raises(BufferRefused, match=r"'x'.*pandas.*x\.to_numpy"):
        kernel("scale")(series(), 1.0, 1.0)


def test_dates_and_strings_are_no_numbers(kernel: Kernels) -> None:
    for values in (np.array(["2020-01-01"], dtype="datetime64[D]"), np.array(["a"]), np.zeros(2, dtype="f8,f8")):
        with pytest.raises(BufferRefused, match=r"'x'"):
            kernel("scale")(values, 1.0, 1.0)
    with pytest.raises((TypeError, BufferRefused), match=r"'x'"):
        kernel("scale")(np.datetime64("2020-01-01"), 1.0, 1.0)


def test_broadcast_outputs_are_refused(kernel: Kernels) -> None:
    wide = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(3,), strides=(0,))
    with pytest.raises(LayoutError, match=r"'out'.*stride of 0"):
        kernel("scale")(X, 1.0, 1.0, out=wide)
    with pytest.raises(LayoutError, match=r"'out'.*negative stride"):
        kernel("scale")(X, 1.0, 1.0, out=np.zeros(3)[::-1])


def test_too_many_dimensions(kernel: Kernels) -> None:
    with pytest.raises(LayoutError, match=r"'x'.*9 dimensions.*at most 8"):
        kernel("scale")(np.zeros((1,) * 9), 1.0, 1.0)


class OnDevice:
    """An array that says where it lies and can say nothing else."""

    def __init__(self, device_type: int, device_id: int) -> None:
        self.device = (device_type, device_id)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("a refused array is not asked for its memory")


class CudaInterface:
    __cuda_array_interface__: dict[str, Any] = {}  # noqa: RUF012


@pytest.fixture
def nobody() -> Iterator[None]:
    before = _native.set_device_hook(None)
    yield
    _native.set_device_hook(before)


@pytest.mark.usefixtures("nobody")
def test_device_arrays_without_a_hook(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'x'.*device type 2, number 1.*runs on the host: copy it there first"):
        kernel("scale")(OnDevice(2, 1), 1.0, 1.0)
    with pytest.raises(BufferRefused, match=r"'x'.*device type 2, number 0"):
        kernel("scale")(CudaInterface(), 1.0, 1.0)


def test_a_mix_of_devices_names_one_of_each(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'y'.*device type 2.*'x' is on the host; a call needs every array"):
        kernel("add")(X, OnDevice(2, 0))
