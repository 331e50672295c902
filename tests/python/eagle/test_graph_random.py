"""Random recordings on the host against NumPy, one statement after the other: the same bits, replayed in many orders
and run without a graph."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from random_programs import (
    CELLS,
    PLANES,
    REPLAYS,
    Eager,
    Statement,
    check,
    programs,
    recording_of,
    schedule,
    source,
    start,
)

RANDOM = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ORDERS = 20


def replayed(program: tuple[Statement, ...]) -> dict[str, np.ndarray]:
    planes = start()
    recording_of(source(program)).build(**planes).launch(REPLAYS)
    return planes


@RANDOM
@given(programs(2))
def test_replays_give_the_bits_of_numpy_in_every_order(program: tuple[Statement, ...]) -> None:
    note(source(program))
    check(replayed(program), program, "as it comes")
    for seed in range(ORDERS):
        with schedule("EAGLE_CPU_SCHEDULE", f"random:{seed}"):
            check(replayed(program), program, f"order {seed}")


@RANDOM
@given(programs(2))
def test_kernels_called_one_by_one_give_them(program: tuple[Statement, ...]) -> None:
    note(source(program))
    planes = start()
    for _ in range(REPLAYS):
        Eager(planes, lambda array, key: array[key]).run(program)
    check(planes, program, "without a graph")


def test_a_failure_prints_the_program_as_python() -> None:
    program = (Statement("if", ("n",), 0.0, ((Statement("shift", ("a",), 1.0),), (Statement("fill", ("b",), 0.5),))),)
    assert source(program) == (
        "def recording(g, a, b, c, d, n, m):\n"
        "    with g.if_(n) as branch1:\n"
        "        with branch1.then:\n"
        "            shift(a, 1.0)\n"
        "        with branch1.otherwise:\n"
        "            g.fill(b, 0.5)\n"
    )


def test_the_program_that_is_left_of_a_failure_is_printed() -> None:
    @settings(RANDOM, derandomize=True, database=None)
    @given(programs(2))
    def fails(program: tuple[Statement, ...]) -> None:
        note(source(program))
        assert "g.fill" not in source(program)

    with pytest.raises(AssertionError) as failure:
        fails()
    assert "def recording(g, a, b, c, d, n, m):\n    g.fill(a, -1.0)\n" in "\n".join(failure.value.__notes__)


@pytest.mark.parametrize("first", ["fill", "shift", "copy"])
@pytest.mark.parametrize("second", ["g.fill(a, 1.0)", "g.copy(b, into=a)", "mix(b, c, 0.0, out=a)"])
def test_a_race_that_was_put_in_is_found(first: str, second: str) -> None:
    one = {"fill": "g.fill(a, 2.0)", "shift": "shift(a, 1.0)", "copy": "g.copy(a, into=d)"}[first]
    text = (
        f"def recording(g, {', '.join(PLANES + CELLS)}):\n"
        "    with g.fork() as f:\n"
        f"        with f.branch():\n            {one}\n"
        f"        with f.branch():\n            {second}\n"
    )
    with pytest.raises(ValueError, match="'a'"):
        recording_of(text).build(**start())
