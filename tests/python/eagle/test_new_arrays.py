"""empty, zeros and pinned read what they are given alike, and refuse it by name."""

import functools

import numpy as np
import pytest

import eagle

EMPTY = functools.partial(eagle.empty, device="cpu")
ZEROS = functools.partial(eagle.zeros, device="cpu")
MAKERS = pytest.mark.parametrize("make", [EMPTY, ZEROS, eagle.pinned], ids=["empty", "zeros", "pinned"])


@MAKERS
@pytest.mark.parametrize(
    ("shape", "made"),
    [(3, (3,)), (np.int64(2), (2,)), ((2, 3), (2, 3)), ([], ()), (np.array([1, 2]), (1, 2)), (0, (0,))],
)
def test_a_shape_is_an_extent_or_a_sequence_of_them(make, shape, made):
    assert make(shape).shape == made


@MAKERS
@pytest.mark.parametrize("dtype", ["float32", np.int32, np.dtype(bool), float])
def test_a_dtype_is_whatever_numpy_takes(make, dtype):
    assert make(2, dtype).dtype == np.dtype(dtype)


@MAKERS
@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((None,), TypeError, r"shape is None \(NoneType\); it must be a whole number of at least 0, or a sequence"),
        ((1.5,), ValueError, "shape is 1.5; it must be a whole number of at least 0"),
        ((-1,), ValueError, "shape is -1; it must be a whole number of at least 0"),
        (("3",), TypeError, r"an extent of shape is '3' \(str\); it must be a whole number of at least 0"),
        (((True,),), TypeError, r"an extent of shape is True \(bool\); it must be a whole number of at least 0"),
        ((10**400,), ValueError, r"shape is 1000\d*\.\.\. \(401 characters\); it must be a whole number of at least 0"),
        ((3, ">f8"), ValueError, "dtype is '>f8'; it must be float64, .* or bool, in this machine's byte order"),
        (
            (3, "complex128"),
            ValueError,
            "dtype is 'complex128'; it must be float64, float32, int64, int32, uint32 or bool",
        ),
    ],
)
def test_what_is_no_shape_or_dtype_is_refused(make, arguments, error, words):
    with pytest.raises(error, match=words):
        make(*arguments)


@pytest.mark.parametrize("make", [eagle.empty, eagle.zeros])
@pytest.mark.parametrize("device", [5, None, b"cuda:0"])
def test_a_device_is_a_text(make, device):
    with pytest.raises(TypeError, match=r"device is .*; it must be a kind and a number, such as 'cuda:0', or 'cpu'"):
        make(3, device=device)


def test_a_kind_is_a_text():
    words = r"backend is 5 \(int\); it must be the name of a kind, such as 'cuda', or None"
    with pytest.raises(TypeError, match=words):
        eagle.pinned(3, backend=5)
    with pytest.raises(TypeError, match=words):
        eagle.device_props(5)
