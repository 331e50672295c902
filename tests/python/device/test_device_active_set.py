"""ActiveSet, copy and pinned on the simulated device."""

import numpy as np
import pytest

import eagle


def up(array):
    made = eagle.empty(array.shape, array.dtype, "sim:0")
    eagle.copy(array, into=made)
    return made


def test_copy_goes_there_and_back():
    x = np.arange(12.0).reshape(3, 4)
    there, also = up(x), eagle.empty((3, 4), "float64", "sim:0")
    eagle.copy(there, into=also)
    back = eagle.pinned((3, 4))
    assert back.backend == "sim"
    eagle.copy(also, into=back)
    np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize("n", [1, 33, 4097])
def test_an_active_set_of_a_device(n):
    numbers = np.random.default_rng(n)
    dead, x = numbers.random(n) < 0.5, numbers.random(n)
    mask, plane = up(dead), up(x)
    active = eagle.ActiveSet(mask, plane)
    index_map, count = active.compact()
    np.testing.assert_array_equal(index_map.to_host()[:count], np.flatnonzero(~dead))
    active.reorder()
    order = np.concatenate([np.flatnonzero(~dead), np.flatnonzero(dead)])
    np.testing.assert_array_equal(active.order(), order)
    np.testing.assert_array_equal(plane.to_host(), x[order])
    active.restore()
    np.testing.assert_array_equal(plane.to_host(), x)
    np.testing.assert_array_equal(mask.to_host(), dead)
