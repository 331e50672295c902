"""A view on its way out: DLPack versioned and legacy, the buffer protocol, the array interfaces."""

import ctypes
import gc
import weakref

import numpy as np
import pytest
from dlpack_structures import read_capsule
from producers import Producer

from eagle.interop import InteropError, import_buffer

PYBUF_WRITABLE = 1
X = np.arange(12.0).reshape(3, 4)[:, ::2]


def test_numpy_takes_it_back_by_every_way():
    x = X.copy()[:, ::-1]
    view = import_buffer(x)
    for back in (np.from_dlpack(view), np.asarray(view), np.asarray(memoryview(view))):
        assert back.ctypes.data == x.ctypes.data and back.strides == x.strides
        np.testing.assert_array_equal(back, x)
        assert back.flags.writeable
    back = np.from_dlpack(view)
    back[1, 1] = 99.0
    assert x[1, 1] == 99.0
    x[0, 0] = 77.0
    assert back[0, 0] == 77.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint16", "bool", "complex64"])
def test_every_type_of_number_goes_out(dtype):
    x = np.arange(5).astype(dtype)
    for back in (np.from_dlpack(import_buffer(x)), np.asarray(import_buffer(x))):
        assert back.dtype == dtype
        np.testing.assert_array_equal(back, x)


def test_what_the_versioned_tensor_says():
    name, managed = read_capsule(capsule := import_buffer(X).__dlpack__(max_version=(1, 3)))
    assert name == "dltensor_versioned" and (managed.major, managed.flags) == (1, 0)
    tensor = managed.tensor
    assert (tensor.data + tensor.byte_offset, tensor.ndim) == (X.ctypes.data, 2)
    assert (tensor.device_type, tensor.device_id) == (1, 0)
    assert (tensor.code, tensor.bits, tensor.lanes) == (2, 64, 1)
    assert list((ctypes.c_int64 * 2).from_address(tensor.shape)) == [3, 2]
    assert list((ctypes.c_int64 * 2).from_address(tensor.strides)) == [4, 2]
    del capsule


def test_the_legacy_tensor_is_for_who_asks_for_no_version():
    view = import_buffer(X)
    for options in ({}, {"max_version": None}, {"max_version": (0, 8)}):
        assert read_capsule(view.__dlpack__(**options))[0] == "dltensor"
    assert view.__dlpack_device__() == (1, 0)


def test_read_only_stays_read_only():
    frozen = X.copy()
    frozen.flags.writeable = False
    view = import_buffer(frozen)
    assert read_capsule(view.__dlpack__(max_version=(1, 0)))[1].flags == 1
    assert not np.asarray(view).flags.writeable and not np.from_dlpack(view).flags.writeable
    assert view.__array_interface__["data"] == (frozen.ctypes.data, True)
    with pytest.raises(BufferError, match="may not be written, which legacy DLPack cannot say"):
        view.__dlpack__()


def test_unknown_access_goes_out_as_read_only_unless_it_is_assumed_writable():
    view = import_buffer(Producer(X, legacy=True))
    assert read_capsule(view.__dlpack__(max_version=(1, 0)))[1].flags == 1
    assert read_capsule(view.__dlpack__())[0] == "dltensor"  # which says as little as the producer did
    with pytest.raises(BufferError, match=r"access is unknown.*import it with assume_writable=True"):
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.create_string_buffer(80), PYBUF_WRITABLE)
    assumed = import_buffer(Producer(X, legacy=True), assume_writable=True)
    assert read_capsule(assumed.__dlpack__(max_version=(1, 0)))[1].flags == 0
    assert np.asarray(assumed).flags.writeable


def test_a_copy_is_a_copy():
    x = X.copy()
    made = np.from_dlpack(import_buffer(x), copy=True)
    np.testing.assert_array_equal(made, x)
    made[0, 0] = -1.0
    x[1, 1] = -2.0
    assert x[0, 0] != -1.0 and made[1, 1] != -2.0
    assert np.from_dlpack(import_buffer(x), copy=False).ctypes.data == x.ctypes.data


