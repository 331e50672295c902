"""simulate and until_done on arrays of the simulated device, against known numbers of steps and the host's bits."""

import re

import numpy as np
import pytest
from device_kernels import countdown, fall, heat, scale, sinking, up

import eagle

SAMPLES = 5_003


def batch(seed=1, longest=60):
    """Samples that finish after a known number of steps each."""
    return np.random.default_rng(seed).integers(1, longest, SAMPLES).astype(float)


@pytest.mark.parametrize("device", ["sim:0", "sim:1"])
def test_every_sample_stops_at_its_own_step(device):
    wanted = batch()
    left = up(wanted, device)
    result = eagle.simulate(countdown, max_steps=1000, left=left)
    assert (result.status, result.finished, result.done) == ("finished", True, SAMPLES)
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    assert result.steps == wanted.sum()
    assert result.left is left
    np.testing.assert_array_equal(left.to_host(), np.zeros(SAMPLES))
    assert result.terminated.device == device and result.terminated.to_host().all() and result.finished_mask.all()
    assert "on kind 'sim'" in result.report


# ---- one launch of the run entry ----

LAUNCHES = re.compile(r"(\d+) launch(?:es)? of the run entry of '(\w+)' on kind 'sim'")


@pytest.mark.parametrize("seed", range(5))
def test_samples_that_do_not_see_each_other_take_one_launch(seed):
    wanted = batch(seed, longest=3_000)
    planes = {name: up(plane) for name, plane in (("left", wanted), ("terminated", np.zeros(SAMPLES, bool)))}
    whole = eagle.simulate(countdown, max_steps=2_000, **planes)
    assert LAUNCHES.fullmatch(whole.report)[2] == "countdown"
    np.testing.assert_array_equal(whole.steps_per_sample, np.minimum(wanted, 2_000))
    np.testing.assert_array_equal(planes["left"].to_host(), wanted - whole.steps_per_sample)
    np.testing.assert_array_equal(whole.finished_mask, wanted <= 2_000)
    np.testing.assert_array_equal(planes["terminated"].to_host(), wanted <= 2_000)


@pytest.mark.parametrize("device", ["sim:0", "sim:1"])
def test_the_launch_has_the_bits_of_steps_one_after_another(device):
    height = np.linspace(0.5, 30.0, SAMPLES)
    planes = {"y": height, "v": np.zeros(SAMPLES), "landed": height > 20.0}
    once, stepped = ({name: up(plane, device) for name, plane in planes.items()} for _ in range(2))
    whole = eagle.simulate(fall, max_steps=150, dt=1e-2, **once)
    steps = eagle.until_done(eagle.deploy(fall).bind(dt=1e-2, **stepped), max_steps=150, every=1, reorder=False)
    assert LAUNCHES.fullmatch(whole.report) and "plan on kind 'sim'" in steps.report
    assert (whole.status, whole.steps, whole.done) == (steps.status, steps.steps, steps.done)
    np.testing.assert_array_equal(whole.steps_per_sample, steps.steps_per_sample)
    for name, plane in once.items():
        np.testing.assert_array_equal(plane.to_host(), stepped[name].to_host())


def test_who_wants_to_be_asked_cuts_it_into_windows():
    wanted, told = np.full(SAMPLES, 3e6), []
    left = up(wanted)
    result = eagle.simulate(countdown, max_steps=3_000_000, left=left, progress=told.append)
    assert int(LAUNCHES.fullmatch(result.report)[1]) > 1
    assert result.finished and result.steps == wanted.sum()
    steps = [progress.steps for progress in told]
    assert steps == sorted(steps) and steps[-1] == wanted.sum()


@pytest.mark.parametrize("options", [{}, {"record": "x", "every": 4}, {"progress": lambda _: None}])
def test_a_fault_leaves_the_others_done(options):
    by, x = np.ones(SAMPLES, np.int64), np.arange(SAMPLES) % 50
    by[[400, 77]] = 0
    there, host = ({"x": place(x), "by": place(by)} for place in (up, np.copy))
    for planes in (there, host):
        with pytest.raises(ZeroDivisionError, match="sample 77"):
            eagle.simulate(sinking, max_steps=100, **planes, **options)
    np.testing.assert_array_equal(there["x"].to_host(), host["x"])
    whole = np.where(by == 0, x, np.where(x > 0, 0, -1))
    after = np.where(by == 0, x, np.maximum(x - 4, np.where(x > 0, 0, -1)))  # four steps, in which it fell
    np.testing.assert_array_equal(host["x"], after if "record" in options else whole)


def test_every_has_no_say_without_somebody_to_ask():
    result = eagle.simulate(countdown, max_steps=2**62, every=2**62, left=up(np.full(3, 2.0)))
    assert (result.status, result.steps) == ("finished", 6)


