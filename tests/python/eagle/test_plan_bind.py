"""Plan.bind, BoundPlan.launch and rebind."""

import contextlib
import gc
import threading
import weakref

import numpy as np
import pytest
from eagle_kernels import add_in_place, long_work, scale, sums

import eagle


@pytest.fixture
def planes():
    return {"x": np.arange(4.0), "y": np.ones(4), "a": 2.0, "out": np.zeros(4)}


def test_a_bound_plan_works_on_the_arrays_it_was_given(planes):
    bound = eagle.deploy(scale).bind(**planes)
    assert bound.launch() is bound
    np.testing.assert_array_equal(planes["out"], [1.0, 3.0, 5.0, 7.0])
    planes["x"][:] = 1.0
    bound.launch()
    np.testing.assert_array_equal(planes["out"], [3.0, 3.0, 3.0, 3.0])
    assert bound.samples == 4
    assert bound["x"] is planes["x"]


def test_rebind_takes_numbers_and_arrays(planes):
    bound = eagle.deploy(scale).bind(**planes)
    bound.rebind(a=3.0).launch()
    np.testing.assert_array_equal(planes["out"], [1.0, 4.0, 7.0, 10.0])
    other = np.full(4, 10.0)
    assert bound.rebind(x=other, a=1.0) is bound
    bound.launch()
    np.testing.assert_array_equal(planes["out"], [11.0, 11.0, 11.0, 11.0])
    assert bound["x"] is other


def test_a_rebind_that_is_refused_changes_nothing(planes):
    bound = eagle.deploy(scale).bind(**planes)
    with pytest.raises(ValueError):
        bound.rebind(a=100.0, x=np.zeros(3))
    bound.launch()
    np.testing.assert_array_equal(planes["out"], [1.0, 3.0, 5.0, 7.0])
    assert bound["x"] is planes["x"]


def test_rebind_of_an_unknown_name_is_refused(planes):
    with pytest.raises(TypeError, match="'z'"):
        eagle.deploy(scale).bind(**planes).rebind(z=1.0)


def test_every_output_is_given_to_bind():
    with pytest.raises(TypeError, match="'out'"):
        eagle.deploy(scale).bind(x=np.ones(2), y=np.ones(2), a=1.0)


def test_outputs_of_a_tuple_are_bound_by_out_or_by_name():
    x, y, added, subtracted = np.array([4.0]), np.array([1.0]), np.zeros(1), np.zeros(1)
    plan = eagle.deploy(sums)
    plan.bind(x=x, y=y, out=(added, subtracted)).launch()
    assert (added[0], subtracted[0]) == (5.0, 3.0)
    plan.bind(x=y, y=x, out0=added, out1=subtracted).launch()
    assert (added[0], subtracted[0]) == (5.0, -3.0)


def test_it_keeps_its_arrays_alive_and_lets_go_of_what_was_rebound():
    class Array(np.ndarray):
        pass

    x = np.arange(4.0).view(Array)
    kept = weakref.ref(x)
    bound = eagle.deploy(scale).bind(x=x, y=np.ones(4), a=1.0, out=np.zeros(4))
    del x
    gc.collect()
    assert kept() is not None
    bound.rebind(x=np.zeros(4))
    gc.collect()
    assert kept() is None


def test_a_second_entry_is_busy():
    x = np.arange(200_000.0)
    bound = eagle.deploy(long_work).bind(x=x, out=np.empty_like(x))
    refused, stop = [], threading.Event()

    def enter():
        while not stop.is_set():
            try:
                bound.rebind(x=x)
            except eagle.Busy as error:
                refused.append(str(error))
                return

    other = threading.Thread(target=enter)
    other.start()
    for _ in range(100):
        bound_launch(bound)
        if refused:
            break
    stop.set()
    other.join()
    assert refused
    assert "one caller at a time" in refused[0]


def bound_launch(bound):
    """Launches; the other thread may be the one that is inside."""
    with contextlib.suppress(eagle.Busy):
        bound.launch()


def test_a_plan_bound_to_arrays_that_refer_to_it_is_collected():
    class Owned(np.ndarray):
        owner = None

    class Model:
        def __init__(self):
            self.total = np.zeros(4).view(Owned)
            self.total.owner = self
            self.step = eagle.deploy(add_in_place).bind(total=self.total, x=np.ones(4))

    model = Model()
    model.step.launch()
    assert list(model.total) == [1.0] * 4
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None
