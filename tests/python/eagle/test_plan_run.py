"""Plan.run: outputs, their form, and what is converted on the way in."""

import numpy as np
import pytest
from eagle_kernels import add_in_place, masked_double, scale, sums, turn

import eagle


def test_run_allocates_and_returns_the_output():
    x, y = np.arange(5.0), np.full(5, 0.5)
    made = eagle.deploy(scale).run(x=x, y=y, a=2.0)
    assert isinstance(made, np.ndarray)
    assert made.dtype == np.float64
    np.testing.assert_array_equal(made, [0.5, 2.5, 4.5, 6.5, 8.5])


def test_out_is_filled_and_returned_itself():
    out = np.full(3, 7.0)
    made = eagle.deploy(scale).run(x=np.arange(3.0), y=np.zeros(3), a=3.0, out=out)
    assert made is out
    np.testing.assert_array_equal(out, [0.0, 3.0, 6.0])


def test_several_outputs_are_a_tuple_in_the_order_they_are_returned():
    plan = eagle.deploy(sums)
    x, y = np.array([5.0, 1.0]), np.array([2.0, 4.0])
    added, subtracted = plan.run(x=x, y=y)
    np.testing.assert_array_equal(added, [7.0, 5.0])
    np.testing.assert_array_equal(subtracted, [3.0, -3.0])
    mine = np.empty(2), np.empty(2)
    given = plan.run(x=x, y=y, out=mine)
    assert given[0] is mine[0]
    assert given[1] is mine[1]
    np.testing.assert_array_equal(mine[1], [3.0, -3.0])


def test_one_of_several_outputs_may_be_given():
    mine = np.empty(1)
    added, subtracted = eagle.deploy(sums).run(x=np.array([5.0]), y=np.array([2.0]), out=(None, mine))
    assert subtracted is mine
    assert added[0] == 7.0
    assert mine[0] == 3.0


def test_an_out_tuple_of_the_wrong_length_is_refused():
    with pytest.raises(TypeError, match=r"out has 1 arrays; kernel 'sums' returns 2: give an array for each, or None"):
        eagle.deploy(sums).run(x=np.ones(1), y=np.ones(1), out=(np.empty(1),))


def test_a_kernel_that_returns_nothing_gives_none():
    total = np.ones(4)
    assert eagle.deploy(add_in_place).run(total=total, x=np.arange(4.0)) is None
    np.testing.assert_array_equal(total, [1.0, 2.0, 3.0, 4.0])


def test_a_vector_is_component_major_and_the_other_layout_is_copied_with_a_warning():
    p = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    wanted = np.array([[8.0, 10.0, 12.0], [-2.0, -4.0, -6.0]])
    plan = eagle.deploy(turn)
    np.testing.assert_array_equal(plan.run(p=p, q=np.full(3, 2.0)), wanted)
    with pytest.warns(eagle.LayoutWarning, match="'p'"):
        made = plan.run(p=np.ascontiguousarray(p.T), q=np.full(3, 2.0))
    np.testing.assert_array_equal(made, wanted)


def test_a_shape_with_two_readings_needs_a_word():
    plan = eagle.deploy(turn)
    p = np.array([[1.0, 2.0], [3.0, 4.0]])
    q = np.ones(2)
    with pytest.raises(eagle.LayoutError, match="samples_first"):
        plan.run(p=p, q=q)
    last = np.array([[3.0, 4.0], [-1.0, -2.0]])  # samples are columns
    np.testing.assert_array_equal(plan.run(p=p, q=q, layout="samples_last"), last)
    np.testing.assert_array_equal(plan.run(p=eagle.samples_last(p), q=q), last)
    first = np.array([[2.0, 4.0], [-1.0, -3.0]])  # samples are rows
    with pytest.warns(eagle.LayoutWarning):
        np.testing.assert_array_equal(plan.run(p=eagle.samples_first(p), q=q), first)


def test_an_unknown_layout_is_refused_by_name():
    with pytest.raises(ValueError, match=r"layout is 'sideways'; it must be 'samples_first' or 'samples_last'"):
        eagle.deploy(scale).run(x=np.ones(1), y=np.ones(1), a=1.0, layout="sideways")


def test_lists_and_numbers_are_taken_where_the_kernel_reads():
    plan = eagle.deploy(scale)
    np.testing.assert_array_equal(plan.run(x=[1.0, 2.0], y=[0.0, 1.0], a=2), [2.0, 5.0])
    assert float(plan.run(x=3.0, y=1.0, a=np.float64(2.0))) == 7.0


def test_numpy_integers_are_integers():
    np.testing.assert_array_equal(eagle.deploy(scale).run(x=np.ones(2), y=np.ones(2), a=np.int32(4)), [5.0, 5.0])


def test_integers_for_a_float_plane_are_converted_with_a_warning():
    with pytest.warns(eagle.PerformanceWarning, match="'x'"):
        made = eagle.deploy(scale).run(x=np.arange(3), y=np.zeros(3), a=2.0)
    np.testing.assert_array_equal(made, [0.0, 2.0, 4.0])


def test_masked_samples_stay_zero_in_an_allocated_output_and_untouched_in_a_given_one():
    plan = eagle.deploy(masked_double)
    x, mask = np.array([1.0, 2.0, 3.0]), np.array([False, True, False])
    np.testing.assert_array_equal(plan.run(x=x, terminated=mask), [2.0, 0.0, 6.0])
    out = np.full(3, 9.0)
    plan.run(x=x, terminated=mask, out=out)
    np.testing.assert_array_equal(out, [2.0, 9.0, 6.0])


def test_an_output_outlives_everything_that_made_it():
    plan = eagle.deploy(scale)
    made = plan.run(x=np.arange(1000.0), y=np.zeros(1000), a=1.0)
    view = made[10:20]
    del plan, made
    np.testing.assert_array_equal(view, np.arange(10.0, 20.0))


def test_no_samples_are_no_work():
    made = eagle.deploy(scale).run(x=np.empty(0), y=np.empty(0), a=1.0)
    assert made.shape == (0,)