def test_the_bits_are_those_of_the_host():
    height = np.linspace(0.5, 3.0, SAMPLES)
    host = {"y": height.copy(), "v": np.zeros(SAMPLES)}
    expected = eagle.simulate(fall, max_steps=2000, dt=1e-2, **host)
    there = {name: up(plane) for name, plane in {"y": height, "v": np.zeros(SAMPLES)}.items()}
    result = eagle.simulate(fall, max_steps=2000, dt=1e-2, **there)
    np.testing.assert_array_equal(result.steps_per_sample, expected.steps_per_sample)
    for name in host:
        np.testing.assert_array_equal(there[name].to_host(), host[name])


def test_a_step_of_two_kernels():
    height = np.linspace(0.5, 3.0, SAMPLES)
    host = {"y": height.copy(), "v": np.zeros(SAMPLES), "warmth": np.zeros(SAMPLES)}
    there = {name: up(plane) for name, plane in host.items()}
    expected = eagle.simulate([heat, fall], max_steps=2000, dt=1e-2, **host)
    result = eagle.simulate([heat, fall], max_steps=2000, dt=1e-2, **there)
    assert result.steps == expected.steps
    assert re.match(r"\d+ steps of 2 plans on kind 'sim'", result.report), result.report
    for name in host:
        np.testing.assert_array_equal(there[name].to_host(), host[name])


def test_a_stopped_run_goes_on_with_its_mask():
    wanted = batch()
    left = up(wanted)
    first = eagle.simulate(countdown, max_steps=10, left=left)
    assert first.status == "max_steps"
    np.testing.assert_array_equal(first.steps_per_sample, np.minimum(wanted, 10))
    second = eagle.simulate(countdown, max_steps=1000, left=left, terminated=first.terminated)
    np.testing.assert_array_equal(second.steps_per_sample, np.maximum(wanted - 10, 0))
    assert second.finished and second.terminated is first.terminated
    prepared = eagle.simulation(countdown, max_steps=10, left=up(wanted))
    steps = np.zeros(SAMPLES)
    while not (result := prepared.run()).finished:
        steps += result.steps_per_sample
    np.testing.assert_array_equal(steps + result.steps_per_sample, wanted)


def test_record_until_and_progress_are_those_of_the_host():
    wanted = batch(longest=20)
    seen = {}
    for place in ("host", "device"):
        left = wanted.copy() if place == "host" else up(wanted)
        told = []

        def until(state, told=told):
            told.append(float(np.max(state.left if isinstance(state.left, np.ndarray) else state.left.to_host())))
            return len(told) == 3

        result = eagle.simulate(countdown, max_steps=1000, left=left, record="left", every=4, until=until)
        seen[place] = (result.status, result.steps, told, np.stack(result.recorded["left"]))
    host, device = seen["host"], seen["device"]
    assert device[:3] == host[:3] and device[0] == "until"
    np.testing.assert_array_equal(device[3], host[3])
    assert device[3].shape == (3, SAMPLES)
    np.testing.assert_array_equal(device[3][0], np.maximum(wanted - 4.0, 0.0))

    told = []
    eagle.simulate(countdown, max_steps=1000, left=up(wanted), progress=told.append)
    assert (told[-1].done, told[-1].samples, told[-1].steps) == (SAMPLES, SAMPLES, wanted.sum())


def test_a_batch_that_is_done_on_entry():
    left, done = up(np.ones(3)), up(np.ones(3, bool))
    result = eagle.simulate(countdown, max_steps=9, left=left, terminated=done, record="left", every=3)
    assert (result.status, result.steps) == ("finished", 0)
    np.testing.assert_array_equal(left.to_host(), np.ones(3))
    host = eagle.simulate(countdown, max_steps=9, left=np.ones(3), terminated=np.ones(3, bool), record="left", every=3)
    assert len(result.recorded["left"]) == len(host.recorded["left"]) == 1


def test_a_timeout_and_what_a_callback_raises_leave_whole_steps():
    wanted = np.full(SAMPLES, 1e9)
    left = up(wanted)
    result = eagle.simulate(countdown, max_steps=10**9, left=left, timeout=0.05)
    assert result.status == "timeout" and not result.finished
    np.testing.assert_array_equal(left.to_host(), wanted - result.steps_per_sample)

    def bad(state):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine") as raised:
        eagle.simulate(countdown, max_steps=100, left=up(wanted), until=bad, every=5)
    assert raised.value.result.status == "interrupted"
    np.testing.assert_array_equal(raised.value.result.steps_per_sample, np.full(SAMPLES, 5))

    words = "until gave a ndarray, which is neither true nor false; it must give one bool"
    with pytest.raises(TypeError, match=words) as raised:
        eagle.simulate(countdown, max_steps=10, left=up(wanted), until=lambda state: np.ones(3), every=10)
    assert raised.value.result.status == "interrupted"
    np.testing.assert_array_equal(raised.value.result.steps_per_sample, np.full(SAMPLES, 10))


