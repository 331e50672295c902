"""A quantity's planes in a plan: each by its own name."""

import numpy as np
import pytest

import eagle
import hawk
from hawk import Mutable, Quantity, Scalar


def total(hi, lo):
    return hi + lo


split = Quantity("split", {"hi": Scalar, "lo": Scalar}, total)


@hawk.kernel
def doubled(x: Mutable[split]) -> Scalar:
    x.hi *= 2.0
    x.lo *= 2.0
    return x


def test_its_planes_are_bound_and_written():
    hi, lo = np.arange(50_001.0), np.full(50_001, 0.25)
    made = eagle.deploy(doubled).run(x_hi=hi, x_lo=lo)
    np.testing.assert_array_equal(hi, 2.0 * np.arange(50_001.0))
    np.testing.assert_array_equal(lo, 0.5)
    np.testing.assert_array_equal(made, hi + lo)


def test_a_missing_plane_is_named_before_anything_is_written():
    hi = np.ones(3)
    with pytest.raises(TypeError, match=r"'x_lo' of kernel 'doubled'.* is missing"):
        eagle.deploy(doubled).run(x_hi=hi)
    assert hi.tolist() == [1.0] * 3
