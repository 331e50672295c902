"""until_done on the host: against simulate, which steps each sample by itself, and against known numbers of steps."""

import os
import signal
import threading

import numpy as np
import pytest
from eagle_kernels import add_in_place_live, countdown, endless, oscillator, scale
from hypothesis import given, settings
from hypothesis import strategies as st

import eagle


def counting(n, longest=300, seed=1):
    """Samples that finish after a known number of steps each."""
    wanted = np.random.default_rng(seed).integers(1, longest, n)
    return wanted, {"left": wanted.astype(float), "ticks": np.zeros(n), "terminated": np.zeros(n, bool)}


@pytest.mark.parametrize("n", [1, 65, 4097, 20_000])
@pytest.mark.parametrize("reorder", [True, False])
def test_every_sample_stops_at_its_own_step(n, reorder):
    wanted, planes = counting(n)
    bound = eagle.deploy(countdown).bind(**planes)
    result = eagle.until_done(bound, max_steps=1000, every=8, reorder=reorder)
    assert result.status == "finished" and result.finished
    assert result.done == result.samples == n
    assert result.steps == wanted.sum()
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    np.testing.assert_array_equal(planes["ticks"], wanted)
    assert planes["terminated"].all() and result.finished_mask.all()
    assert result.ticks is planes["ticks"] and result["left"] is planes["left"]
    assert ("moved to the front" in result.report) is reorder
    assert ("front 0 times" in result.report) is (reorder and n < 4096)


@settings(deadline=None, max_examples=20)
@given(
    st.sampled_from([4095, 4096, 4097, 10_000]),
    st.integers(1, 200),
    st.integers(1, 40),
    st.floats(0.1, 0.97),
    st.integers(0, 2**32 - 1),
)
def test_the_bits_are_those_of_simulate(n, max_steps, every, theta, seed):
    numbers = np.random.default_rng(seed)
    planes = {
        "omega": numbers.uniform(0.5, 3.0, n),
        "t_end": numbers.uniform(0.1, 2.0, n),
        "x": numbers.random(n),
        "v": numbers.random(n),
        "t": np.zeros(n),
        "terminated": numbers.random(n) < 0.2,
    }
    other = {name: plane.copy() for name, plane in planes.items()}
    expected = eagle.simulate(oscillator, max_steps=max_steps, dt=0.01, **other)
    result = eagle.until_done(
        eagle.deploy(oscillator), max_steps=max_steps, every=every, theta=theta, dt=0.01, **planes
    )
    for name, plane in planes.items():
        np.testing.assert_array_equal(plane, other[name], err_msg=name)
    np.testing.assert_array_equal(result.steps_per_sample, expected.steps_per_sample)
    assert result.status == expected.status and result.steps == expected.steps


def test_several_plans_are_one_step():
    wanted, planes = counting(9000)
    total, x = np.zeros(9000), np.arange(9000.0)
    first = eagle.deploy(add_in_place_live).bind(total=total, x=x, terminated=planes["terminated"])
    second = eagle.deploy(countdown).bind(**planes)
    result = eagle.until_done([first, second], max_steps=1000, every=4)
    np.testing.assert_array_equal(total, wanted * x)
    np.testing.assert_array_equal(x, np.arange(9000.0))
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    assert set(result) == {"total", "x", "terminated", "left", "ticks"}


def test_a_call_goes_on_where_the_last_one_stopped():
    wanted, planes = counting(5000)
    bound = eagle.deploy(countdown).bind(**planes)
    before = np.zeros(5000, np.int64)
    for cap in (1, 50, 400):
        result = eagle.until_done(bound, max_steps=cap, every=7)
        np.testing.assert_array_equal(result.steps_per_sample, np.minimum(wanted - before, cap))
        before += result.steps_per_sample
    assert result.finished
    assert eagle.until_done(bound, max_steps=1).steps == 0


