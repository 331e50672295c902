"""Random recordings on the simulated device against NumPy: the same bits, replayed in several orders and run without a
graph, kernel by kernel."""

from typing import Any

import numpy as np
from device_kernels import up
from hypothesis import HealthCheck, given, note, settings
from parts import Part
from random_programs import REPLAYS, Eager, Statement, check, programs, recording_of, schedule, source, start

import eagle

RANDOM = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
ORDERS = 3


def there() -> dict[str, eagle.DeviceArray]:
    return {name: up(array) for name, array in start().items()}


def back(planes: dict[str, eagle.DeviceArray]) -> dict[str, np.ndarray]:
    return {name: array.to_host() for name, array in planes.items()}


@RANDOM
@given(programs(2))
def test_replays_give_the_bits_of_numpy_in_every_order(program: tuple[Statement, ...]) -> None:
    note(source(program))
    for seed in range(ORDERS):
        planes = there()
        with schedule("EAGLE_SIM_SCHEDULE", f"random:{seed}"):
            built = recording_of(source(program)).build(**planes)
        assert built.backend == "sim"
        built.launch(REPLAYS)
        check(back(planes), program, f"order {seed}")


@RANDOM
@given(programs(2))
def test_kernels_called_one_by_one_give_them(program: tuple[Statement, ...]) -> None:
    note(source(program))
    planes: dict[str, Any] = there()
    for _ in range(REPLAYS):
        Eager(planes, Part).run(program)
    check(back(planes), program, "without a graph")