@pytest.mark.parametrize(
    ("planes", "options", "error", "words"),
    [
        (
            {"left": np.ones(3), "terminated": "cpu"},
            {},
            eagle.BufferRefused,
            "argument 'terminated' of kernel 'countdown' is on the host, 'left' is on sim:0; the rule: a call",
        ),
        (
            {"left": np.ones(3), "terminated": "sim:1"},
            {},
            eagle.BufferRefused,
            "argument 'terminated' of kernel 'countdown' is on sim:1, 'left' is on sim:0",
        ),
        (
            {"left": np.ones(3)},
            {"structure": eagle.exec.HostTeam(1)},
            eagle.BufferRefused,
            "argument 'left' of kernel 'countdown' is on sim:0, and the structure is a HostTeam; the rule:",
        ),
        (
            {"left": np.ones(3)},
            {"structure": eagle.exec.DeviceKernel("sim", 1)},
            eagle.BufferRefused,
            "is on sim:0, and the structure is a DeviceKernel of sim:1; the rule:",
        ),
        ({"left": np.ones(3, np.float32)}, {}, eagle.BufferRefused, "has dtype float32"),
        ({"left": np.ones(3)}, {"record": "right", "every": 1}, TypeError, "record names 'right'"),
        ({"left": np.ones(3)}, {"structure": 2}, TypeError, "it must be an eagle.exec.HostTeam or an eagle.exec.Dev"),
    ],
)
def test_refusals(planes, options, error, words):
    mask = planes.pop("terminated", None)
    there = {name: up(plane) for name, plane in planes.items()}
    if mask is not None:
        there["terminated"] = np.zeros(3, bool) if mask == "cpu" else up(np.zeros(3, bool), mask)
    with pytest.raises(error, match=re.escape(words)):
        eagle.simulate(countdown, max_steps=3, **options, **there)


def test_a_structure_of_the_device():
    left = up(batch(), "sim:1")
    result = eagle.simulate(countdown, max_steps=1000, left=left, structure=eagle.exec.DeviceKernel("sim", 1))
    np.testing.assert_array_equal(result.steps_per_sample, batch())


# ---- until_done ----


@pytest.mark.parametrize("reorder", [True, False])
def test_until_done(reorder):
    wanted, finished = batch(longest=200), []
    left, done = up(wanted), up(np.zeros(SAMPLES, bool))
    bound = eagle.deploy(countdown).bind(left=left, terminated=done)
    result = eagle.until_done(bound, max_steps=1000, every=8, reorder=reorder, when_finished=finished.append)
    assert result.status == "finished"
    np.testing.assert_array_equal(result.steps_per_sample, wanted)
    np.testing.assert_array_equal(np.sort(np.concatenate(finished)), np.arange(SAMPLES))
    assert result.left is left and result["terminated"] is done
    np.testing.assert_array_equal(left.to_host(), np.zeros(SAMPLES))
    assert ("moved to the front" in result.report) is reorder


def test_until_done_binds_plans_and_shows_whole_steps():
    wanted, looks = batch(longest=30), []
    left, done = up(wanted), up(np.zeros(SAMPLES, bool))
    plan = eagle.deploy(countdown)
    result = eagle.until_done(
        plan,
        max_steps=100,
        every=7,
        on_step=lambda steps: looks.append((steps, left.to_host())),
        left=left,
        terminated=done,
    )
    assert result.finished
    for steps, seen in looks:
        np.testing.assert_array_equal(seen, np.maximum(wanted - steps, 0.0))
    assert [steps for steps, _ in looks] == list(range(7, 7 * len(looks) + 1, 7))


def test_until_done_refuses_plans_of_two_places():
    here, there = (
        {"left": up(np.ones(3)), "terminated": up(np.zeros(3, bool))},
        {
            "left": up(np.ones(3), "sim:1"),
            "terminated": up(np.zeros(3, bool), "sim:1"),
        },
    )
    plan = eagle.deploy(countdown)
    with pytest.raises(eagle.BufferRefused, match="the plans of a step run on one device"):
        eagle.until_done([plan.bind(**here), plan.bind(**there)], max_steps=3)
    with pytest.raises(ValueError, match="does not finish its samples"):
        eagle.until_done(eagle.deploy(scale).bind(x=up(np.ones(3)), a=1.0, b=1.0, out=up(np.ones(3))), max_steps=3)
