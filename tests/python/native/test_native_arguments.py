"""What a call takes: every way an array or a number may come in."""

import array
import ctypes
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from raptor.errors import BufferRefused, InteropError, LayoutError, LayoutWarning, PerformanceWarning

Kernels = Callable[..., Any]


def test_numpy_by_position_and_by_keyword(kernel: Kernels) -> None:
    scale = kernel("scale")
    x = np.array([1.0, 2.0, 3.0])
    for result in (scale(x, 2.0, 1.0), scale(x, b=1.0, a=2.0), scale(a=2.0, x=x, b=1.0)):
        assert isinstance(result, np.ndarray)
        assert result.dtype == np.float64
        np.testing.assert_array_equal(result, [3.0, 5.0, 7.0])


def test_out_is_written_and_returned(kernel: Kernels) -> None:
    x, z = np.arange(4.0), np.full(4, -1.0)
    assert kernel("scale")(x, 2.0, 1.0, out=z) is z
    np.testing.assert_array_equal(z, [1.0, 3.0, 5.0, 7.0])


@pytest.mark.parametrize(
    "make",
    [
        lambda v: memoryview(array.array("d", v)),
        lambda v: array.array("d", v),
        lambda v: (ctypes.c_double * len(v))(*v),
        lambda v: list(v),
        lambda v: tuple(v),
        lambda v: [int(e) for e in v],
        lambda v: np.array(v)[::-1].copy()[::-1],
        lambda v: np.array([v, v]).T[:, 1],
    ],
    ids=["memoryview", "array.array", "ctypes", "list", "tuple", "ints", "reversed", "column"],
)
@pytest.mark.filterwarnings("ignore::raptor.errors.LayoutWarning")
def test_other_arrays(kernel: Kernels, make: Callable[[list[float]], Any]) -> None:
    np.testing.assert_array_equal(kernel("scale")(make([1.0, 2.0, 4.0]), 2.0, 1.0), [3.0, 5.0, 9.0])


def test_lists_convert_without_a_warning(kernel: Kernels) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(kernel("scale")([1, 2], 2, 1), [3.0, 5.0])
        np.testing.assert_array_equal(kernel("pair")([1, 2]), [[1.0, 2.0], [10.0, 20.0]])


@pytest.mark.parametrize(
    "value",
    [2.0, 2, True + 1, np.float64(2), np.float32(2), np.float16(2), np.int8(2), np.uint64(2)],
    ids=lambda v: type(v).__name__,
)
def test_numbers_are_one_sample(kernel: Kernels, value: Any) -> None:
    result = kernel("scale")(value, value, 1)
    assert type(result) is np.float64
    assert result == 5.0


@pytest.mark.parametrize("value", [True, np.True_], ids=["bool", "numpy.bool"])
def test_bools_are_numbers(kernel: Kernels, value: Any) -> None:
    assert kernel("scale")(value, value, value) == 2.0


def test_zero_dimensional_arrays_are_one_sample(kernel: Kernels) -> None:
    assert type(kernel("scale")(np.array(2.0), 3.0, 1.0)) is np.float64
    z = np.array(0.0)
    assert kernel("scale")(np.array(2.0), 3.0, 1.0, out=z) is z
    assert z == 7.0


def test_a_vector_of_one_sample(kernel: Kernels) -> None:
    p, v = np.zeros(3), np.array([1.0, 2.0, 3.0])
    assert kernel("drift")(p, v, 0.5) is None
    np.testing.assert_array_equal(p, [0.5, 1.0, 1.5])
    out = kernel("pair")(1.5)
    assert isinstance(out, np.ndarray)
    np.testing.assert_array_equal(out, [1.5, 15.0])


def test_an_empty_batch(kernel: Kernels) -> None:
    assert kernel("scale")(np.zeros(0), 2.0, 1.0).shape == (0,)
    assert kernel("pair")(np.zeros(0)).shape == (2, 0)


def test_samples_first_is_copied_back_with_a_warning(kernel: Kernels) -> None:
    p, v = np.zeros((5, 3)), np.arange(15.0).reshape(3, 5)
    with pytest.warns(LayoutWarning, match=r"'p' of kernel 'drift'.*samples first.*copied and back"):
        kernel("drift")(p, v, 1.0)
    np.testing.assert_array_equal(p, v.T)