def test_hooks_see_samples_in_their_order():
    wanted, planes = counting(5000)
    steps, finished = [], []

    def on_step(made):
        steps.append(made)
        np.testing.assert_array_equal(planes["ticks"], np.minimum(wanted, made))

    result = eagle.until_done(
        eagle.deploy(countdown),
        max_steps=1000,
        every=50,
        on_step=on_step,
        when_finished=lambda samples: finished.append(samples),
        **planes,
    )
    assert steps == [50, 100, 150, 200, 250, 300]
    for number, samples in enumerate(finished):
        np.testing.assert_array_equal(samples, np.flatnonzero((wanted - 1) // 50 == number))
    assert result.finished


@pytest.mark.parametrize("hook", ["on_step", "when_finished"])
def test_what_a_hook_raises_stops_the_run(hook):
    wanted, planes = counting(5000)

    def raises(argument):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine") as caught:
        eagle.until_done(eagle.deploy(countdown), max_steps=1000, every=100, **{hook: raises}, **planes)
    assert caught.value.result.status == "interrupted"
    np.testing.assert_array_equal(planes["ticks"], np.minimum(wanted, 100))
    np.testing.assert_array_equal(caught.value.result.steps_per_sample, planes["ticks"])


def test_a_timeout_stops_at_whole_steps_and_progress_is_told():
    x = np.zeros(3)
    told = []
    result = eagle.until_done(
        eagle.deploy(endless), max_steps=10**12, timeout=0.1, progress=told.append, x=x, terminated=np.zeros(3, bool)
    )
    assert result.status == "timeout" and result.done == 0
    assert told[-1].samples == 3 and told[-1].steps == result.steps
    assert len(set(result.steps_per_sample)) == 1


def test_ctrl_c_stops_it():
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        eagle.until_done(eagle.deploy(endless), max_steps=10**12, x=np.zeros(5000), terminated=np.zeros(5000, bool))
    timer.join()
    assert caught.value.result.status == "interrupted"
    assert caught.value.result.steps > 0


def test_what_cannot_move_stays_and_the_report_says_why():
    wanted, planes = counting(5000)
    spread = np.zeros(10_000)
    planes["ticks"] = spread[::2]
    result = eagle.until_done(eagle.deploy(countdown), max_steps=1000, **planes)
    assert "samples were not moved: 'ticks': the samples of the plane lie 16 bytes apart" in result.report
    np.testing.assert_array_equal(spread[::2], wanted)
    assert not spread[1::2].any()


def test_what_a_hook_raises_says_how_far_the_run_came():
    _, planes = counting(5)
    bound = eagle.deploy(countdown).bind(**planes)

    def hook(steps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        eagle.until_done(bound, max_steps=10, every=1, on_step=hook)
    result = stopped.value.result
    assert stopped.value.__notes__ == [
        f"until_done stopped after {result.steps} steps of all samples together, with {result.done} of 5 samples done; "
        "the arrays hold the state after those steps, and this error's `result` is the SimResult so far"
    ]
    assert 0 < result.steps == planes["ticks"].sum()


def test_refusals():
    _, planes = counting(5)
    bound = eagle.deploy(countdown).bind(**planes)
    with pytest.raises(TypeError, match="until_done was given int; it needs a bound plan"):
        eagle.until_done(3, max_steps=1)
    with pytest.raises(ValueError, match="max_steps is 0"):
        eagle.until_done(bound, max_steps=0)
    with pytest.raises(ValueError, match="every is 0"):
        eagle.until_done(bound, max_steps=1, every=0)
    with pytest.raises(ValueError, match=r"theta is 0; it is a share of live slots, more than 0"):
        eagle.until_done(bound, max_steps=1, theta=0)
    with pytest.raises(TypeError, match="theta is 'half'"):
        eagle.until_done(bound, max_steps=1, theta="half")
    with pytest.raises(ValueError, match="timeout is -1"):
        eagle.until_done(bound, max_steps=1, timeout=-1)
    with pytest.raises(TypeError, match="on_step is 3; it must be None or a callable"):
        eagle.until_done(bound, max_steps=1, on_step=3)
    with pytest.raises(TypeError, match="argument 'x' is unknown to the plans; leave it out: the plans are bound"):
        eagle.until_done(bound, max_steps=1, x=np.zeros(5))
    with pytest.raises(TypeError, match=r"argument 'y' is unknown to the plans; they take .*: give it one of"):
        eagle.until_done(eagle.deploy(countdown), max_steps=1, y=np.zeros(5), **planes)
    with pytest.raises(ValueError, match="plan 1 of the step is plan 0; bind it anew"):
        eagle.until_done([bound, bound], max_steps=1)
    with pytest.raises(ValueError, match="the model has no kernel; until_done needs one"):
        eagle.until_done([], max_steps=1)
    with pytest.raises(ValueError, match="kernel 'scale' does not finish its samples"):
        eagle.until_done(eagle.deploy(scale), max_steps=1, x=np.zeros(5), y=np.zeros(5), a=1.0, out=np.zeros(5))
    _, others = counting(5)
    with pytest.raises(ValueError, match="is another array than 'terminated' of kernel 'countdown'"):
        eagle.until_done([bound, eagle.deploy(countdown).bind(**others)], max_steps=1)
    assert not planes["ticks"].any()
