"""Programs that tests of several kinds of devices run, each kind on arrays of its own: `up` copies an array there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eagle
import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector

Up = Callable[[np.ndarray], Any]


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def turn(p: Mutable[Vector[2]], s: Scalar):
    x = p[0]
    p[0] = -s * p[1]
    p[1] = s * x


@hawk.kernel
def divide(n: Mutable[Index], by: Index):
    n = n // by


@hawk.kernel
def fall(dt: Param, y: Mutable[Scalar], v: Mutable[Scalar], landed: Terminated):
    v = v - 9.81 * dt
    y = y + v * dt
    landed = y <= 0.0


def copier(device: str) -> Up:
    """What copies an array to that device."""

    def up(array: np.ndarray) -> Any:
        made = eagle.empty(array.shape, array.dtype, device)
        eagle.copy(array, into=made)
        return made

    return up


def check_a_fault_names_the_lowest_sample(up: Up, samples: int, lowest: int, other: int) -> None:
    """Of two samples that divide by zero; no sample is changed."""
    n, by = np.arange(samples), np.ones(samples, np.int64)
    by[[other, lowest]] = 0
    there = up(n)
    bound = eagle.deploy(divide).bind(n=there, by=up(by))
    with pytest.raises(ZeroDivisionError, match=f"sample {lowest}"):
        bound.launch()
        bound.synchronize()
    assert (there.to_host() == n).all()


def check_simulate_is_that_of_the_host(up: Up, samples: int, highest: float, max_steps: int) -> eagle.SimResult:
    """Status, steps and bits of samples that fall from as high as that; the result on the device."""
    start = np.random.default_rng(3).uniform(0.5, highest, samples)
    host = {"y": start.copy(), "v": np.zeros(samples), "landed": np.zeros(samples, bool)}
    there = {name: up(plane) for name, plane in host.items()}
    wanted = eagle.simulate(fall, max_steps=max_steps, dt=0.01, **host)
    found = eagle.simulate(fall, max_steps=max_steps, dt=0.01, **there)
    assert (found.status, found.steps, found.done) == (wanted.status, wanted.steps, wanted.done)
    assert "of the run entry of 'fall' on kind" in found.report, found.report
    for name, plane in host.items():
        assert (there[name].to_host() == plane).all(), name
    steps = found.steps_per_sample
    assert (np.asarray(steps.to_host() if hasattr(steps, "to_host") else steps) == wanted.steps_per_sample).all()
    return found


def check_an_active_set(up: Up, samples: int) -> None:
    """Half of the samples are finished: the live ones come to the front, and all go back."""
    numbers = np.random.default_rng(samples)
    dead, x = numbers.random(samples) < 0.5, numbers.random(samples)
    mask, plane = up(dead), up(x)
    active = eagle.ActiveSet(mask, plane)
    index_map, count = active.compact()
    np.testing.assert_array_equal(index_map.to_host()[:count], np.flatnonzero(~dead))
    active.reorder()
    order = np.concatenate([np.flatnonzero(~dead), np.flatnonzero(dead)])
    np.testing.assert_array_equal(active.order(), order)
    np.testing.assert_array_equal(plane.to_host(), x[order])
    active.restore()
    np.testing.assert_array_equal(plane.to_host(), x)
    np.testing.assert_array_equal(mask.to_host(), dead)
