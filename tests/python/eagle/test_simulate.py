"""simulate: each sample to its own end, exact steps, and every way to stop earlier."""

import gc
import sys
import weakref

import numpy as np
import pytest
from eagle_kernels import add_in_place, add_in_place_live, countdown, endless, oscillator, scale

import eagle
import hawk


def counting(n=1000, seed=1):
    """Samples that finish after a known number of steps each."""
    wanted = np.random.default_rng(seed).integers(1, 500, n)
    return wanted, {"left": wanted.astype(float), "ticks": np.zeros(n), "terminated": np.zeros(n, bool)}


def test_every_sample_stops_at_its_own_step():
    wanted, planes = counting()
    result = eagle.simulate(countdown, max_steps=1000, **planes)
    assert result.status == "finished"
    assert result.finished is True
    assert result.done == result.samples == 1000
    assert result.steps == wanted.sum()
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    np.testing.assert_array_equal(planes["ticks"], wanted)
    assert planes["terminated"].all()
    assert result.finished_mask.all()
    assert result.wall_s > 0
    assert result.report


def test_state_is_there_by_item_and_by_attribute():
    _, planes = counting(5)
    result = eagle.simulate(countdown, max_steps=1000, **planes)
    assert result["ticks"] is planes["ticks"]
    assert result.ticks is planes["ticks"]
    assert set(result) == {"left", "ticks", "terminated"}
    with pytest.raises(AttributeError, match="ticks"):
        _ = result.nothing
    assert "1,000" not in repr(result)
    assert "5 of 5 samples" in repr(result)


def test_the_planes_are_listed_where_one_is_asked_for_that_is_not_there():
    result = eagle.simulate(countdown, max_steps=1, left=np.ones(2), ticks=np.zeros(2))
    assert {"left", "terminated", "steps"} <= set(dir(result))
    assert "left" in result and "lift" not in result and result.get("lift") is None
    for ask in (lambda: result["lift"], lambda: result.lift):
        with pytest.raises((KeyError, AttributeError)) as caught:
            ask()
        words = str(caught.value).partition("planes are ")[2]
        assert all(name in words for name in ("left", "ticks", "terminated"))


def test_the_arithmetic_is_that_of_the_plain_loop():
    n = 37
    rng = np.random.default_rng(3)
    omega, t_end = rng.uniform(0.5, 3.0, n), rng.uniform(0.1, 2.0, n)
    planes = {"omega": omega, "t_end": t_end, "x": np.ones(n), "v": np.zeros(n), "t": np.zeros(n)}
    result = eagle.simulate(oscillator, max_steps=10_000, dt=0.01, **planes)
    for i in range(n):
        x, v, t, steps = 1.0, 0.0, 0.0, 0
        while t < t_end[i]:
            x, v, t, steps = x + 0.01 * v, v - 0.01 * omega[i] * omega[i] * x, t + 0.01, steps + 1
        assert (x, v, t, steps) == (planes["x"][i], planes["v"][i], planes["t"][i], result.steps_per_sample[i])


def test_a_missing_mask_is_allocated_with_all_samples_live():
    wanted, planes = counting(10)
    del planes["terminated"]
    result = eagle.simulate(countdown, max_steps=1000, **planes)
    assert result.steps == wanted.sum()
    assert result["terminated"].all()


def test_a_sample_terminated_on_entry_does_nothing():
    wanted, planes = counting(10)
    planes["terminated"][3] = True
    before = planes["left"][3]
    result = eagle.simulate(countdown, max_steps=1000, **planes)
    assert result.steps_per_sample[3] == 0
    assert planes["left"][3] == before
    assert result.steps == wanted.sum() - wanted[3]


def test_max_steps_is_never_overshot_and_the_next_call_continues():
    wanted, planes = counting()
    first = eagle.simulate(countdown, max_steps=100, **planes)
    assert first.status == "max_steps"
    assert first.finished is False
    np.testing.assert_array_equal(first.steps_per_sample, np.minimum(wanted, 100))
    np.testing.assert_array_equal(first.finished_mask, wanted <= 100)
    second = eagle.simulate(countdown, max_steps=1000, **planes)
    assert second.status == "finished"
    np.testing.assert_array_equal(second.steps_per_sample, wanted - first.steps_per_sample)
    np.testing.assert_array_equal(planes["ticks"], wanted)


def test_a_prepared_simulation_continues_where_it_stands():
    wanted, planes = counting()
    prepared = eagle.simulation(countdown, max_steps=200, **planes)
    total = np.zeros(wanted.size, int)
    for _ in range(3):
        total += prepared.run().steps_per_sample
    np.testing.assert_array_equal(total, wanted)


