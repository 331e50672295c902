"""eagle.copy on the host."""

import numpy as np
import pytest
from producers import Interface

import eagle


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8, np.complex128, bool])
def test_a_plain_copy(dtype):
    x = (np.arange(12).reshape(3, 4) % 3).astype(dtype)
    y = np.zeros((3, 4), dtype)
    assert eagle.copy(x, into=y) is None
    np.testing.assert_array_equal(x, y)


def test_strided_arrays():
    x = np.arange(24.0).reshape(4, 6)
    y = np.zeros((3, 4))
    eagle.copy(x[::-1, ::2].T, into=y)
    np.testing.assert_array_equal(y, x[::-1, ::2].T)
    big = np.random.default_rng(1).random(400_000)
    out = np.zeros(400_000)
    eagle.copy(big, into=out)
    np.testing.assert_array_equal(out, big)


def test_no_backend_takes_part(tmp_path):
    import subprocess
    import sys

    program = (
        "import numpy as np, eagle\nx = np.arange(3.0); y = np.zeros(3)\neagle.copy(x, into=y)\n"
        "assert y.tolist() == [0, 1, 2]\nfrom eagle import _core\nassert _core.loaded_kinds() == []\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_refusals():
    x = np.arange(4.0)
    with pytest.raises(eagle.LayoutError, match=r"the source has shape \(4,\) and the destination \(3,\)"):
        eagle.copy(x, into=np.zeros(3))
    with pytest.raises(eagle.BufferRefused, match="a copy converts nothing"):
        eagle.copy(x, into=np.zeros(4, np.float32))
    with pytest.raises(eagle.BufferRefused, match="share memory"):
        eagle.copy(x[1:], into=x[:-1])
    fixed = np.zeros(4)
    fixed.flags.writeable = False
    with pytest.raises(eagle.BufferRefused, match="the destination is read-only"):
        eagle.copy(x, into=fixed)
    with pytest.raises(TypeError, match="argument 'source' is of type list; it needs an array"):
        eagle.copy([1.0], into=x)
    with pytest.raises(TypeError, match="argument 'into' is of type NoneType"):
        eagle.copy(x, into=None)


@pytest.mark.parametrize("strides", [(0,), (4,), (-4,)])
def test_a_destination_whose_elements_overlap_is_refused(strides):
    memory = np.zeros(5)
    into = np.ndarray((4,), np.float64, memory, offset=16 if strides[0] < 0 else 0, strides=strides)
    words = (
        rf"the destination of shape \(4,\) has elements that share memory \(strides of \({strides[0]},\) bytes\); a "
        "copy needs a place for each: give an array that is no broadcast or window of another"
    )
    with pytest.raises(eagle.LayoutError, match=words):
        eagle.copy(np.arange(4.0), into=into)
    assert memory.tolist() == [0.0] * 5


@pytest.mark.parametrize(
    ("source", "into", "held"),
    [
        (np.array([{}, {}]), np.array([None, None]), "object"),
        (np.array(["abc", "d"]), np.array(["xyz", "q"]), r"non-numeric \(text, dates or records\)"),
        (np.ones(2, [("a", "f8")]), np.zeros(2, [("a", "f8")]), r"non-numeric \(text, dates or records\)"),
    ],
)
def test_what_is_no_number_is_not_copied(source, into, held):
    before = into.copy()
    with pytest.raises(
        eagle.BufferRefused, match=f"the source and the destination have dtype {held}; a copy needs numbers"
    ):
        eagle.copy(source, into=into)
    assert (into == before).all()


def test_an_array_without_memory_is_not_copied():
    fake = Interface(np.zeros(4), data=(0, False))
    words = r"has shape \(4,\) and no memory; a copy needs real data \(a fake or meta array\?\): materialise it first"
    with pytest.raises(eagle.BufferRefused, match="the source " + words):
        eagle.copy(fake, into=np.zeros(4))
    with pytest.raises(eagle.BufferRefused, match="the destination " + words):
        eagle.copy(np.zeros(4), into=fake)