def test_a_transposed_view_is_taken_in_place(kernel: Kernels) -> None:
    p, v = np.zeros((3, 5)), np.ones((3, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel("drift")(p.T, v.T, 2.0)
    np.testing.assert_array_equal(p, 2 * v)


def test_a_square_needs_a_word(kernel: Kernels) -> None:
    v = np.arange(9.0).reshape(3, 3)
    with pytest.raises(LayoutError, match=r"\(3, 3\).*\(3, N\).*\(N, 3\).*samples_first"):
        kernel("drift")(np.zeros((3, 3)), v, 1.0)
    last = np.zeros((3, 3))
    kernel("drift")(last, v, 1.0, layout="samples_last")
    np.testing.assert_array_equal(last, v)
    with pytest.raises(TypeError, match=r"layout.*'first'.*samples_first"):
        kernel("drift")(last, v, 1.0, layout="first")


class Marked(np.ndarray):
    """An array that carries the marker attribute, as samples_first() makes one."""

    __raptor_samples_axis__ = "first"


def test_the_marker_attribute_says_which_axis(kernel: Kernels) -> None:
    v = np.arange(9.0).reshape(3, 3)
    p = np.zeros((3, 3))
    with pytest.warns(LayoutWarning):
        kernel("drift")(p.view(Marked), v.view(Marked), 1.0, layout="samples_last")
    np.testing.assert_array_equal(p, v)


def test_a_wrong_marker_is_refused(kernel: Kernels) -> None:
    class Wrong(np.ndarray):
        __raptor_samples_axis__ = 1

    with pytest.raises(LayoutError, match=r"__raptor_samples_axis__"):
        kernel("scale")(np.zeros(3).view(Wrong), 1.0, 1.0)


def test_safe_dtypes_convert_with_a_warning(kernel: Kernels) -> None:
    x = np.arange(3, dtype=np.int32)
    with pytest.warns(PerformanceWarning, match=r"'x' of kernel 'scale'.*int32.*float64"):
        result = kernel("scale")(x, 2.0, 0.0)
    np.testing.assert_array_equal(result, [0.0, 2.0, 4.0])
    assert x.dtype == np.int32


def test_a_warning_comes_once_a_call_site(kernel: Kernels) -> None:
    scale, x = kernel("scale"), np.arange(3, dtype=np.int16)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(3):
            scale(x, 2.0, 0.0)
        scale(x[:2], 2.0, 0.0)
    assert len(seen) == 2
    assert all(w.filename == __file__ for w in seen)


def test_a_warning_turned_into_an_error_stops_the_call_before_the_work(kernel: Kernels) -> None:
    z = np.full(3, -1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PerformanceWarning):
            kernel("scale")(np.arange(3), 1.0, 0.0, out=z)
    np.testing.assert_array_equal(z, [-1.0] * 3)


def test_float32_kernels(kernel: Kernels) -> None:
    x = np.array([0.1, 0.2], dtype=np.float32)
    result = kernel("scale32")(x, 3.0)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, np.float32(3.0) * x)
    assert type(kernel("scale32")(0.1, 3.0)) is np.float32
    with pytest.raises(BufferRefused, match=r"float64.*needs float32.*not safe"):
        kernel("scale32")(np.zeros(2), 3.0)


class Interface:
    """Only __array_interface__."""

    def __init__(self, values: np.ndarray, **changes: Any) -> None:
        self.values = values
        self.__array_interface__ = {**values.__array_interface__, **changes}


def test_the_array_interface(kernel: Kernels) -> None:
    x = np.arange(6.0)[::2]
    np.testing.assert_array_equal(kernel("scale")(Interface(x), 2.0, 1.0), [1.0, 5.0, 9.0])
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    with pytest.raises(BufferRefused, match=r"'out'.*read-only"):
        kernel("scale")(x, 1.0, 1.0, out=Interface(frozen))
    with pytest.raises(InteropError, match=r"'shape'"):
        kernel("scale")(Interface(x, shape=[3]), 1.0, 1.0)
    with pytest.raises(BufferRefused, match=r"mask"):
        kernel("scale")(Interface(x, mask=np.zeros(3)), 1.0, 1.0)


class Producer:
    """Only DLPack, from the newest protocol to the oldest."""

    def __init__(self, values: np.ndarray, legacy: bool = False, device: tuple[int, int] = (1, 0)) -> None:
        self.values, self.legacy, self.device = values, legacy, device
        self.asked = 0

    def __dlpack__(self, **options: Any) -> Any:
        self.asked += 1
        if self.legacy and options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


@pytest.mark.parametrize("legacy", [False, True])
def test_dlpack(kernel: Kernels, legacy: bool) -> None:
    x = np.arange(6.0).reshape(2, 3)[1]
    np.testing.assert_array_equal(kernel("scale")(Producer(x, legacy), 2.0, 1.0), [7.0, 9.0, 11.0])


def test_dlpack_writes_through_the_versioned_protocol(kernel: Kernels) -> None:
    x, z = np.ones(2), np.zeros(2)
    out = Producer(z)
    assert kernel("scale")(x, 2.0, 1.0, out=out) is out
    np.testing.assert_array_equal(z, [3.0, 3.0])


def test_legacy_dlpack_does_not_say_whether_it_may_be_written(kernel: Kernels) -> None:
    with pytest.raises(BufferRefused, match=r"'out'.*legacy DLPack"):
        kernel("scale")(np.ones(2), 2.0, 1.0, out=Producer(np.zeros(2), legacy=True))


def test_a_read_only_dlpack_tensor_is_refused_for_a_written_plane(kernel: Kernels) -> None:
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    with pytest.raises(BufferRefused, match=r"'out'.*read-only"):
        kernel("scale")(np.ones(2), 2.0, 1.0, out=Producer(frozen))


def test_a_producer_that_answers_nonsense(kernel: Kernels) -> None:
    class Nonsense(Producer):
        def __dlpack__(self, **options: Any) -> Any:
            return 5

    with pytest.raises(InteropError, match=r"__dlpack__ with int.*capsule"):
        kernel("scale")(Nonsense(np.ones(2)), 2.0, 1.0)


def test_a_producer_that_raises(kernel: Kernels) -> None:
    class Raises(Producer):
        def __dlpack__(self, **options: Any) -> Any:
            raise RuntimeError("no such tensor")

    with pytest.raises(RuntimeError, match=r"no such tensor"):
        kernel("scale")(Raises(np.ones(2)), 2.0, 1.0)