def test_timeout_stops_at_whole_steps():
    x = np.zeros(1000)
    result = eagle.simulate(endless, max_steps=1 << 40, timeout=0.2, x=x)
    assert result.status == "timeout"
    assert 0.15 < result.wall_s < 5
    assert result.steps == result.steps_per_sample.sum() > 0
    assert result.done == 0
    # x is 2 (1 - 2^-steps), and 2 to the last bit after 54 steps
    moved = result.steps_per_sample
    np.testing.assert_array_equal(x[moved > 60], 2.0)
    np.testing.assert_array_equal(x[moved == 0], 0.0)


def test_until_is_asked_every_so_many_steps_and_sees_the_state():
    wanted, planes = counting(50)
    seen = []

    def until(state):
        seen.append(state.ticks.max())
        return state["ticks"].max() >= 120

    result = eagle.simulate(countdown, max_steps=1000, until=until, every=40, **planes)
    assert result.status == "until"
    assert seen == [40.0, 80.0, 120.0]
    np.testing.assert_array_equal(result.steps_per_sample, np.minimum(wanted, 120))


def test_record_copies_planes_as_they_were():
    wanted, planes = counting(20)
    result = eagle.simulate(countdown, max_steps=90, record=["ticks"], every=30, **planes)
    assert list(result.recorded) == ["ticks"]
    times = result.recorded["ticks"]
    assert len(times) == 3
    for steps, ticks in zip((30, 60, 90), times, strict=True):
        np.testing.assert_array_equal(ticks, np.minimum(wanted, steps))
        assert not np.shares_memory(ticks, planes["ticks"])


def test_progress_tells_how_far_it_is():
    planes = {"x": np.zeros(1000)}
    seen = []
    result = eagle.simulate(endless, max_steps=1 << 40, timeout=0.3, progress=seen.append, **planes)
    assert seen
    assert all(at.samples == 1000 and at.done == 0 for at in seen)
    steps = [at.steps for at in seen]
    assert steps == sorted(steps)
    assert steps[-1] <= result.steps


def test_progress_true_draws_a_bar(capsys):
    _, planes = counting(100)
    eagle.simulate(countdown, max_steps=1000, progress=True, **planes)
    assert "100" in capsys.readouterr().err


def test_progress_true_without_tqdm_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    _, planes = counting(3)
    with pytest.raises(ImportError, match=r"libeagle\[progress\]"):
        eagle.simulate(countdown, max_steps=10, progress=True, **planes)
    assert not planes["ticks"].any()


@pytest.mark.parametrize("name", ["progress", "until"])
def test_what_a_callback_raises_comes_out_with_the_result_so_far(name):
    def fail(_):
        raise LookupError("mine")

    options = {"progress": fail, "timeout": 20.0} if name == "progress" else {"until": fail, "every": 10}
    with pytest.raises(LookupError, match="mine") as caught:
        eagle.simulate(endless, max_steps=1 << 40, x=np.zeros(10), **options)
    assert isinstance(caught.value.result, eagle.SimResult)
    assert caught.value.result.status == "interrupted"
    assert caught.value.result.steps == caught.value.result.steps_per_sample.sum()


@pytest.mark.parametrize("model", ["run", "step"])
def test_until_that_raises_stops_at_its_own_step(model):
    """At the cap too, and where another kernel makes it a loop over steps."""
    kernels = {"run": countdown, "step": [countdown, add_in_place_live]}
    for cap in (30, 1000):
        wanted, planes = counting(40)
        more = {} if model == "run" else {"total": np.zeros(40), "x": np.zeros(40)}
        asked = []

        def fail(state, asked=asked):
            asked.append(state)
            if len(asked) == 3:
                raise LookupError("mine")

        with pytest.raises(LookupError, match="mine") as caught:
            eagle.simulate(kernels[model], max_steps=cap, until=fail, every=10, **planes, **more)
        result = caught.value.result
        assert (result.status, len(asked)) == ("interrupted", 3)
        assert repr(result).startswith("<SimResult interrupted: ")
        np.testing.assert_array_equal(result.steps_per_sample, np.minimum(wanted, 30))
        np.testing.assert_array_equal(planes["ticks"], np.minimum(wanted, 30))


def test_several_kernels_are_one_step():
    wanted, planes = counting(40)
    total = np.zeros(40)
    result = eagle.simulate([countdown, add_in_place_live], max_steps=1000, total=total, x=np.full(40, 2.0), **planes)
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    # the mask that a step sets is seen by the kernels after it, so the last step's addition is not made
    np.testing.assert_array_equal(total, 2.0 * (wanted - 1))


def test_a_simulation_serves_one_caller():
    prepared = None

    def until(_):
        with pytest.raises(eagle.Busy, match="one caller at a time"):
            prepared.run()
        return True

    prepared = eagle.simulation(endless, max_steps=1000, until=until, every=1, x=np.zeros(2))
    assert prepared.run().status == "until"