def test_memory_of_a_device_goes_out_as_such():
    view = import_buffer(Producer(np.zeros(4), (2, 3)), stream=2)
    assert view.__dlpack_device__() == (2, 3)
    tensor = read_capsule(view.__dlpack__(max_version=(1, 0), stream=2))[1].tensor
    assert (tensor.device_type, tensor.device_id, tensor.data) == (2, 3, view.ptr)
    told = view.__cuda_array_interface__
    assert told["data"] == (view.ptr, False) and (told["shape"], told["typestr"]) == ((4,), "<f8")
    assert (told["version"], told["stream"], told["strides"]) == (3, 2, (8,))
    assert not hasattr(view, "__array_interface__")
    assert not hasattr(import_buffer(X), "__cuda_array_interface__")
    with pytest.raises(BufferError, match=r"on DLPack device \(2, 3\), and a buffer is host memory: take __dlpack__"):
        memoryview(view)


def test_what_no_capsule_can_say_is_refused():
    with pytest.raises(BufferError, match=r"is on DLPack device \(1, 0\) and was asked for on DLPack device \(2, 0\)"):
        import_buffer(X).__dlpack__(dl_device=(2, 0), max_version=(1, 0))
    with pytest.raises(BufferError, match="holds big-endian float64, which DLPack has no code for"):
        import_buffer(X.astype(">f8")).__dlpack__(max_version=(1, 0))
    field = np.zeros(3, dtype=[("a", "f8"), ("b", "i1")])["a"]
    with pytest.raises(BufferError, match="a stride of 9 bytes along axis 0, which is no whole number of elements"):
        import_buffer(field).__dlpack__(max_version=(1, 0))
    with pytest.raises(BufferError, match="copy is True; an array on a device is exported without a copy"):
        import_buffer(Producer(X, (2, 0))).__dlpack__(copy=True, max_version=(1, 0))
    with pytest.raises(BufferError, match="holds big-endian float64, which has no format of a buffer here"):
        memoryview(import_buffer(X.astype(">f8")))


def test_arguments_of_the_export_are_checked():
    view = import_buffer(X)
    for options, words in (
        ({"version": (1, 0)}, "__dlpack__ got an unknown argument 'version'"),
        ({"max_version": 1}, "max_version is of type int; it needs a pair of integers"),
        ({"max_version": (1, "0")}, "max_version is of type str; it needs an integer"),
        ({"dl_device": (1,)}, "dl_device is of type tuple; it needs a pair"),
        ({"stream": "main"}, "stream is of type str; it needs an integer"),
    ):
        with pytest.raises(TypeError, match=words):
            view.__dlpack__(**options)
    with pytest.raises(TypeError, match="__dlpack__ got 1 positional arguments; it takes keywords alone"):
        view.__dlpack__(None)
    with pytest.raises(InteropError, match="stream is an integer outside 64 bits"):
        view.__dlpack__(stream=1 << 80)


# ---- lifetimes ----


@pytest.mark.parametrize("options", [{}, {"max_version": (1, 0)}])
def test_a_capsule_that_nobody_took_lets_go(options):
    producer = Producer(X)
    capsule = import_buffer(producer).__dlpack__(**options)
    gc.collect()
    assert producer.taken_back == 0
    del capsule
    gc.collect()
    assert producer.taken_back == 1


@pytest.mark.parametrize("take", [np.from_dlpack, np.asarray, memoryview])
def test_a_consumer_keeps_the_producer(take):
    producer = Producer(X)
    view = import_buffer(producer)
    alive = weakref.ref(view)
    taken = take(view)
    del view
    gc.collect()
    assert alive() is not None and producer.taken_back == 0
    np.testing.assert_array_equal(np.asarray(taken), X)
    del taken
    gc.collect()
    assert alive() is None and producer.taken_back == 1
