"""Element types: sizes and codes as DLPack and the buffer protocol have them."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from raptor.dtypes import DTYPES, FORMATS, dtype_of

HEADERS = Path(__file__).resolve().parents[3] / "core" / "marshal"


@pytest.mark.parametrize("name", DTYPES)
def test_they_are_what_numpy_and_struct_say(name):
    dtype = DTYPES[name]
    plain = np.dtype(name)
    assert (dtype.name, dtype.size, dtype.bits) == (plain.name, plain.itemsize, 8 * plain.itemsize)
    assert struct.calcsize(dtype.buffer) == dtype.size
    assert np.dtype(dtype.buffer) == plain


def test_codes_are_those_that_numpy_exports():
    """The capsule begins with a DLTensor: data 8, device 8, ndim 4, then code, bits, lanes."""
    import ctypes

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for dtype in DTYPES.values():
        capsule = np.zeros(1, dtype.name).__dlpack__()
        code, bits, lanes = struct.unpack_from("<BBH", ctypes.string_at(get(capsule, b"dltensor"), 24), 20)
        assert (code, bits, lanes) == (dtype.code, dtype.bits, 1), dtype.name


def test_they_are_those_of_the_marshal():
    said = re.search(r"dtype_names = \{([^}]*)\}", (HEADERS / "src" / "Signature.cpp").read_text())
    assert re.findall(r'"(\w+)"', said[1]) == list(DTYPES)


def test_words_of_a_sidecar():
    for word in ("float", "scalar", "vector", "matrix"):
        assert dtype_of(word, "float32").name == "float32" and dtype_of(word, "float64").name == "float64"
    assert dtype_of("int", "float32").name == "int64"
    assert dtype_of("uint32", "float32").name == "uint32"
    with pytest.raises(ValueError, match=r"the dtype 'complex' is none of float64, float32"):
        dtype_of("complex", "float64")
    with pytest.raises(ValueError, match=r"scalar_type is 'int64'; it must be 'float64' or 'float32'"):
        dtype_of("int", "int64")


def test_formats():
    assert {name: f.target for name, f in FORMATS.items()} == {
        "ptx": "device",
        "cubin": "device",
        "fatbin": "device",
        "hsaco": "device",
        "host": "host",
    }
    assert {f.entry for f in FORMATS.values() if f.target == "device"} == {"values"}
    assert FORMATS["host"].entry == "pointers"