def test_a_kernel_that_never_finishes_its_samples_is_no_model():
    with pytest.raises(ValueError, match="'scale'"):
        eagle.simulate(scale, max_steps=10, x=np.ones(1), y=np.ones(1), a=1.0, out=np.ones(1))
    with pytest.raises(ValueError, match="'add_in_place'"):
        eagle.simulate([countdown, add_in_place], max_steps=10, total=np.ones(1), x=np.ones(1), **counting(1)[1])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_steps": float("nan")}, ValueError, "max_steps is nan; it must be a whole number of at least 1"),
        ({"max_steps": float("inf")}, ValueError, "max_steps is inf; it must be a whole number of at least 1"),
        ({"max_steps": 2.5}, ValueError, "max_steps is 2.5; it must be a whole number of at least 1"),
        ({"max_steps": 0}, ValueError, "max_steps is 0; it must be a whole number of at least 1"),
        ({"max_steps": 1 << 63}, ValueError, "max_steps is 9223372036854775808; .* of at least 1, below 2.63$"),
        ({"max_steps": True}, TypeError, "max_steps is True .bool.; it must be a whole number"),
        ({"max_steps": "many"}, TypeError, "max_steps is 'many' .str.; it must be a whole number"),
        ({"timeout": -1}, ValueError, "timeout is -1; it must be a number of seconds, at least 0"),
        ({"timeout": float("nan")}, ValueError, "timeout is nan; it must be a number of seconds"),
        ({"timeout": "soon"}, TypeError, "timeout is 'soon' .str.; it must be a number of seconds"),
        ({"every": 0}, ValueError, "every is 0; it must be a whole number of at least 1"),
        ({"until": 3, "every": 1}, TypeError, "until is 3; it must be a callable"),
        ({"until": bool}, ValueError, "every"),
        ({"record": "ticks"}, ValueError, "every"),
        ({"record": "nothing", "every": 1}, TypeError, "record names 'nothing', which is no plane of the model"),
        ({"record": 3, "every": 1}, TypeError, "record is 3; it must be the name of a plane, or a list of names"),
        ({"record": ["ticks", 3], "every": 1}, TypeError, r"record is \['ticks', 3\]; it must be the name of a plane"),
        ({"progress": 3}, TypeError, "progress is 3; it must be True, None or a callable"),
        ({"structure": 2}, TypeError, "structure is 2 .int.; it must be an eagle.exec.HostTeam"),
        ({"layout": 3}, TypeError, "layout is 3"),
    ],
)
def test_bad_options_are_refused_before_anything_moves(options, error, words):
    _, planes = counting(4)
    with pytest.raises(error, match=words):
        eagle.simulate(countdown, **{"max_steps": 10, **options}, **planes)
    assert not planes["ticks"].any()


def test_an_answer_of_until_that_is_neither_true_nor_false_is_told():
    _, planes = counting(4)
    words = "until gave a ndarray, which is neither true nor false; it must give one bool"
    with pytest.raises(TypeError, match=words) as caught:
        eagle.simulate(countdown, max_steps=10, every=1, until=lambda state: np.ones(3), **planes)
    result = caught.value.result
    assert (result.status, result.samples, result.steps_per_sample.tolist()) == ("interrupted", 4, [1] * 4)
    assert caught.value.__cause__.args[0].startswith("The truth value of an array")


@hawk.kernel
def wait(left: hawk.Mutable[hawk.Scalar], timeout: hawk.Scalar, planes: hawk.Param, done: hawk.Terminated):
    left -= timeout * planes
    if left <= 0.0:
        done = True


def test_arguments_named_like_options_come_in_a_mapping():
    left, timeout = np.array([3.0, 8.0]), np.array([1.0, 2.0])
    given = {"timeout": timeout, "planes": 0.5}
    result = eagle.simulate(wait, max_steps=100, timeout=60.0, left=left, planes=given)
    assert result.steps_per_sample.tolist() == [6, 8]
    assert result["timeout"] is timeout
    prepared = eagle.simulation(wait, max_steps=100, planes={"left": np.array([1.0, 1.0]), **given})
    assert prepared.run().steps_per_sample.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("planes", "words"),
    [
        (np.zeros(2), r"planes is a ndarray; it must be a mapping of names"),
        ({1: np.zeros(2)}, r"an argument that is named so comes in it: planes=\{\"planes\": ...\}"),
        ({"left": np.zeros(2)}, "'left' is given by name and in planes; give it once"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(planes, words):
    with pytest.raises(TypeError, match=words):
        eagle.simulate(wait, max_steps=1, left=np.zeros(2), planes=planes)


def test_a_simulation_of_arrays_that_refer_to_it_is_collected():
    class Owned(np.ndarray):
        owner = None

    left = np.full(4, 2.0).view(Owned)
    left.owner = eagle.simulation(countdown, max_steps=5, left=left, ticks=np.zeros(4))
    assert left.owner.run().steps == 8
    gone = weakref.ref(left)
    del left
    gc.collect()
    assert gone() is None
