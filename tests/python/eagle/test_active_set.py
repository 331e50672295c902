"""ActiveSet on the host: against NumPy."""

import gc
import threading
import weakref

import numpy as np
import pytest
from eagle_kernels import scale
from hypothesis import given, settings
from hypothesis import strategies as st

import eagle


def finished(*samples, of):
    mask = np.zeros(of, bool)
    mask[list(samples)] = True
    return mask


def test_compact_gives_the_slots_of_live_samples():
    mask = finished(0, 3, of=5)
    active = eagle.ActiveSet(mask)
    index_map, count = active.compact()
    assert count == 3 == active.live()
    assert index_map.dtype == np.int32 and index_map.shape == (5,)
    assert index_map[:count].tolist() == [1, 2, 4]
    assert active.samples == 5 and active.live_span() == 5
    assert repr(active) == "<eagle.ActiveSet of 5 samples>"


def test_reorder_and_restore():
    mask = finished(0, 3, of=5)
    x, v = np.arange(5.0), np.arange(10, dtype=np.float32).reshape(2, 5)
    active = eagle.ActiveSet(mask, x)
    active.reorder(v)
    assert x.tolist() == [1, 2, 4, 0, 3]
    assert v.tolist() == [[1, 2, 4, 0, 3], [6, 7, 9, 5, 8]]
    assert mask.tolist() == [False, False, False, True, True]
    assert active.order().tolist() == [1, 2, 4, 0, 3]
    assert active.sample_of(2) == 4 and active.live_span() == 3
    active.reorder(x)  # it is known already
    active.restore()
    assert x.tolist() == [0, 1, 2, 3, 4]
    assert v.tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert mask.tolist() == [True, False, False, True, False]


def test_a_mask_of_live_samples():
    mask = ~finished(0, 3, of=5)
    active = eagle.ActiveSet(mask, mask_is_live=True)
    active.reorder()
    assert mask.tolist() == [True, True, True, False, False]
    assert active.live() == 3


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from([1, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097]),
    st.sampled_from([0.0, 0.02, 0.5, 0.97, 1.0]),
    st.integers(0, 2**32 - 1),
)
def test_any_mask(n, share, seed):
    numbers = np.random.default_rng(seed)
    mask, x = np.zeros(n, bool), numbers.random(n)
    ids, start = np.arange(n, dtype=np.int64), x.copy()
    active = eagle.ActiveSet(mask, x, ids)
    dead = np.zeros(n, bool)
    for _ in range(3):
        dead |= numbers.random(n) < share
        mask[:] = dead[ids]
        index_map, count = active.compact()
        np.testing.assert_array_equal(index_map[:count], np.flatnonzero(~mask))
        active.reorder()
        np.testing.assert_array_equal(ids[:count], np.flatnonzero(~dead))
        np.testing.assert_array_equal(active.order(), ids)
        np.testing.assert_array_equal(x, start[ids])
        assert active.live_span() == count
    active.restore()
    np.testing.assert_array_equal(ids, np.arange(n))
    np.testing.assert_array_equal(x, start)
    np.testing.assert_array_equal(mask, dead)


def test_it_moves_when_it_pays():
    mask = np.zeros(8192, bool)
    active = eagle.ActiveSet(mask)
    mask[1::2] = True
    active.reorder(if_worth=True)
    assert not active.worth_reordering()
    assert active.live_span() == 8192
    mask[2::4] = True
    active.compact()
    assert active.worth_reordering()
    active.reorder(if_worth=True)
    assert active.live_span() == 2048


def test_who_finished():
    mask = finished(0, of=6)
    active = eagle.ActiveSet(mask)
    told = []
    active.when_finished(lambda samples: told.append(samples.tolist()))
    active.compact()
    mask[[2, 5]] = True
    active.compact()
    active.reorder()
    mask[active.order().tolist().index(3)] = True
    active.compact()
    active.compact()
    assert told == [[2, 5], [3]]
    active.reset()
    active.when_finished(None)


def test_what_a_hook_raises_comes_out():
    mask = finished(of=3)
    active = eagle.ActiveSet(mask)

    def raises(samples):
        raise KeyError("mine")

    active.when_finished(raises)
    mask[1] = True
    with pytest.raises(KeyError, match="mine"):
        active.compact()
    assert active.live() == 2


def test_reset_begins_anew():
    mask, x = finished(0, of=3), np.arange(3.0)
    active = eagle.ActiveSet(mask, x)
    active.reorder()
    mask[:] = False
    active.reset()
    assert active.live() == 3 and active.order().tolist() == [0, 1, 2]
    assert x.tolist() == [1, 2, 0]


