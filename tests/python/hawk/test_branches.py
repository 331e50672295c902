"""if, conditional expressions, early return: every sample as Python takes it."""

import math

import numpy as np
import pytest
from hawk_oracle import check, run

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated

SAMPLES = [{"x": x, "n": n} for x in (-3.0, -0.5, 0.0, 0.25, 2.0, 9.0) for n in (-2, 0, 1, 5)]


@hawk.kernel
def sides(x: Scalar, n: Index):
    big = 0.0
    if x > 1:
        root = math.sqrt(x)  # a temporary of this side
        big = root * x
        kind = 1
    elif x > 0:
        kind = 2
        big = x / 3
    elif n > 0:
        if n > 3:
            kind = 3
        else:
            kind = 4
            big = x - n
    else:
        kind = 5
        pass
    return {"big": big, "kind": kind, "choice": x if n > 0 else n, "nested": 1 if x > 0 else 2 if n > 0 else 3}


def test_real_branches():
    check(sides, SAMPLES)


def first_positive(a, b, fallback=-1.0):
    """Several ways out, one within the other."""
    if a > 0:
        if a > 5:
            return 5.0
        if b > 0:
            return a
    if b > 2:
        return b
    return fallback


def clipped(x, low, high=1.0):
    if x < low:
        return low
    elif x > high:
        return high
    else:
        return x


@hawk.kernel
def early(x: Scalar, n: Index):
    if x < -1:
        return 100.0
    y = first_positive(x, n)
    if y == 5:
        return y + n
    for k in range(4):
        if k == n:
            return k * 10
    z = clipped(y, -0.25, high=0.5) + clipped(high=2, x=x, low=0)
    return z


def test_early_return_in_kernels_loops_and_helpers():
    check(early, SAMPLES)


@hawk.kernel
def early_state(x: Scalar, y: Mutable[Scalar], k: Mutable[Index]):
    k += 1
    if x < 0:
        y = -1
        return
    y = y + x
    if x > 1:
        return
    k = 2 * k


def test_state_written_before_a_return_stays():
    check(early_state, [{"x": x, "y": 0.5, "k": 3} for x in (-1.0, 0.0, 0.5, 2.0)])


@hawk.kernel
def guarded(i: Index, j: Index, k: Mutable[Index]):
    quotient = 0
    if j != 0:
        quotient = i // j
    both = j != 0 and i % j == 1
    either = j == 0 or i % j == 0
    rest = i % j if j != 0 else -1
    k = quotient + 100 * int(both) + 1000 * int(either) + 10000 * rest


def test_an_untaken_branch_does_not_divide():
    check(guarded, [{"i": i, "j": j, "k": 0} for i in (-7, 0, 7) for j in (-2, 0, 3)])


@hawk.kernel
def divides(i: Index, j: Index) -> Index:
    return i // j


def test_a_taken_division_by_zero_faults():
    with pytest.raises(ZeroDivisionError):
        run(divides, [{"i": 1, "j": 2}, {"i": 1, "j": 0}])
    with pytest.raises(OverflowError):
        run(divides, [{"i": -(2**63), "j": -1}])


FLAG, SCALE = True, None


@hawk.kernel
def known_when_decorated(x: Scalar):
    if FLAG:
        y = x + 1
        y = y / 2
    else:
        y = undefined_name  # noqa: F821
    if SCALE is not None:
        y = y * SCALE
    return y


def test_a_branch_on_a_constant_is_decided_by_the_decorator():
    check(known_when_decorated, [{"x": 1.5}])
    assert "if" not in known_when_decorated.ir.split()


@hawk.kernel
def swap(p: Mutable[Scalar], q: Mutable[Scalar], r: Mutable[Scalar]):
    p, q = q, p
    r, p = p, r


def test_state_that_changes_places():
    check(swap, [{"p": 1.0, "q": 2.0, "r": 3.0}])


@hawk.kernel
def finishing(x: Mutable[Scalar], limit: Param, done: Terminated):
    x = x * 2
    done = x > limit or x < -limit


def test_a_finishing_sample_sets_its_mask_and_masked_ones_stand_still():
    x, done = np.array([1.0, 3.0, 1.0, -5.0]), np.array([False, False, True, False])
    finishing(x=x, limit=5.0, done=done)
    assert x.tolist() == [2.0, 6.0, 1.0, -10.0]
    assert done.tolist() == [False, True, True, True]


@hawk.kernel
def finishing_on_one_side(x: Mutable[Scalar], done: Terminated):
    x += 1
    if x > 2:
        done = x > 3
    else:
        x = 10 * x


def test_the_mask_may_be_set_in_a_branch():
    x, done = np.array([0.0, 1.5, 2.5]), np.zeros(3, bool)
    finishing_on_one_side(x=x, done=done)
    assert x.tolist() == [10.0, 2.5, 3.5] and done.tolist() == [False, False, True]


@hawk.kernel
def masked(x: Scalar, y: Mutable[Scalar], skip: Terminated):
    y = x


def test_a_mask_that_is_only_read():
    y, skip = np.zeros(3), np.array([True, False, True])
    masked(x=np.ones(3), y=y, skip=skip)
    assert y.tolist() == [0.0, 1.0, 0.0] and skip.tolist() == [True, False, True]
    assert "masked_run" not in masked.source
