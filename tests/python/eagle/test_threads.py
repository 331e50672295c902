"""Threads: of the team, and of the caller."""

import itertools
import threading

import numpy as np
import pytest
from eagle_kernels import countdown, long_work, oscillator, scale

import eagle

N = 20_011  # not a multiple of any vector


def oscillators():
    rng = np.random.default_rng(5)
    return {
        "omega": rng.uniform(0.5, 3.0, N),
        "t_end": rng.uniform(0.1, 2.0, N),
        "x": np.ones(N),
        "v": np.zeros(N),
        "t": np.zeros(N),
    }


def bits(*arrays):
    return [array.tobytes() for array in arrays]


def test_simulate_gives_the_same_bits_for_any_number_of_threads():
    outcomes = []
    for threads in (1, 2, 3, 7):
        planes = oscillators()
        result = eagle.simulate(oscillator, max_steps=150, dt=0.01, structure=eagle.exec.HostTeam(threads), **planes)
        outcomes.append(bits(planes["x"], planes["v"], planes["t"], result.steps_per_sample, result.finished_mask))
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_run_gives_the_same_bits_for_any_partition_and_team():
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=N), rng.normal(size=N)
    wanted = 0.1 * x + y  # two rounded operations, as the kernel writes them
    for threads in (1, 2, 5):
        for parts in (1, 2, 3, 16):
            plan = eagle.plan(scale, structure=eagle.exec.HostTeam(threads), npartitions=parts)
            assert bits(plan.run(x=x, y=y, a=0.1)) == bits(wanted)


def test_two_threads_run_one_plan_on_their_own_data():
    plan = eagle.deploy(scale)
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(50):
            x, y, a = rng.normal(size=5000), rng.normal(size=5000), float(rng.normal())
            if bits(plan.run(x=x, y=y, a=a)) != bits(a * x + y):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_two_threads_simulate_one_kernel():
    outcomes = {}

    def work(seed):
        wanted = np.random.default_rng(seed).integers(1, 300, 5000)
        result = eagle.simulate(countdown, max_steps=1000, left=wanted.astype(float), ticks=np.zeros(5000))
        outcomes[seed] = np.array_equal(result.steps_per_sample, wanted)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {0: True, 1: True, 2: True}


def test_other_python_threads_go_on_during_a_long_launch():
    x = np.arange(500_000.0)
    bound = eagle.deploy(long_work).bind(x=x, out=np.empty_like(x))
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(1)

    other = threading.Thread(target=tick)
    other.start()
    before = len(ticks)
    bound.launch()
    during = len(ticks) - before
    stop.set()
    other.join()
    assert during > 3


@pytest.mark.parametrize(
    ("threads", "error", "words"),
    [
        (0, ValueError, "threads is 0; it must be a whole number from 1 to 65536"),
        (-2, ValueError, "threads is -2"),
        (1.5, ValueError, "threads is 1.5"),
        (float("nan"), ValueError, "threads is nan"),
        ("all", TypeError, "threads is 'all' .str."),
        (True, TypeError, "threads is True .bool."),
    ],
)
def test_a_team_of_no_sensible_size_is_refused(threads, error, words):
    with pytest.raises(error, match=words):
        eagle.exec.HostTeam(threads)


def test_partitions_cover_the_samples():
    parts = eagle.Partition.split(1000, 3, multiple=64)
    assert parts[0].base == 0
    assert all(a.base + a.count == b.base for a, b in itertools.pairwise(parts))
    assert sum(part.count for part in parts) == 1000
    assert all(part.base % 64 == 0 for part in parts if part.count)
    assert eagle.Partition.whole(5) == eagle.Partition(0, 5, 5)


@pytest.mark.parametrize(
    ("values", "field"),
    [((-1, 2, 10), "base"), ((0, -2, 10), "count"), ((5, 6, 10), "count"), ((0, 0, -1), "n_samples")],
)
def test_a_partition_outside_its_samples_is_refused(values, field):
    with pytest.raises(ValueError, match=field):
        eagle.Partition(*values)


def test_a_structure_that_is_none_is_refused():
    with pytest.raises(TypeError, match=r"structure is 2 \(int\); it must be an eagle.exec.HostTeam"):
        eagle.plan(scale, structure=2)
    with pytest.raises(ValueError, match="npartitions is 0"):
        eagle.plan(scale, npartitions=0)
