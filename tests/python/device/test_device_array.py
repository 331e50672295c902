"""eagle.empty, eagle.zeros and eagle.DeviceArray, on the simulated device."""

import gc
import re

import numpy as np
import pytest

import eagle

TEXT = "was given an eagle.DeviceArray on sim:1, whose memory the host cannot touch; call its to_host() for a copy"


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint32", "bool"])
def test_zeros_of_each_dtype_says_what_it_is(dtype):
    array = eagle.zeros((2, 3), dtype, device="sim:1")
    assert array.shape == (2, 3)
    assert array.dtype == np.dtype(dtype)
    assert array.device == "sim:1"
    assert array.nbytes == 6 * np.dtype(dtype).itemsize
    assert (array.ndim, array.size, len(array)) == (2, 6, 2)
    assert array.__dlpack_device__() == (12, 1)
    assert array.ptr != 0
    np.testing.assert_array_equal(array.to_host(), np.zeros((2, 3), dtype))
    assert array.to_host().dtype == np.dtype(dtype)


def test_a_copy_goes_there_and_comes_back():
    array = eagle.empty(5, device="sim")
    assert array.device == "sim:0"
    array.assign(np.arange(5.0))
    back = array.to_host()
    np.testing.assert_array_equal(back, np.arange(5.0))
    back[:] = 7  # a copy
    np.testing.assert_array_equal(array.to_host(), np.arange(5.0))


def test_no_dimensions_and_no_elements():
    assert eagle.zeros((), device="sim:0").to_host() == 0.0
    assert eagle.zeros((0, 4), device="sim:0").to_host().shape == (0, 4)


def test_the_host_gives_numpy_arrays():
    assert isinstance(eagle.zeros(3, device="cpu"), np.ndarray)
    assert eagle.empty((2, 2), "int32", "cpu").dtype == np.int32


@pytest.mark.parametrize(
    ("use", "who"),
    [
        (np.asarray, "numpy.asarray()"),
        (np.sin, "numpy.sin"),
        (lambda x: np.arange(3) * x, "numpy.multiply"),
        (lambda x: np.concatenate([x, x]), "numpy.concatenate"),
        (list, "iter()"),
        (bool, "bool()"),
        (float, "float()"),
        (int, "int()"),
        (lambda x: x + 1, "+"),
        (lambda x: 2.0 * x, "*"),
        (lambda x: x < 1, "<"),
        (lambda x: x == 3, "=="),
        (lambda x: x[0], "indexing"),
    ],
)
def test_what_would_read_it_on_the_host_names_the_call(use, who):
    array = eagle.zeros(3, device="sim:1")
    with pytest.raises(TypeError, match=re.escape(f"{who} {TEXT}")):
        use(array)


def test_it_is_itself_in_containers():
    array, other = eagle.zeros(3, device="sim:0"), eagle.zeros(3, device="sim:0")
    assert array in [array]
    assert {array: 1, other: 2}[other] == 2


@pytest.mark.parametrize(
    ("shape", "dtype", "device", "error", "words"),
    [
        (2, "f8", "nonsense!", ValueError, "device is 'nonsense!'; it must be a kind and a number, such as 'cuda:0'"),
        (2, "f8", "sim:x", ValueError, "device is 'sim:x'; it must be a kind and a number"),
        (2, "f8", "sim:-1", ValueError, "device is 'sim:-1'; it must be a kind and a number"),
        (2, "f8", "sim:2", ValueError, "device is 'sim:2'; kind 'sim' has 2 devices here, numbered from 0"),
        (2, "f8", "absent:0", eagle.BackendUnavailable, "no usable backend of kind 'absent'"),
        (2, "f8", "gpu", eagle.BackendUnavailable, "backend='gpu' found no GPU kind"),
        (-2, "f8", "sim:0", ValueError, "shape is -2; it must be a whole number of at least 0"),
        ((2, -1), "f8", "sim:0", ValueError, "an extent of shape is -1; it must be a whole number of at least 0"),
        ("2", "f8", "sim:0", TypeError, "shape is '2'"),
        ((2**40, 2**40), "f8", "sim:0", ValueError, "has more bytes than int64 counts"),
        (2, "c16", "sim:0", ValueError, "dtype is 'c16'; it must be float64, float32, int64, int32, uint32 or bool"),
        (2, ">f8", "sim:0", ValueError, "in this machine's byte order"),
    ],
)
def test_refusals(shape, dtype, device, error, words):
    with pytest.raises(error, match=re.escape(words)):
        eagle.empty(shape, dtype, device)
    with pytest.raises(error, match=re.escape(words)):
        eagle.zeros(shape, dtype, device)


def test_assign_refuses_what_does_not_fit():
    array = eagle.zeros(3, device="sim:0")
    with pytest.raises(eagle.BufferRefused, match="has 2 elements of float64; the one that it goes into has 3"):
        array.assign(np.zeros(2))
    with pytest.raises(eagle.BufferRefused, match=r"the array is on .*; a copy to a device needs an array of the host"):
        array.assign(eagle.zeros(3, device="sim:0"))
    with pytest.raises(TypeError, match="argument 'source' is of type int"):
        array.assign(3)
    np.testing.assert_array_equal(array.to_host(), np.zeros(3))


def test_memory_is_given_back_with_its_last_user():
    for _ in range(300):
        eagle.empty(1 << 10, device="sim:0")
    array = eagle.zeros(4, device="sim:0")
    capsule = array.__dlpack__(max_version=(1, 0))
    del array
    gc.collect()
    assert "dltensor_versioned" in repr(capsule)
    del capsule


def test_capsules_are_legacy_or_versioned_as_the_consumer_asks():
    array = eagle.zeros(4, device="sim:0")
    assert '"dltensor"' in repr(array.__dlpack__())
    assert '"dltensor"' in repr(array.__dlpack__(max_version=(0, 8)))
    assert '"dltensor_versioned"' in repr(array.__dlpack__(max_version=(1, 0), stream=-1, copy=False))


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"stream": 0}, eagle.InteropError, "0"),
        ({"stream": 12345}, RuntimeError, "the stream 0x3039 was released or is none of this backend's"),
        ({"copy": True}, BufferError, "copy"),
        ({"dl_device": (1, 0)}, BufferError, "nothing is moved silently"),
        ({"unknown": 1}, TypeError, "unknown"),
    ],
)
def test_capsules_that_cannot_be(asked, error, words):
    with pytest.raises(error, match=re.escape(words)):
        eagle.zeros(4, device="sim:0").__dlpack__(**asked)
