"""ActiveSet, copy and pinned on the simulated device."""

import numpy as np
import pytest
from device_kernels import up
from device_programs import check_an_active_set

import eagle


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
    check_an_active_set(up, n)
