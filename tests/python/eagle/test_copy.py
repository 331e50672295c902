"""eagle.copy on the host."""

import numpy as np
import pytest

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
