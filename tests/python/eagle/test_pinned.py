"""Pinned arrays where no device kind is loaded, and what the host says of itself."""

import subprocess
import sys

import numpy as np
import pytest

import eagle


def test_without_a_device_it_is_plain_aligned_memory():
    program = """
import numpy as np, eagle
x = eagle.pinned((3, 4), np.float32)
assert isinstance(x, np.ndarray) and x.dtype == np.float32 and x.shape == (3, 4)
assert x.backend is None and x.ctypes.data % 64 == 0 and x.flags.c_contiguous and x.flags.writeable
from eagle import _core
assert _core.loaded_kinds() == []
assert eagle.device_props().kind == "cpu"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_array_says_whose_it_is():
    x = eagle.pinned(5, backend="cpu")
    assert x.backend == "cpu" and x.dtype == np.float64 and x.shape == (5,)
    x[:] = 1.5
    assert x[1:3].backend == "cpu" and x.reshape(1, 5).backend == "cpu"
    assert (x + 1).backend is None and x.copy().backend is None
    assert np.asarray(x).sum() == 7.5
    del x


def test_dtypes():
    for dtype in ("float64", "float32", "int64", "int32", "uint32", "bool"):
        assert eagle.pinned(0, dtype).dtype == dtype


def test_refusals():
    with pytest.raises(ValueError, match="dtype is float16; it must be float64"):
        eagle.pinned(3, np.float16)
    with pytest.raises(ValueError, match="an extent of shape is -1"):
        eagle.pinned((3, -1))
    with pytest.raises(ValueError, match=r"shape is 2\.5; it must be a whole number of at least 0"):
        eagle.pinned(2.5)
    with pytest.raises(eagle.BackendUnavailable, match="nowhere"):
        eagle.pinned(3, backend="nowhere")
    with pytest.raises(ValueError, match="kind"):
        eagle.pinned(3, backend="No Kind")


def test_what_the_host_says_of_itself():
    props = eagle.device_props("cpu")
    assert props.kind == "cpu" and props.device == 0 and props.name and props.sm_count >= 1
    assert repr(props).startswith("<eagle.DeviceProps of cpu:0, ")
    with pytest.raises(ValueError, match="device"):
        eagle.device_props("cpu", 1)
    with pytest.raises(ValueError, match="device is -1"):
        eagle.device_props("cpu", -1)
    with pytest.raises(eagle.BackendUnavailable, match="nowhere"):
        eagle.device_props("nowhere")