def test_a_narrowed_plan_leaves_the_finished_out():
    x, out = np.arange(6.0), np.zeros(6)
    bound = eagle.deploy(scale).bind(x=x, y=np.ones(6), a=2.0, out=out)
    assert bound.narrow(2) is bound
    bound.launch()
    assert out.tolist() == [1, 3, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="narrow was given 7 samples; the plan is bound to 6"):
        bound.narrow(7)
    with pytest.raises(TypeError, match="count is"):
        bound.narrow("two")
    bound.narrow(bound.samples).launch()
    assert out.tolist() == (2 * x + 1).tolist()


def test_refusals():
    mask = np.zeros(4, bool)
    with pytest.raises(TypeError, match="argument 'mask' is of type int; it needs an array"):
        eagle.ActiveSet(5)
    with pytest.raises(eagle.BufferRefused, match="the mask has dtype float64; it needs bool or uint8"):
        eagle.ActiveSet(np.zeros(4))
    with pytest.raises(eagle.LayoutError, match="the mask has 2 dimensions"):
        eagle.ActiveSet(np.zeros((2, 2), bool))
    with pytest.raises(ValueError, match=r"theta is 2; it is a share of live slots, more than 0"):
        eagle.ActiveSet(mask, theta=2.0)
    with pytest.raises(ValueError, match="stream is -1"):
        eagle.ActiveSet(mask, stream=-1)
    active = eagle.ActiveSet(mask)
    with pytest.raises(eagle.LayoutError, match=r"the plane has shape \(3,\); it needs 4 samples"):
        active.add(np.zeros(3))
    short = np.zeros(3)
    for _ in range(2):  # it is not kept either
        with pytest.raises(eagle.LayoutError, match="it needs 4 samples"):
            active.add(short)
    fixed = np.zeros(4)
    fixed.flags.writeable = False
    with pytest.raises(eagle.BufferRefused, match="read-only"):
        active.add(fixed)
    with pytest.raises(TypeError, match="argument 'plane' is of type str"):
        active.reorder("x")
    with pytest.raises(TypeError, match="when_finished was given a int; it needs a callable"):
        active.when_finished(3)
    with pytest.raises(IndexError, match="slot 4 is out of range; the set has 4"):
        active.sample_of(4)
    active.reorder()
    with pytest.raises(ValueError, match="a plane is added while the samples are out of order"):
        active.add(np.zeros(4))


def test_planes_that_overlap_are_refused_when_the_set_is_made():
    mask, x = np.array([True, False, False, True]), np.arange(6.0)
    words = (
        r"plane 1 \(float64 of shape \(4,\)\) shares bytes with plane 0 \(float64 of shape \(4,\)\), and a reorder "
        "moves each by itself; the planes of a set must lie apart: give a copy of one of them"
    )
    with pytest.raises(eagle.BufferRefused, match=words):
        eagle.ActiveSet(mask, x[:4], x[1:5])
    assert mask.tolist() == [True, False, False, True]
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_it_keeps_its_arrays():
    class Array(np.ndarray):
        pass

    mask = np.zeros(4, bool).view(Array)
    gone = weakref.ref(mask)
    active = eagle.ActiveSet(mask)
    del mask
    gc.collect()
    assert gone() is not None and active.live() == 4
    del active
    gc.collect()
    assert gone() is None


def test_a_hook_that_refers_to_its_set_is_collected():
    class Hook:
        def __call__(self, samples):
            return self.active

    hook = Hook()
    gone = weakref.ref(hook)
    hook.active = eagle.ActiveSet(np.zeros(4, bool))
    hook.active.when_finished(hook)
    del hook
    gc.collect()
    assert gone() is None


def test_a_second_entry_is_busy():
    n = 2_000_000
    active = eagle.ActiveSet(np.zeros(n, bool))
    busy, stop = [], threading.Event()

    def work():
        while not stop.is_set() and not busy:
            try:
                active.compact()
            except eagle.Busy as error:
                busy.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    stop.set()
    assert busy and "this active set is running already" in busy[0]
    assert active.compact()[1] == n


def test_a_set_of_arrays_that_refer_to_it_is_collected():
    class Owned(np.ndarray):
        owner = None

    plane = np.arange(4.0).view(Owned)
    plane.owner = eagle.ActiveSet(np.array([True, False, True, False]), plane)
    plane.owner.reorder()
    assert list(plane) == [1.0, 3.0, 0.0, 2.0]
    gone = weakref.ref(plane)
    del plane
    gc.collect()
    assert gone() is None
